"""Whether the title of something new says what it is about: "do you", "admit" and "get at least two" name nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agents.contract import Proposal
from agents.phrases import quoted
from agents.time.lexicon import CARDINALS, SUBJECTS, VAGUE
from agents.understanding.questions.shown import NOT_NAMES
from agents.understanding.references import ONE_TO_ONE
from agents.understanding.requests.asides import NEED
from agents.understanding.requests.tasks import NO_TASK
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots.slots import FILLING, WORD
from agents.understanding.text.dated import LOOSE, PLACED
from agents.understanding.text.measures import COUNTS
from agents.understanding.text.sentences import quotes
from agents.understanding.text.unjoined import GOES_BEFORE, OBJECTS, PARTICLES
from agents.understanding.text.verbs import COMMAND_VERBS, EVENT_NOUNS, WHOLE_DAY_NOUNS, is_verb

EMPTY = GOES_BEFORE | FILLING | LOOSE | NOT_NAMES | SUBJECTS | COUNTS | VAGUE | NO_TASK
POINTERS = (OBJECTS & NOT_NAMES) | PARTICLES | PLACED
TITLES = ("task", "title", "content", "summary")
DATED = frozenset({"start", "deadline", "remind_at", "recurrence"})


def titled(share: Share, scene: Scene) -> Share:
    """The share without new items that name nothing; one with a verb or a time is held until the user says yes."""
    said = share.text.strip() or scene.ask.text
    waiting = [
        question
        for question in share.questions
        if all(says_what(item, said, scene, asked=True) for item in question.pending.proposals)
    ]
    made = [item if says_what(item, said, scene) else _held(item) for item in share.proposals]
    kept = [item for item in made if item is not None]
    if len(waiting) + len(kept) < len(share.questions) + len(share.proposals):
        share = replace(share, unclear=[*share.unclear, said])
    return replace(share, proposals=kept, questions=waiting)


def says_what(draft: Proposal, said: str, scene: Scene, *, asked: bool = False) -> bool:
    """Whether a proposal, if it makes something new, says what: by a word that a verb governs, or by a verb and a time.

    ``asked``: the user is asked for the time.
    """
    title = _title(draft)
    if draft.op != "create" or not title or draft.agreed or draft.confirms or draft.fields.get("items"):
        return True
    if any(title in scene.ask.text[start:end] for start, end in quotes(scene.ask.text)):
        return True
    words = WORD.findall(title)
    verb = _governing(words, said)
    if any(_telling(word, first=at == 0) for at, word in enumerate(words) if at >= verb) or _occasion(draft, title):
        return True
    if draft.kind == "note" and any(map(str.isdigit, title)):
        return True
    if not _deed(draft):
        return False
    alone = len(words) == 1 and not (said.lower().startswith(title.lower()) or NEED.search(said))
    talked = len(words) > 1 and (bool(scene.ask.recent) or len(scene.before) > 1)
    return asked or alone or talked or bool(DATED & draft.fields.keys())


def _held(draft: Proposal) -> Proposal | None:
    """The draft, held for a yes where it has a verb or a time; None where nothing of it is worth a question."""
    if not (_deed(draft) or DATED & draft.fields.keys()):
        return None
    why = f"nothing is changed yet, as {quoted(_title(draft))} does not say what it is"
    return draft.model_copy(update={"hold": why})


def _title(draft: Proposal) -> str:
    return str(next((draft.fields[name] for name in TITLES if draft.fields.get(name)), ""))


def _governing(words: Sequence[str], said: str) -> int:
    """How many of the first words are the verb: one that is known, or any that "I have to" stands before."""
    need = NEED.search(said)
    after = [word for word in WORD.findall(said[need.end() :]) if word.lower() not in EMPTY] if need else []
    return int(bool(words) and (is_verb(words[0].lower()) or after[:1] == words[:1]))


def _telling(word: str, *, first: bool) -> bool:
    """Whether a word names something; a capital that is not the title's first letter tells a name, such as Will."""
    plain = word.lower().partition("'")[0]
    named = word.istitle() and len(plain) > 1 and not first
    return named or not (plain in EMPTY or plain in CARDINALS or plain.isdigit())


def _occasion(draft: Proposal, title: str) -> bool:
    """Whether a title is the word of an occasion that may also be a verb, a preposition or a number: "review", "1:1"."""
    named = (EVENT_NOUNS | WHOLE_DAY_NOUNS) & set(title.lower().split())
    return draft.kind == "event" and (bool(named) or ONE_TO_ONE.search(title) is not None)


def _deed(draft: Proposal) -> bool:
    """Whether a title is a verb alone, or with what it points at, and no word of request: "stretch", "text her", "check in"."""
    verb, *rest = [word.lower() for word in WORD.findall(_title(draft))] or [""]
    if not is_verb(verb) or verb in NO_TASK or not POINTERS.issuperset(rest):
        return False
    return verb not in COMMAND_VERBS or draft.fields.get("kind") == "reminder" or not OBJECTS.issuperset(rest)
