"""What a model wrote as text where a call was wanted: calls in JSON, or else an answer."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import suppress
from typing import Any

from app.llm.calls import LONGEST_ARGUMENTS
from app.llm.requests import Extraction

THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
"""What a model thinks aloud; one that was cut off in the middle of it has said nothing yet."""
OPEN_THOUGHT = re.compile(r"\A.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""Some servers put the beginning of a thought into the prompt, so that only its end is in the answer."""
MOST_BEGINNINGS = 20
ARGUMENTS = ("arguments", "parameters", "args", "input")
Called = dict[str, Any]


def without_thoughts(text: str) -> str:
    """The text without what was thought aloud."""
    return OPEN_THOUGHT.sub("", THINKING.sub("", text)).strip()


async def spoken(pieces: AsyncIterator[str]) -> AsyncGenerator[str, None]:
    """A streamed text without the thought that it begins with."""
    begun, thinking = "", True
    async for piece in pieces:
        if not thinking:
            yield piece
            continue
        begun += piece
        thinking = _in_thought(begun)
        if not thinking and (told := without_thoughts(begun)):
            yield f"{told} " if begun[-1:].isspace() else told
    if thinking and (told := without_thoughts(begun)):
        yield told


def _in_thought(begun: str) -> bool:
    """Whether a text may still be a thought: it begins as one, or as the tag of one, and none has ended."""
    start = begun.lstrip().lower()
    if start.startswith("<think"):
        return "</think" not in start or ">" not in start.rpartition("</think")[2]
    return "<think".startswith(start)


def calls_in(text: str, request: Extraction) -> list[Called]:
    """The calls that a text states as JSON, by itself, between fences or in tags; empty when it is prose."""
    found = [value for value in _values(text[:LONGEST_ARGUMENTS]) if isinstance(value, dict | list)]
    return [call for value in found for call in _calls(value, request)]


def named_calls_in(text: str) -> list[Called]:
    """The calls that a text states as JSON with a name and arguments each; empty when it is prose."""
    found: list[Called] = []
    for value in _values(text[:LONGEST_ARGUMENTS]):
        several = value.get("calls") if isinstance(value, dict) else value
        each = several if isinstance(several, list) else [value]
        found += [call for one in each if isinstance(one, dict) and (call := _named(one.get("function") or one))]
    return found


def _values(text: str) -> Iterator[Any]:
    """The JSON values in a text, one after the other."""
    decoder, at = json.JSONDecoder(), 0
    for _ in range(MOST_BEGINNINGS):
        begins = [place for sign in "{[" if (place := text.find(sign, at)) >= 0]
        if not begins:
            return
        at = min(begins)
        with suppress(ValueError, RecursionError):
            value, at = decoder.raw_decode(text, at)
            yield value
            continue
        at += 1


def _calls(value: Any, request: Extraction) -> Iterator[Called]:
    if isinstance(value, list):
        for one in value:
            yield from _calls(one, request)
    elif isinstance(value, dict):
        yield from _of_object(value, request)


def _of_object(value: Mapping[str, Any], request: Extraction) -> Iterator[Called]:
    """One call, a list of them under ``calls``, or the bare arguments of the tool."""
    if isinstance(value.get("calls"), list):
        yield from _calls(value["calls"], request)
    elif call := _named(value.get("function") if isinstance(value.get("function"), dict) else value):
        yield call
    elif set(value) & set(request.tool.model_fields):
        yield {"name": request.tool.__name__, "args": dict(value)}


def _named(value: Any) -> Called | None:
    name = value.get("name") or value.get("tool")
    args = next((value[key] for key in ARGUMENTS if key in value), None)
    with suppress(ValueError):
        args = json.loads(args) if isinstance(args, str) else args
    return {"name": name, "args": args} if isinstance(name, str) and isinstance(args, dict) else None
