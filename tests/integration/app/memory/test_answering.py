"""Answers in a model's words: told where their quotes hold, else the quotes alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from agents.contract import Citation
from agents.synthesizer import FALLBACK
from app.memory.answering import NO_ANSWER, check_answer, place_of
from tests.support.databases import temporary_database
from tests.support.fakes import Call, RecordedRequest, ScriptedModelServer, chat, tools_of
from tests.support.servers.hurried import hurried
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import wait_until

AT = datetime(2026, 3, 5, 9, tzinfo=UTC)
SAID = "The physiotherapist wants me to do the knee exercise twice a day, and no running before May."
SOURCES = [
    Citation(source="memo", id="m", start_char=100, end_char=192, start_ms=10, end_ms=900, quote=SAID, captured_at=AT),
    Citation(source="note", id="n", start_char=0, end_char=23, quote="Anna\u2019s knee is fine now", captured_at=AT),
]
SHOWN = f"[1] Thursday, 5 March 2026 (memo): {SAID}\nQuestion: how often is the knee exercise?"


def answer(words: str, *quotes: tuple[int, str], found: bool = True) -> dict[str, Any]:
    return {
        "found": found,
        "answer": words,
        "quotes": [{"source": source, "quote": quote} for source, quote in quotes],
    }


def test_a_quote_is_cited_where_it_stands() -> None:
    told = check_answer(answer("Twice a day.", (1, "twice a day"), (1, "twice a day")), SOURCES, SHOWN)
    assert told
    assert (told.answer, told.found, told.by_model) == ("Twice a day.", True, True)
    [citation] = told.citations
    start = 100 + SAID.index("twice a day")
    assert (citation.quote, citation.start_char, citation.end_char) == ("twice a day", start, start + 11)
    assert (citation.source, citation.start_ms, citation.end_ms) == ("memo", 10, 900)


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("Anna's knee", "Anna\u2019s knee is fine", "Anna\u2019s knee"),
        ("\u201cno running\u201d", "and no running", "no running"),
        ("twice a day\u2026", "twice a day, and", "twice a day"),
        ("three times a day", "twice a day", None),
        ("", "twice a day", None),
        ("...", "twice a day", None),
    ],
)
def test_a_quote_is_the_same_letters(quote: str, text: str, found: str | None) -> None:
    place = place_of(quote, text)
    assert (text[slice(*place)] if place else None) == found


@pytest.mark.parametrize(
    "said",
    [
        answer("Three times a day.", (1, "three times a day")),
        answer("Twice a day.", (1, "twice a day"), (2, "twice a day")),
        answer("Twice a day.", (3, "twice a day")),
        answer("Twice a day.", (0, "twice a day")),
        answer("Twice a day."),
        answer("", (1, "twice a day")),
        answer("2 times a day for 14 days.", (1, "twice a day")),
        answer("You said: \u201ctwice each day\u201d.", (1, "twice a day")),
        answer("Twice a day. " * 100, (1, "twice a day")),
        answer("I have added it to your tasks [1].", (1, "twice a day")),
        {"found": True, "answer": 5, "quotes": "all"},
        {},
        None,
        "twice a day",
    ],
)
def test_what_is_not_proved_is_not_told(said: Any) -> None:
    assert check_answer(said, SOURCES, SHOWN) is None


def test_a_number_or_quoted_words_that_were_shown_may_be_told() -> None:
    told = check_answer(
        answer("On 5 March you said \u201cno running before May\u201d.", (1, "no running")), SOURCES, SHOWN
    )
    assert told
    assert told.found


def test_a_claim_of_a_change_is_left_out_of_an_answer() -> None:
    told = check_answer(answer("Twice a day. I have added it to your tasks [1].", (1, "twice a day")), SOURCES, SHOWN)
    assert told
    assert told.answer == "Twice a day."


def test_a_model_may_say_that_the_sources_hold_no_answer() -> None:
    told = check_answer(answer("", found=False), SOURCES, SHOWN)
    assert told
    assert (told.answer, told.found, told.citations) == (NO_ANSWER, False, [])


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        yield server


@pytest.fixture(scope="module")
def base(
    postgres_url: str, migrated_template: str, model: ScriptedModelServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A server with jobs beside it and a model."""
    chosen = {"llm_base_url": model.base_url, "llm_model": "scripted", "llm_retries": 0}
    for database in temporary_database(postgres_url, migrated_template):
        settings = settings_for(database, tmp_path_factory.mktemp("answering"), workers_in_process=True, **chosen)
        with live_server(settings) as url, hurried(database):
            yield url


