"""Calls that a model wrote into its text, in any of the forms that models know, and the words that are left."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from app.models.llm.plain_text import MARKS, final_channel, without_thoughts

LONGEST_ARGUMENTS = 40_000
"""Characters of one call: twice what a whole message may have."""
MOST_BEGINNINGS = 40
MOST_READ_IN_VAIN = 8_000
"""Characters that are read of calls written as code which turn out to be none."""
ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input")
NAMES = ("name", "tool", "tool_name", "function", "action")
WRAPPING = {"calls": list, "tool_calls": list, "function": dict}
"""Where an object holds a call, or several."""
HARMONY = re.compile(r"to=(?:functions\.)?(?P<name>[\w.]+)[^{]*?<\|message\|>(?P<args>\{.*?\})\s*(?=<\||\Z)", re.DOTALL)
TAGGED = re.compile(r"<function=(?P<name>[\w.]+)>(?P<body>.*?)(?:</function>|\Z)", re.DOTALL)
PARAMETER = re.compile(r"<parameter=(?P<name>\w+)>\s*(?P<value>.*?)\s*(?:</parameter>|\Z)", re.DOTALL)
WRITTEN = re.compile(r"\[?\b(?P<name>[A-Za-z_]\w*)\((?=\s*(?:\w+\s*=|\)))")
"""A call as a programmer writes it: create_task(title='x')."""
QUOTES_AND_BRACKETS = re.compile(r"""'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|[()]""", re.DOTALL)
T = TypeVar("T")
Called = dict[str, Any]
IsTool = Callable[[str], bool]


def read_text(text: str, is_tool: IsTool, *, alone: bool) -> tuple[str, list[Called]]:
    """Return the words of a text and the calls that stand in it; ``is_tool`` knows the names of tools.

    One that stands ``alone``, beside no calls, may be an answer by schema.
    """
    said = without_thoughts(text)[:LONGEST_ARGUMENTS]
    if alone and (answer := _by_schema(said, is_tool)):
        return answer
    for read in (_harmony, _in_tags, _in_json, _as_code):
        words, calls = read(said, is_tool)
        if calls:
            return _words(words), calls
    return _words(final_channel(said)), []


def named_calls_in(text: str) -> list[Called]:
    """Return the calls that a text states as JSON with a name and arguments each; none where it is prose."""
    return _in_json(text[:LONGEST_ARGUMENTS], lambda _: True)[1]


def arguments_of(given: Any) -> Any:
    """Return the arguments of a call as an object, however often they were encoded; anything else as it is."""
    for _ in range(3):
        if not isinstance(given, str):
            break
        try:
            given = json.loads(given, strict=False)
        except (ValueError, RecursionError):
            return given
    return given


def _words(text: str) -> str:
    """Return what is said beside calls; a list of one sentence is that sentence."""
    said = MARKS.sub("", text).strip()
    if said.startswith("[") and said.endswith("]"):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            value = ast.literal_eval(said)
            if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
                return "\n".join(value)
    return said


def _harmony(text: str, is_tool: IsTool) -> tuple[str, list[Called]]:
    within = "to=".join(text.split("to=", MOST_BEGINNINGS + 1)[: MOST_BEGINNINGS + 1])
    calls = [_call(found["name"], found["args"]) for found in HARMONY.finditer(within) if is_tool(found["name"])]
    return final_channel(text), calls


def _in_tags(text: str, is_tool: IsTool) -> tuple[str, list[Called]]:
    found = [one for one in TAGGED.finditer(text) if is_tool(one["name"])]
    parts = [{part["name"]: _value(part["value"]) for part in PARAMETER.finditer(one["body"])} for one in found]
    calls = [_call(one["name"], args or one["body"].strip()) for one, args in zip(found, parts, strict=True)]
    return TAGGED.sub("", text), calls


def _value(text: str) -> Any:
    with suppress(ValueError, RecursionError):
        value = json.loads(text)
        return value if isinstance(value, list | int) and not isinstance(value, bool) else text
    return text


