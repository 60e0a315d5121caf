"""Whether a change traces to the user's own words: text from records, memos or calendars never causes one by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from agents.contract import Proposal
from agents.ports import Ask
from agents.records import Kind
from agents.shown_words import merely_read, stems_in, texts_in
from agents.time.tokens import stem, tokenize
from agents.understanding.references import STOP, alike, items_of, words_of
from agents.understanding.text.clauses import split
from agents.understanding.text.verbs import TASK_VERBS

Origin = Literal["own", "paraphrase", "unsure", "foreign"]

OWN, UNSURE = 0.75, 0.4
"""Shares of a new item's telling words that the user must have said for it to be made, or at least to be offered."""
LEAST_SAID = 3
"""Telling words of a message that something may be made of which has none of them: "ok" stands for nothing else."""
THEIRS = 0.5
"""The share of a detail's telling words that makes it the user's."""
NAMED, NAMED_RULE = 0.3, 0.1
"""Shares of a stored title's telling words that name it; a rule is long, and named by a word or two."""
ASKING = re.compile(
    r"^\W*(?:so |and |ok |okay |hey |well )?(?:what|when|which|who|whom|whose|where|why|how|is|are|was|were|do|does|did|"
    r"am|have i|has|tell me|show|list|read|summari[sz]e|give me(?! (?:\w+ ){0,2}(?:more|extra|longer|until|till)\b)|remind me (?:what|which|who|where|how|of what))\b",
    re.IGNORECASE,
)
REQUESTING = re.compile(r"\b(?:can|could|would|will) you\b|\bplease\b|\bshould be\b", re.IGNORECASE)
GONE = re.compile(
    r"\b(?:del|delet\w*|nix|scratch|remov\w*|cancel\w*|drop\w*|eras\w*|clear\w*|rid|scrap\w*|trash\w*|bin|throw\w*|forget|wip\w*|"
    r"purg\w*|call\w* off|off|archiv\w*|away|no longer|don't|do not|not going|stop\w*|kill|strike|cross|undo)\b",
    re.IGNORECASE,
)
ALL = re.compile(r"\b(?:all|every|everything|both|overdue|rest|each|whole|any)\b", re.IGNORECASE)
POINTING = re.compile(
    r"\b(?:it|that|this|them|those|these|one|ones|same|again|first|second|third|last|latest|other|instead|next)\b",
    re.IGNORECASE,
)
CORRECTING = re.compile(r"^\W*(?:no|nope|sorry|ugh|oops|wait|actually)\b|\b(?:meant|wrong|i said)\b|^\*", re.IGNORECASE)
ADDRESS = re.compile(
    r"https?:|www\.|(?<![\w.])[\w.]+@\w|\d{5,}|\b\w+\.(?:com|net|org|io|ru|info|example|test)\b", re.IGNORECASE
)
MAIN: dict[Kind, tuple[str, ...]] = {
    "todo": ("task",),
    "event": ("title",),
    "note": ("content", "summary"),
    "instruction": ("text",),
    "profile": (),
    "memo": ("title",),
}
TIMES = frozenset({"deadline", "remind_at", "start", "end"})
FREE = frozenset({"notes", "list"})
SIDE = FREE | {"location", "tags", "items", "name", "job", "college", "course", "interests", "facts"}


def only_asks(text: str) -> bool:
    """Whether a message is nothing but questions: then nothing may change."""
    parts = [clause.text for clause in split(text)] or [text]
    return all(ASKING.match(part) and not REQUESTING.search(part) for part in parts)


def is_question(text: str) -> bool:
    """Return whether a message asks, by its mark or by how it begins, and requests nothing."""
    return only_asks(text) or (text.rstrip().endswith("?") and not REQUESTING.search(text))


def origin(proposal: Proposal, ask: Ask) -> Origin:
    """Where a change comes from: the user's own words, other words for them, perhaps them, or text merely read."""
    own = own_words(ask)
    if only_asks(ask.words or ask.text):
        return "foreign"
    if proposal.op == "create":
        return _of_creation(proposal, own, ask)
    if not _names(proposal, own, ask):
        pointed = proposal.op == "complete" and POINTING.search(ask.words or ask.text)
        return "unsure" if pointed else "foreign"  # "I took it": asked about, with its name
    if proposal.op in ("delete", "archive") and not GONE.search(ask.words or ask.text):
        return "foreign" if ask.english else "unsure"
    return _of_edit(proposal, own, ask)


def without_foreign(proposal: Proposal, ask: Ask) -> Proposal:
    """The proposal without details that the user did not say: places, notes, entries and steps read elsewhere."""
    own = own_words(ask)
    known = [*own, *_known_words(proposal, ask)]
    kept = proposal.fields.keys() & {"items"} if proposal.op == "update" else ()  # judged line by line before
    fields = {
        name: value if name in kept else _kept(name, value, known, ask) for name, value in proposal.fields.items()
    }
    told = {name: value for name, value in fields.items() if value is not None or proposal.fields[name] is None}
    return proposal.model_copy(update={"fields": told})


