"""Lists through a model: whatever it answers, a line goes only where the user's words ask for that."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.store.memory import InMemoryStore

from agents.contract import Change, Proposal, Proposed
from agents.grounding.worded import Wish, settled
from agents.mind import BuiltIn
from agents.mind.line import records_of
from agents.ports import Ask, Batch, Exchange
from agents.records import NoteFields
from agents.rendering.changes import claim_sentence
from agents.store import namespace
from app.llm.lists import held_to_words
from app.storage.database import Database
from graph.store_ledger import StoreLedger
from tests.support.fakes import Call, ScriptedModelServer
from tests.support.minds import mind_at, model, patch
from tests.support.servers.turn_server import reply_of, turn_server

ZONE = ZoneInfo("Europe/Lisbon")
AT = datetime(2026, 11, 18, 10, 30, tzinfo=ZONE)
PANTRY = ("eggs", "tea", "ham", "rice", "flour")
BUILT_IN = BuiltIn()


def lines(*texts: str, done: Sequence[str] = ()) -> list[dict[str, Any]]:
    return [{"text": text, "done": text in done} for text in texts]


def ask(words: str, stored: Sequence[Any] = PANTRY, *before: str, language: str = "en") -> Ask:
    given_ = {"notes": [{"category": "list", "summary": "pantry", "items": list(stored)}]}
    recent = [Exchange(said=said, replied="") for said in before]
    records = records_of(given_, AT, ZONE)
    return Ask(
        text=words, words=words, at=AT, timezone="Europe/Lisbon", records=records, recent=recent, language=language
    )


def answered(said: Ask, *answers: Any, **fields: Any) -> Proposed:
    """What comes of a model that answers with these lines, each in a patch of its own."""
    wishes = [Wish("update", "note", "note-1", {"items": answer, **fields}) for answer in answers]
    plain = asyncio.run(BUILT_IN.propose("update_notes", said))
    held, told = held_to_words(wishes, said, plain)
    found = settled(held, said, plain.proposals)
    return found.model_copy(update={"answers": [*told, *found.answers]})


def after(found: Proposed) -> list[tuple[str, bool]] | None:
    """The lines of the one proposal; None when nothing is proposed."""
    assert len(found.proposals) <= 1
    if not found.proposals:
        return None
    items = NoteFields.model_validate({"summary": "pantry", **found.proposals[0].fields}).items
    return [(line.text, line.done) for line in items]


@pytest.mark.parametrize(
    ("words", "answer", "expected"),
    [
        (
            "tick off eggs, tea, ham and rice on the pantry list",
            ["flour"],
            lines(*PANTRY, done=PANTRY[:4]),
        ),
        (
            "we have eggs and tea",
            lines(*PANTRY, done=("eggs", "tea")),
            lines(*PANTRY, done=("eggs", "tea")),
        ),
        ("we have eggs and tea", lines(*PANTRY, done=PANTRY), lines(*PANTRY, done=("eggs", "tea"))),
        ("add butter to the pantry", ["butter"], lines(*PANTRY, "butter")),
        ("add butter to the pantry", ["butter", *PANTRY[1:]], lines(*PANTRY, "butter")),
        ("we need dish soap", [*PANTRY, "dish soap", "bitcoin"], lines(*PANTRY, "dish soap")),
        ("add oat milk to the pantry", [], None),
        ("add oat milk to the pantry", None, None),
        ("sort the pantry by name", sorted(PANTRY), lines(*sorted(PANTRY))),
        ("sort the pantry by name", ["eggs", "flour"], None),
        ("we need dish soap", [*reversed(PANTRY), "dish soap"], lines(*PANTRY, "dish soap")),
        ("take the eggs off the pantry list", list(PANTRY[1:]), lines(*PANTRY[1:])),
        ("take the eggs off the pantry list", ["flour"], lines(*PANTRY[1:])),
        ("the pantry has everything we need, tick it all", lines(*PANTRY, done=PANTRY), lines(*PANTRY, done=PANTRY)),
        ("EGGS and tea are there now", ["Eggs", " tea ", *PANTRY[2:]], None),
    ],
)  # fmt: skip
def test_a_list_after_an_answer(words: str, answer: Any, expected: list[dict[str, Any]] | None) -> None:
    found = answered(ask(words), answer)
    assert after(found) == (None if expected is None else [(line["text"], line["done"]) for line in expected])
    assert not any(item.hold for item in found.proposals)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("we no longer want any ham in this house, so scrap it", ["eggs", "tea", "rice", "flour"]),
        ("ham and rice gehen weg", ["eggs", "tea", "flour"]),
        ("make the tea in the pantry green tea", ["eggs", "green tea", "ham", "rice", "flour"]),
        ("i did the first two things for the pantry", lines(*PANTRY, done=PANTRY[:2])),
        ("cross it off, i mean the pantry stuff that goes in a pan", ["tea", "rice", "flour"]),
    ],
)
def test_what_the_words_only_may_ask_for_waits_for_a_yes(words: str, answer: Any) -> None:
    language = "de" if "gehen" in words else "en"
    found = answered(ask(words, language=language), answer)
    (proposal,) = found.proposals
    assert proposal.hold


def test_several_patches_of_one_list_are_one_change() -> None:
    """Each patch is made on the list as stored: the last alone would take the others back."""
    ticks = [lines(*PANTRY, done=(name,)) for name in ("eggs", "tea")]
    found = answered(ask("we have eggs and tea, and need butter"), *ticks, [*PANTRY, "butter"])
    assert after(found) == [(text, text in ("eggs", "tea")) for text in (*PANTRY, "butter")]


def test_lines_of_one_text_are_kept_apart() -> None:
    stored = [*lines("milk", done=("milk",)), *lines("milk", "tea")]
    found = answered(ask("add rye bread to the pantry", stored), ["milk", "rye bread"])
    assert after(found) == [("milk", True), ("milk", False), ("tea", False), ("rye bread", False)]


def test_what_was_left_as_it_was_is_said() -> None:
    found = answered(ask("we have eggs"), [{"text": "eggs", "done": True}, {"text": "tea", "done": True}])
    assert found.answers == [
        "I left “tea”, “ham”, “rice” and “flour” on “pantry” as they were: your message does not ask for more."
    ]


KEEPING = (
    "tick off eggs and tea on the pantry list",
    "cross off the ham",
    "check rice off the pantry list",
    "mark everything in the pantry as done",
    "we have the flour",
    "add ham and butter to the pantry",
    "don't forget the eggs",
    "rename the pantry to larder",
    "move tea to the top of the pantry",
    "what is in the pantry?",
    "thanks",
    "eggs, tea, ham, rice and flour",
    "i am off to buy eggs and tea",
    "stop, i have tea already",
)
DROPPING = ("scrap the ham", "we need butter, scrap the ham", "add butter and delete the ham but keep the tea")


@pytest.mark.parametrize("words", DROPPING)
def test_a_line_that_is_named_with_a_word_for_taking_it_away_goes_at_once(words: str) -> None:
    found = answered(ask(words), [line for line in lines(*PANTRY) if line["text"] != "ham"])
    assert after(found) == [(text, False) for text in PANTRY if text != "ham"]
    assert not any(proposal.hold for proposal in found.proposals)


REMOVING = ("take the ham off the pantry list", "remove ham from the pantry", "delete the ham from my pantry list")
TEXTS = st.sampled_from([*PANTRY, "butter", "oat milk", "Eggs", "green tea", "ham (done)", "", "x" * 600])
ENTRIES: st.SearchStrategy[Any] = st.one_of(
    TEXTS,
    st.fixed_dictionaries({"text": TEXTS}, optional={"done": st.booleans()}),
    st.sampled_from([None, 5, {}, [], {"done": True}, {"text": None}]),
)
ANSWERS: st.SearchStrategy[Any] = st.one_of(
    st.lists(ENTRIES, max_size=8),
    st.permutations(PANTRY),
    st.lists(st.sampled_from(PANTRY), unique=True),
    st.sampled_from([None, "", "eggs", 7, {"text": "eggs"}]),
)
STORED = st.lists(st.sampled_from([*PANTRY, "tea"]), min_size=1, max_size=7)
OTHERS = st.sampled_from([{}, {"summary": "larder"}, {"status": "completed"}, {"category": "note"}, {"content": ""}])
NO_HURRY = settings(max_examples=150, deadline=None)


def applied(found: Proposed, said: Ask) -> list[str]:
    """The lines of the list once the ledger has what did not have to wait for a yes."""
    return asyncio.run(_applied(found, said))


async def _applied(found: Proposed, said: Ask) -> list[str]:
    store = InMemoryStore()
    ledger, note = StoreLedger(lambda: store), said.records.notes[0]
    kept = Proposal(
        op="create",
        kind="note",
        record_id=note.id,
        fields=note.model_dump(mode="json", include={"category", "summary", "items"}),
    )
    for number, proposals in enumerate(([kept], found.proposals)):
        batch = Batch(
            user_id="u", origin=str(number), agent="update_notes", proposals=proposals, at=AT, timezone="Europe/Lisbon"
        )
        await ledger.apply(batch)
    now = await store.aget(namespace("note", "u"), note.id)
    return [] if now is None or now.value["status"] == "archived" else [line["text"] for line in now.value["items"]]


@NO_HURRY
@given(st.sampled_from(KEEPING), STORED, st.lists(ANSWERS, min_size=1, max_size=3), OTHERS)
def test_no_line_goes_that_nobody_asked_to_go(
    words: str, stored: list[str], answers: list[Any], others: dict[str, Any]
) -> None:
    said = ask(words, stored)
    assert Counter(stored) <= Counter(applied(answered(said, *answers, **others), said))


@NO_HURRY
@given(st.sampled_from(REMOVING), STORED, ANSWERS)
def test_only_the_line_that_was_named_goes(words: str, stored: list[str], answer: Any) -> None:
    said = ask(words, stored)
    assert Counter(text for text in stored if text != "ham") <= Counter(applied(answered(said, answer), said))


@pytest.mark.parametrize("words", KEEPING)
@pytest.mark.parametrize(
    "wish", [Wish("delete", "note", "note-1"), Wish("update", "note", "note-1", {"status": "archived"})]
)
def test_a_list_does_not_go_for_its_lines(words: str, wish: Wish) -> None:
    said = ask(words)
    plain = asyncio.run(BUILT_IN.propose("update_notes", said))
    found = settled(held_to_words([wish], said, plain)[0], said, plain.proposals)
    assert applied(found, said) == list(PANTRY)


@pytest.mark.parametrize("words", ["delete the pantry list", "get rid of the pantry"])
def test_a_list_goes_by_its_name(words: str) -> None:
    said = ask(words)
    plain = asyncio.run(BUILT_IN.propose("update_notes", said))
    found = settled([Wish("delete", "note", "note-1")], said, plain.proposals)
    assert [(item.op, item.hold) for item in found.proposals] == [("delete", "")]


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        yield server


async def test_ticking_four_of_five_lines_keeps_all_five(database: Database, models: ScriptedModelServer) -> None:
    begin, tick = "pantry list: eggs, tea, ham, rice, flour", "eggs, tea, ham and rice of the pantry are ticked"
    script = {
        begin: {"update_notes": [Call("Note", {"category": "list", "summary": "pantry", "items": list(PANTRY)})]},
        tick: {"update_notes": [patch("pantry", items=["flour"])]},
    }
    models.script("/chat/completions", model(script))
    async with turn_server(database, mind_at(models)) as server:
        await server.say(begin)
        turn = await server.say(tick)
        assert await server.changes(turn) == []
    assert "I left “eggs”, “tea”, “ham” and “rice” on “pantry” as they were" in reply_of(turn)


def test_lines_that_go_are_said() -> None:
    before, now = lines("eggs", "tea", "flour"), lines("flour", "butter")
    row = Change(
        id="1", cursor=1, turn_id=None, agent="a", seq=0, op="update", kind="note", record_id="n", title="pantry",
        fields={"items": now}, before={"items": before}, after={"items": now}, status="applied", created_at=AT,
    )  # fmt: skip
    assert claim_sentence(row, AT) == "“pantry” now has flour and butter; eggs and tea are off it."


async def test_a_question_about_a_list_names_the_lines_that_would_go(
    database: Database, models: ScriptedModelServer
) -> None:
    begin, scrap = "pantry list: eggs, tea, ham, rice, flour", "we no longer want ham in this house, so scrap it"
    script = {
        begin: {"update_notes": [Call("Note", {"category": "list", "summary": "pantry", "items": list(PANTRY)})]},
        scrap: {"update_notes": [patch("pantry", items=["flour"])]},
    }
    models.script("/chat/completions", model(script))
    async with turn_server(database, mind_at(models)) as server:
        await server.say(begin)
        turn = await server.say(scrap)
        assert [row.status for row in await server.changes(turn)] == ["needs_confirmation"]
    assert "shall I change “pantry” so that ham is off it?" in reply_of(turn)
