"""Answers from lists, notes, the profile and the standing instructions."""

from __future__ import annotations

import re

from agents.phrases import NOT_IN_NOTES, quoted, say_count, say_list
from agents.policies import standing_of
from agents.records import Note, Profile
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item, mentioned, words_of
from agents.understanding.requests.lists import find_lists, lists, name_of, shopping_lists
from agents.understanding.requests.tasks import is_closed
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, lost
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

MOST = 15
P = patterns_of(__name__)


def list_lines(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """What stands on a list."""
    buying = "buying" in intent.parts
    found = shopping_lists(scene) or _to_buy(scene) if buying else find_lists(name_of(intent), scene)
    if not found and buying:
        return lost(clause.text)
    if not found and clause.text.lower().startswith("what ") and " need" in clause.text.lower():
        return lost(clause.text)
    if not found:
        return choose.none(f"{name_of(intent)} list".strip(), scene)
    return answer(clause.text, *[_lines(item) for item in found[:5]])


def _to_buy(scene: Scene) -> list[Item]:
    """Lists that are called after what is done with them: "things to buy for the flat"."""
    return [item for item in lists(scene) if P.TO_BUY.search(item.title)]


def _lines(item: Item) -> str:
    note = item.record
    assert isinstance(note, Note)  # noqa: S101 - lists are notes
    left = [line.text for line in note.items if not line.done]
    ticked = len(note.items) - len(left)
    extra = f" ({ticked} ticked off)" if ticked else ""
    return f"On {quoted(item.title)}: {say_list(left) if left else 'nothing'}{extra}."


def notes(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Which notes, ideas, thoughts, questions or lists there are."""
    category = intent.parts.get("category", "notes").lower().rstrip("s")
    active = [item for item in scene.items("note") if isinstance(item.record, Note) and item.record.status == "active"]
    found = (
        lists(scene)
        if category == "list"
        else [item for item in active if category in ("note", getattr(item.record, "category", ""))]
    )
    words = set(words_of(re.sub(r"^(?:about|on|for|regarding)\s+", "", intent.parts.get("rest", "")))) - set(
        words_of("do i have got there are about on open saved stored kept written down any my some")
    )
    found = [item for item in found if not words or words & set(words_of(text_of(item)))]
    if not found:
        return answer(clause.text, f"You have no {category}s{' about that' if words else ''}.")
    return answer(
        clause.text,
        f"You have {say_count(len(found), category)}: {'; '.join(text_of(item)[:200] for item in found[:MOST])}.",
    )


def text_of(item: Item) -> str:
    """All that a note says."""
    note = item.record
    if isinstance(note, Note):
        name = note.content or note.summary
        return f"{name}: {say_list([line.text for line in note.items])}".strip(": ") if note.items else name
    return item.title


def memory(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """What the notes say about a question; the search over memos belongs to the recall agent."""
    did = re.match(
        r"(?:(?:did|have) i\s+(?:already\s+|ever\s+)?|(?:is|are|was|were|has)\s+)(?P<rest>.{3,200})",
        clause.text,
        re.IGNORECASE,
    )
    known = mentioned(did["rest"], scene.items("todo")) if did else []
    if len(known) == 1:
        return answer(clause.text, f"{known[0].title} is {'done' if is_closed(known[0]) else 'still open'}.")
    _ = intent
    return recalled(clause, scene) or answer(clause.text, NOT_IN_NOTES)


ASKING = "write wrote written note noted save saved jot put down something anything somewhere what did does say mention which when where who why how was were had do did tell told about you remember ever think i me my know have got about want wanted make made do get"
LEAST = 2


def recalled(clause: Clause, scene: Scene) -> Share | None:
    """The notes that share most words with a question, two at least unless it has only one; None when there are none."""
    wanted = set(words_of(clause.text)) - set(words_of(ASKING))
    scored = [(len(wanted & set(words_of(text_of(item)))), item) for item in scene.items("note")]
    best = max((score for score, _ in scored), default=0)
    if best == 0 or best < min(LEAST, len(wanted)):
        return None
    return answer(clause.text, *[f"You noted: {text_of(item)}" for score, item in scored if score == best][:3])


def instructions(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """The standing instructions."""
    _ = intent
    known = scene.ask.records.instructions
    if not known:
        return answer(clause.text, "You have given me no standing instructions.")
    texts = [f"{quoted(item.text)} ({'enforced' if standing_of([item]) else 'advice'})" for item in known[:MOST]]
    more = f"; and {len(known) - MOST} more" if len(known) > MOST else ""
    return answer(clause.text, f"You have {say_count(len(known), 'standing instruction')}: {'; '.join(texts)}{more}.")


FIELDS = (
    (r"name|who", "name", "Your name is {}."),
    (r"job|profession|work|living", "job", "Your job: {}."),
    (r"location|city|live", "location", "You live in {}."),
    (r"college|university|school", "college", "You are at {}."),
    (r"course|major|degree|study", "course", "You study {}."),
    (r"interests|hobbies|into", "interests", "You are interested in {}."),
)


def profile(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """What the profile says."""
    asked = f"{intent.parts.get('field', '')} {clause.text}".lower()
    known = scene.ask.records.profile or Profile(id="profile", created_at=scene.now, updated_at=scene.now)
    field = (intent.parts.get("field") or intent.parts.get("where", "")).lower()
    wanted = [row for row in FIELDS if re.search(row[0], field)]
    if not wanted or "know about me" in asked:
        wanted = list(FIELDS)
    told = [sentence for _, name, form in wanted if (sentence := _fact(getattr(known, name), form))]
    facts = [f"{key}: {value}." for key, value in known.facts.items()] if len(wanted) > 1 else []
    unknown = "anything about yourself" if len(wanted) > 1 else "that"
    return answer(clause.text, *(told + facts or [f"You have not told me {unknown} yet."]))


def _fact(value: str | list[str] | None, form: str) -> str:
    return form.format(say_list(value) if isinstance(value, list) else value) if value else ""