def covered(text: str, own: Sequence[str]) -> float:
    """The share of a text's telling words that the user said; a leading verb may be the model's."""
    words = [word for word in words_of(text) if word not in STOP] or words_of(text)
    first = next((token.text for token in tokenize(text)), "")
    if len(words) > 1 and first in TASK_VERBS and words[0] == stem(first):
        words = words[1:]
    hits = sum(any(alike(word, other) for other in own) for word in words)
    return hits / len(words) if words else 0.0


def said_by_user(text: str, own: Sequence[str], said: str) -> bool:
    """Whether a text is at least for a good part the user's; one without words, such as a sign, as it stands in theirs."""
    return covered(text, own) >= THEIRS or (not words_of(text) and text.strip() in said)


def own_words(ask: Ask) -> list[str]:
    """The stems of what the user said; of earlier messages too where this one points back."""
    said = ask.words or ask.text
    waiting = ask.pending.text if ask.pending else ""
    earlier = " ".join(exchange.said for exchange in ask.recent[-2:]) if POINTING.search(said) else ""
    return stems_in([said, waiting, earlier])


def _of_creation(proposal: Proposal, own: Sequence[str], ask: Ask) -> Origin:
    texts = [str(proposal.fields[name]) for name in MAIN[proposal.kind] if proposal.fields.get(name)]
    if proposal.kind == "profile":
        return "own"
    if not texts:
        return "own" if proposal.fields.get("items") else "unsure"
    share = min(covered(text, own) for text in texts)
    if share < UNSURE and POINTING.search(ask.words or ask.text):
        lately = stems_in([change.title for change in ask.recent_changes])
        share = max(share, min(covered(text, lately) for text in texts))
    if share < OWN and proposal.kind != "instruction" and not any(merely_read(text, own, ask) for text in texts):
        return "own" if share >= UNSURE else "paraphrase" if _could_mean(texts, ask) else "foreign"
    return "own" if share >= OWN else "unsure" if share >= UNSURE else "foreign"


def _could_mean(texts: Sequence[str], ask: Ask) -> bool:
    """Whether other words could stand for what was said: it says something, and no address comes from nowhere."""
    said = ask.words or ask.text
    addresses = [found[0] for text in texts for found in ADDRESS.finditer(text)]
    telling = [word for word in words_of(said) if word not in STOP]
    return len(telling) >= LEAST_SAID and all(address in said for address in addresses)


def _of_edit(proposal: Proposal, own: Sequence[str], ask: Ask) -> Origin:
    known = [*own, *_known_words(proposal, ask)]
    texts = [proposal.fields[name] for name in MAIN[proposal.kind] if isinstance(proposal.fields.get(name), str)]
    share = min((covered(text, known) for text in texts if text), default=1.0)
    return "own" if share >= OWN else "unsure" if share >= UNSURE else "foreign"


def _names(proposal: Proposal, own: Sequence[str], ask: Ask) -> bool:
    """Whether the user's words name the record: by its title, by pointing at what was just talked about, or all."""
    if proposal.kind == "profile" or ALL.search(ask.words or ask.text):
        return True
    item = next((item for item in items_of(ask.records, proposal.kind) if item.id == proposal.record_id), None)
    if item is None:
        return True  # the ledger says that there is no such record
    least = NAMED_RULE if item.kind == "instruction" else NAMED
    if set(proposal.fields) == {"items"} or covered(f"the {item.title}", own) >= least:
        return True  # the lines of a list are judged one by one
    said, replies = ask.words or ask.text, (exchange.replied.lower() for exchange in ask.recent)
    if not any(change.record_id == item.id for change in ask.recent_changes):
        return POINTING.search(said) is not None and any(item.title.lower() in reply for reply in replies)
    timed = bool(proposal.fields) and proposal.fields.keys() <= TIMES  # their words are the user's
    return timed or POINTING.search(said) is not None or CORRECTING.search(said) is not None


def _known_words(proposal: Proposal, ask: Ask) -> list[str]:
    records = [*ask.records.todos, *ask.records.events, *ask.records.notes, *ask.records.instructions]
    stored = next((record for record in records if record.id == proposal.record_id), None)
    stored = ask.records.profile if proposal.kind == "profile" else stored
    return stems_in(texts_in(stored.model_dump(mode="json", exclude={"source", "id"}))) if stored else []


def _kept(name: str, value: Any, known: Sequence[str], ask: Ask) -> Any:
    """A field's value as far as the user said it; None when nothing of it is theirs."""
    if name == "solutions" and isinstance(value, list):
        said = ask.words or ask.text
        return [step for step in value if not ADDRESS.search(str(step)) or str(step) in said]
    if name not in SIDE:
        return value
    if isinstance(value, list):
        return [item for item in value if _theirs(item, known)] or None
    if isinstance(value, dict):
        return {key: item for key, item in value.items() if _theirs(item, known)} or None
    paraphrased = name in FREE and not (ADDRESS.search(str(value)) or merely_read(str(value), known, ask))
    return value if paraphrased or _theirs(value, known) else None


def _theirs(value: Any, known: Sequence[str]) -> bool:
    text = str(value.get("text", "") if isinstance(value, dict) else value)
    return said_by_user(text, known, text)