@pytest.fixture
def user(base: str) -> Iterator[httpx.Client]:
    """A user whose memo is in memory."""
    with plain_client(base, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin:
        key = admin.post("/v1/users", json={"name": "A"}).json()["api_key"]
    with plain_client(base, {"Authorization": f"Bearer {key}"}) as client:
        written = {"transcript": SAID, "captured_at": AT.isoformat()}
        assert client.post("/v1/memos", json=written).status_code == 201
        wait_until(lambda: is_indexed(client))
        yield client


def is_indexed(user: httpx.Client) -> bool:
    found = user.get("/v1/memory").json()
    return bool(found["units"]) and not found["waiting"]


def told_by(words: str, quote: str) -> Callable[[RecordedRequest], Any]:
    return chat(Call("answer", answer(words, (1, quote))))


def asked(user: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = user.post("/v1/memory/ask", json={"question": QUESTION}).json()
    assert found["found"], found
    return found


DIGEST = "summarize all my thoughts on the knee exercise"
QUESTION = "how often is the knee exercise of the physiotherapist?"


def told_in_turns(told: Callable[[RecordedRequest], Any], then: str = "") -> Callable[[RecordedRequest], Any]:
    """A model that searches memory for every message, and says something then; it words what memory asks it to."""

    def answered(request: RecordedRequest) -> Any:
        if "create_task" not in tools_of(request):
            return told(request)
        found = any(message["role"] == "tool" for message in request.json["messages"])
        search = Call("search_memory", {"question": str(request.json["messages"][-1]["content"])})
        return (chat(text=then) if found else chat(search))(request)

    return answered


def said(user: httpx.Client, text: str) -> dict[str, Any]:
    """The turn of a message."""
    turn: dict[str, Any] = user.post("/v1/turns", json={"text": text}).json()
    return turn


def test_an_answer_within_a_turn_is_a_part_of_what_the_turn_takes(
    user: httpx.Client, model: ScriptedModelServer
) -> None:
    model.script("/chat/completions", told_in_turns(told_by("Twice a day.", "twice a day")))
    turn = said(user, DIGEST)
    assert (turn["reply"], turn["understanding"]) == ("Twice a day.", "model")
    assert [one["quote"] for one in turn["citations"]] == ["twice a day"]
    assert (turn["usage"]["tokens"], turn["usage"]["model"]["calls"]) == (120, 1)


def test_what_a_model_searches_comes_back_in_quotes_and_is_cited(
    user: httpx.Client, model: ScriptedModelServer
) -> None:
    model.script("/chat/completions", told_in_turns(told_by("Never.", "never"), "Twice a day, you said."))
    turn = said(user, QUESTION)
    assert (turn["reply"], turn["understanding"]) == ("Twice a day, you said.", "model")
    assert [one["quote"] for one in turn["citations"]]
    assert turn["usage"]["model"]["calls"] == 2
    [result] = [one["content"] for one in model.requests[-1].json["messages"] if one["role"] == "tool"]
    assert SAID in result


def test_a_model_that_proves_nothing_within_a_turn_is_told_to_be_missing(
    user: httpx.Client, model: ScriptedModelServer
) -> None:
    model.script("/chat/completions", told_in_turns(told_by("Three times a day.", "three times a day")))
    turn = said(user, DIGEST)
    assert SAID in turn["reply"]
    assert turn["reply"].endswith(FALLBACK)
    assert (turn["understanding"], turn["usage"]["tokens"]) == ("fallback", 120)


def test_what_was_said_before_is_shown_to_the_model_and_proves_nothing(
    user: httpx.Client, model: ScriptedModelServer
) -> None:
    model.script("/chat/completions", told_in_turns(told_by("No.", "three times"), "77 times, I would say."))
    thread = user.post("/v1/threads", json={"title": "knee"}).json()["id"]
    user.post("/v1/turns", json={"text": "what do you think of the knee exercise?", "thread_id": thread})
    again = {"question": "how often does the physiotherapist want it?", "thread_id": thread}
    model.script("/chat/completions", told_by("77 times a day.", "twice a day"))
    claimed = user.post("/v1/memory/ask", json=again).json()
    assert (claimed["by_model"], SAID in claimed["answer"]) == (False, True)
    assert "77 times, I would say." in str(model.requests[-1].json["messages"])


def test_a_model_words_the_answer_and_what_it_invents_is_replaced_by_quotes(
    user: httpx.Client, model: ScriptedModelServer
) -> None:
    model.script("/chat/completions", told_by("Three times a day.", "three times a day"))
    invented = asked(user)
    assert (invented["by_model"], SAID in invented["answer"]) == (False, True)
    model.script("/chat/completions", told_by("Twice a day, and no running yet.", "twice a day"))
    worded = asked(user)
    assert (worded["answer"], worded["by_model"]) == ("Twice a day, and no running yet.", True)
    assert [one["quote"] for one in worded["citations"]] == ["twice a day"]
    prompt = str(model.requests[-1].json["messages"])
    assert SAID in prompt
    model.script("/chat/completions", told_by("I have added it to your tasks.", "twice a day"))
    claimed = asked(user)
    assert (claimed["by_model"], SAID in claimed["answer"]) == (False, True)
    asked_before = len(model.requests)
    declined = user.post("/v1/memory/ask", json={"question": "what did the astronomer eat?"}).json()
    assert (declined["found"], declined["answer"], len(model.requests)) == (False, NO_ANSWER, asked_before)
