"""Tests a provider: its models first, the cheapest question that needs a working address and key, then one of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, TypeVar

import httpx

from app.models.llm.requests import PLAIN_HEADERS, is_plain
from app.models.model.providers import Feature, Probed, Provider

PROBE_SECONDS = 10.0
TRIAL_SECONDS, TRIAL_TOKENS = 20.0, 512
MOST_SHOWN, MOST_CLOSE = 200, 5
MOST_BYTES = 4_000_000
UNLISTED = (404, 405, 501)
"""What servers answer that list no models."""
T = TypeVar("T")
WORDS = ("hello", "goodbye")
WORD = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": WORDS}},
    "required": ["word"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "report", "description": "Report one word.", "parameters": WORD}}
SCHEMA = {"type": "json_schema", "json_schema": {"name": "report", "strict": True, "schema": WORD}}
STREAM = {"stream": True, "stream_options": {"include_usage": True}}
GREETING = "Good morning."
CALL_IT = "Call the tool `report` with the word hello."
COUNT_PROMPT = "Count from one to five in words."
MOST_TRIED_BYTES = 1_000_000
REFUSED_STATUSES = (401, 403)
CONTENT_KEYS = ("content", "reasoning_content", "reasoning")
"""Where servers put what a model says or thinks."""
BROKEN_ANSWER = (TimeoutError, httpx.HTTPError, ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""What an answer comes to that has another form than the protocol's, or none."""


async def probe(
    provider: Provider,
    model: str = "",
    *,
    seconds: float = PROBE_SECONDS,
    trial_seconds: float = TRIAL_SECONDS,
    trial_tokens: int = TRIAL_TOKENS,
) -> Probed:
    """The models of a provider and, where one is named, which features of the protocol work with it.

    ``seconds`` bound the list, ``trial_seconds`` and ``trial_tokens`` each answer of the model. What went wrong is said
    without the provider's own words, which may quote the key.
    """
    try:
        async with open_client(provider) as client:
            async with asyncio.timeout(seconds):
                found = await _list_models(client, model)
            if not (model and found.ok):
                return found
            return await _try_model(Trial(client, model, trial_seconds, trial_tokens), found)
    except (TimeoutError, httpx.TimeoutException):
        return Probed(ok=False, detail=f"It did not answer within {seconds:g} seconds.")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Probed(ok=False, detail=f"It cannot be reached ({type(error).__name__}).")
    except KeyRefused as refused:
        return Probed(ok=False, detail=str(refused))


async def lacks(provider: Provider, model: str, *, seconds: float = PROBE_SECONDS) -> Probed | None:
    """What a provider has instead of a model; None unless it lists its models and this one is not among them."""
    with suppress(TimeoutError, httpx.HTTPError, httpx.InvalidURL):
        async with asyncio.timeout(seconds), open_client(provider) as client:
            found = await _list_models(client, model)
            return found if found.models and not found.ok else None
    return None


def open_client(provider: Provider) -> httpx.AsyncClient:
    """Return a client of a provider; how long a question to it may last is its caller's to say.

    It follows no redirects, as httpx does none by itself: they would take the user's words to somebody else.
    """
    key = {"Authorization": f"Bearer {provider.api_key}"} if provider.api_key else {}
    address = provider.base_url.rstrip("/")
    return httpx.AsyncClient(base_url=address, headers={**PLAIN_HEADERS, **key}, timeout=None)  # noqa: S113 - see above


async def _list_models(client: httpx.AsyncClient, model: str) -> Probed:
    async with client.stream("GET", "/models") as answer:
        if answer.status_code in REFUSED_STATUSES:
            return Probed(ok=False, detail=str(KeyRefused(answer.status_code)))
        if model and answer.status_code in UNLISTED:
            return Probed(ok=True, detail="It lists no models.")
        if not answer.is_success:
            return Probed(ok=False, detail=f"It answered {answer.status_code}.")
        return models_in(await body_of(answer), model)


async def _try_model(trial: Trial, found: Probed) -> Probed:
    """What was found of a provider, and what works with one of its models."""
    features = await trial.features()
    works = [name for name, fine in features.items() if fine]
    if not works:
        statuses = ", ".join(map(str, dict.fromkeys(trial.statuses))) or f"nothing within {trial.seconds:g} seconds"
        return replace(found, ok=False, detail=f"{found.detail} {trial.model} gives no answer of use ({statuses}).")
    lacks = [name for name, fine in features.items() if not fine]
    told = f"With {trial.model} these work: {', '.join(works)}."
    told += f" These do not: {', '.join(lacks)}." if lacks else ""
    changes = "" if {"tools", "json_schema"} & {*works} else " It can answer, but change nothing."
    return replace(found, detail=f"{found.detail} {told}{changes}", model=trial.model, features=features)


async def body_of(answer: httpx.Response, most: int = MOST_BYTES) -> bytes:
    """The body, or nothing of one that is too long or packed."""
    body = b""
    if not is_plain(answer.headers):
        return body
    async for piece in answer.aiter_bytes():
        body += piece
        if len(body) > most:
            return b""
    return body