def _in_json(text: str, is_tool: IsTool) -> tuple[str, list[Called]]:
    """Return the words beside JSON values, and the calls in these; an answer by schema has its words in one of them."""
    words, calls, replies, at = list[str](), list[Called](), list[str](), 0
    for start, end, value in _values(text):
        found = list(_calls_of(value, is_tool))
        is_answer = isinstance(value, dict) and isinstance(value.get("calls"), list)
        if found or is_answer:
            words.append(text[at:start])
            at, calls = end, [*calls, *found]
            replies += [value["reply"]] if is_answer and isinstance(value.get("reply"), str) else []
    return "".join([*words, text[at:], *replies]), calls if calls or not replies else []


def _by_schema(text: str, is_tool: IsTool) -> tuple[str, list[Called]] | None:
    """Return the words and the calls of an answer by schema; None where the text is no such answer."""
    for _, _, value in _values(text):
        if isinstance(value, dict) and ("reply" in value or isinstance(value.get("calls"), list)):
            calls = [call for one in value.get("calls") or () for call in _calls_of(one, is_tool)]
            return str(value.get("reply") or ""), calls
    return None


def _values(text: str) -> Iterator[tuple[int, int, Any]]:
    """Yield the JSON values in a text with their places, one after the other."""
    decoder, at = json.JSONDecoder(strict=False), 0
    for _ in range(MOST_BEGINNINGS):
        begins = [place for sign in "{[" if (place := text.find(sign, at)) >= 0]
        if not begins:
            return
        at = min(begins)
        with suppress(ValueError, RecursionError):
            value, end = decoder.raw_decode(text, at)
            yield at, end, value
            at = end
            continue
        at += 1


def _calls_of(value: Any, is_tool: IsTool) -> Iterator[Called]:
    if isinstance(value, list):
        for one in value:
            yield from _calls_of(one, is_tool)
    elif isinstance(value, dict):
        inside = next((value[name] for name, kind in WRAPPING.items() if isinstance(value.get(name), kind)), None)
        if inside is not None:
            yield from _calls_of(inside, is_tool)
        elif call := _call_from_object(value, is_tool):
            yield call


def _call_from_object(value: Any, is_tool: IsTool) -> Called | None:
    """Return an object as a call: with a name beside its arguments, or as the one key over them."""
    name = next((value[key] for key in NAMES if isinstance(value.get(key), str)), None)
    if name is not None and is_tool(name):
        args = next((value[key] for key in ARGUMENTS if key in value), None)
        rest = {key: one for key, one in value.items() if key not in (*NAMES, "id", "type")}
        return _call(name, rest if args is None else args)
    if len(value) == 1:
        (only, inside), *_ = value.items()
        return _call(only, inside) if is_tool(only) and isinstance(inside, dict) else None
    return None


def _as_code(text: str, is_tool: IsTool) -> tuple[str, list[Called]]:
    words, calls, at, in_vain = list[str](), list[Called](), 0, 0
    for found in WRITTEN.finditer(text):
        if found.start() < at or not is_tool(found["name"]):
            continue
        start = found.start("name")
        end = _end_of_call(text, found.end())
        call = _parse_call(text[start:end])
        in_vain += 0 if call else end - start
        if in_vain > MOST_READ_IN_VAIN:
            break  # beginnings inside of each other, each of which is read to its end
        if call:
            words.append(text[at : found.start()])
            at, calls = end, [*calls, call]
    rest = text[at:].lstrip(" ,]") if calls else text[at:]
    return "".join([*words, rest]), calls


def _end_of_call(text: str, at: int) -> int:
    """Return where the brackets that were opened before a place are closed; brackets in quotes do not count."""
    depth = 1
    for found in QUOTES_AND_BRACKETS.finditer(text, at):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    return len(text)


def _parse_call(code: str) -> Called | None:
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        tree = ast.parse(code, mode="eval").body
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and not tree.args:
            args = {one.arg: ast.literal_eval(one.value) for one in tree.keywords if one.arg}
            return _call(tree.func.id, args)
    return None


def _call(name: str, args: Any) -> Called:
    return {"name": name, "args": arguments_of(args)}


def unique(said: Sequence[T]) -> list[T]:
    """Return each call, or what one comes to, once: some servers send one three times alike, and models repeat them."""
    return [one for place, one in enumerate(said) if one not in said[:place]]