def models_in(body: bytes, model: str = "") -> Probed:
    """What a list of models says, and of one of them whether it is there."""
    try:
        names = [str(listed["id"]) for listed in json.loads(body)["data"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return Probed(ok=False, detail="It answered, but not as an OpenAI-compatible server does.")
    if model and model not in names and f"{model}:latest" not in names:  # Ollama's name of the usual one
        closest = get_close_matches(model, names, n=MOST_CLOSE, cutoff=0.3)
        others = [name for name in names if name not in closest]
        return Probed(ok=False, detail=f"It has no model {model}.", models=[*closest, *others][:MOST_SHOWN])
    return Probed(ok=True, detail=f"It answers and has {len(names)} models.", models=names[:MOST_SHOWN])


class KeyRefused(Exception):  # noqa: N818 - it names what happened
    """The server refuses the key."""

    def __init__(self, status: int) -> None:
        super().__init__(f"It refuses the key ({status}).")


@dataclass
class Trial:
    """Questions to one model of the server that ``client`` is for; ``statuses`` are those of all answers.

    ``seconds`` and ``tokens`` bound each answer. A question that fails says no more than that its feature does not
    work: servers refuse what they do not know.
    """

    client: httpx.AsyncClient
    model: str
    seconds: float
    tokens: int
    statuses: list[int] = field(default_factory=list)

    async def features(self) -> dict[Feature, bool]:
        """What works, asked one after the other, as a server at home answers one at a time. Raises Refused."""
        forced = await self._calls("required", GREETING)
        events = await self._ask(COUNT_PROMPT, dict, STREAM)
        streaming = any(map(has_words, events))
        return {
            "tools": forced or await self._calls("auto", CALL_IT),
            "tool_choice": forced,
            "json_schema": await self.fills_schema(),
            "streaming": streaming,
            "usage": streaming and any(map(tokens_in, events)),
        }

    async def calls_tool(self) -> bool:
        """Whether it calls a tool in the given schema, made to or asked to. Raises Refused."""
        return await self._calls("required", GREETING) or await self._calls("auto", CALL_IT)

    async def _calls(self, choice: str, words: str) -> bool:
        return any(await self._ask(words, _calls_report, {"tools": [TOOL], "tool_choice": choice}))

    async def fills_schema(self) -> bool:
        """Whether it returns JSON of the asked schema. Raises Refused."""
        return any(await self._ask(GREETING, _says_word, {"response_format": SCHEMA}))

    async def stream(self, words: str, hear: Callable[[Mapping[str, Any]], None]) -> None:
        """Have ``hear`` each event of a streamed answer, until it ends in whatever way. Raises Refused."""
        await self._ask(words, hear, STREAM)

    async def _ask(self, words: str, read: Callable[[dict[str, Any]], T], options: Mapping[str, Any]) -> list[T]:
        """Return what ``read`` makes of a whole answer, or of each event of a streamed one, up to a broken one."""
        found: list[T] = []
        body = {"model": self.model, "messages": [{"role": "user", "content": words}], **options}
        asked = self.client.stream("POST", "/chat/completions", json={**body, "max_completion_tokens": self.tokens})
        with suppress(*BROKEN_ANSWER):
            async with asyncio.timeout(self.seconds), asked as answer:
                if answer.status_code in REFUSED_STATUSES:
                    raise KeyRefused(answer.status_code)
                self.statuses.append(answer.status_code)
                if answer.is_success and is_plain(answer.headers):
                    async for said in _events(answer) if "stream" in options else _whole(answer):
                        found += [read(json.loads(said))]
        return found


async def _whole(answer: httpx.Response) -> AsyncIterator[bytes]:
    yield await body_of(answer, MOST_TRIED_BYTES)


async def _events(answer: httpx.Response) -> AsyncIterator[bytes]:
    """Yield the data of each event, of as many bytes as an answer to a trial may have."""
    left, begun = MOST_TRIED_BYTES, b""
    async for piece in answer.aiter_bytes():
        left -= len(piece)
        *lines, begun = (begun + piece).split(b"\n")
        for line in lines:
            if line.startswith(b"data:") and b"[DONE]" not in line:
                yield line.removeprefix(b"data:")
        if left < 0:
            return


def _calls_report(answer: Any) -> bool:
    calls = (call["function"] for call in answer["choices"][0]["message"]["tool_calls"])
    return any(call["name"] == "report" and _has_word(call["arguments"]) for call in calls)


def _says_word(answer: Any) -> bool:
    return _has_word(answer["choices"][0]["message"]["content"])


def _has_word(said: Any) -> bool:
    return (json.loads(said) if isinstance(said, str) else said)["word"] in WORDS


def has_words(event: Mapping[str, Any]) -> bool:
    """Whether an event brings words, said or thought."""
    return any((choice.get("delta") or {}).get(name) for choice in event.get("choices") or () for name in CONTENT_KEYS)


def tokens_in(event: Mapping[str, Any]) -> int:
    """How many tokens an answer had, of the event that counts them; 0 of any other."""
    return int((event.get("usage") or {}).get("completion_tokens") or 0)
