"""Whether a clause's reading may act: only where a trained reader agrees and its words are explained.

A wrong change costs ten questions. So a reading acts if the frame that the words alone suggest is its own, or has an
imperative to stand on, and no word, time or piece of a title is left unexplained. Otherwise it is asked about, with
the best reading that there is, or left out and named where the words most probably ask for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from agents.contract import Proposal
from agents.phrases import quoted
from agents.policies import policy_of
from agents.time import find_times
from agents.understanding import alternatives, floor, judge
from agents.understanding.discourse.surplus import SURE, left_over, names_another
from agents.understanding.grammar import patterns_of
from agents.understanding.model.frames import Frame, frame_chances, frames_of
from agents.understanding.references import alike, mentioned, words_of
from agents.understanding.requests import tasks
from agents.understanding.requests.asides import NEED
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.slots.slots import TAIL_REASON, WORD
from agents.understanding.text.clauses import Clause, split
from agents.understanding.text.filler import trim
from agents.understanding.text.statements import is_statement
from agents.understanding.text.verbs import is_verb

LIKELY, SURELY_NOT, TALK = 0.4, 0.1, 0.8
"""Probabilities: of its frame, from which on a reading is agreed with, below which it is left out; of mere talk."""
SPARE = 1
"""So many words of a correction may be left over: people say more than they need."""
OUTRIGHT = 0.9
"""What it counts that the words name what is to be done."""
NAMED: dict[Frame, frozenset[str]] = {
    "note": frozenset("note notes idea thought question save jot".split()),
    "list": frozenset("list untick tick add".split()),
    "remind": frozenset("remind alarm wake ping nudge".split()),
    "book": frozenset("book schedule calendar diary".split()),
    "remove": frozenset("archive delete remove cancel stop turn make".split()),
    "complete": frozenset("complete done finished tick cross check mark".split()),
    "edit": frozenset(
        "move change rename reschedule snooze postpone update set mark make untag tag cancel skip".split()
    ),
    "profile": frozenset("my hobbies interests".split()),
    "rule": frozenset("always never whenever rule".split()),
}
"""The word that names a frame, among the first words of a clause."""
FIRST = 4
JUNK: frozenset[Frame] = frozenset({"add", "book"})
ASKING = frozenset("add put list remind book schedule note task".split())
LEVELS = ("priority", "difficulty")
LEVELLED: frozenset[Frame] = frozenset({"add", "edit", "remove"})
TIMED: frozenset[Frame] = frozenset({"add", "remind", "book", "edit"})
KIN: dict[Frame, tuple[Frame, ...]] = {
    "add": ("add", "remind"),
    "remind": ("remind", "add"),
    "book": ("book",),
    "edit": ("edit",),
    "list": ("list", "note", "complete", "remove"),
    "note": ("note", "list"),
}
"""The frames whose probabilities count for another: they come to much the same."""
P = patterns_of(__name__)
MOST_READ = 600
LONG_TALK, SURE_TALK = 8, 0.9
"""Words of a message, and its probability, from which on it may be talk as a whole."""
LONG_NAME = 5


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a reading: how probable its frame is, how probable mere talk, and what it leaves unexplained."""

    likely: float
    talk: float
    unexplained: bool

    @property
    def acts(self) -> bool:
        """Whether it may act without a question."""
        return self.likely >= LIKELY and not self.unexplained


def checked(pairs: Sequence[tuple[Clause, Share]], scene: Scene) -> list[tuple[Clause, Share]]:
    """The readings that may act, and in place of the others a question, or that their words were not used."""
    found: list[tuple[Clause, Share]] = []
    for clause, share in pairs:
        if len(clause.text) > MOST_READ:
            found.append((clause, share))
        elif not share.proposals:
            found.append((clause, alternatives.instead(share, clause, scene) or share))
        elif not _weighable(share):
            found.append((clause, share))
        else:
            _weigh(clause, alternatives.tidied(share, clause, scene), found, scene)
    return found


def _weigh(clause: Clause, share: Share, found: list[tuple[Clause, Share]], scene: Scene) -> None:
    """Add a reading to those found: as it is, as a question, as a detail of the one before it, or as not used."""
    seen = evidence(clause, share, scene)
    if seen.acts:
        found.append((clause, share))
        return
    detailed = alternatives.with_details(found[-1][1], clause, scene) if found else None
    if detailed is not None:
        found[-1] = (found[-1][0], detailed)
    elif seen.likely < SURELY_NOT and seen.talk >= TALK and _junk(clause, share):
        found.append((clause, _left_out(clause, found)))
    else:
        found.append((clause, _asked(clause, share, scene)))


def _junk(clause: Clause, share: Share) -> bool:
    """Whether what was read is something new that no word asks for."""
    needed = NEED.search(clause.text) is not None
    return not needed and set(frames_of(share)) <= JUNK and not ASKING.intersection(WORD.findall(clause.text.lower()))


def _all_talk(scene: Scene) -> bool:
    """Whether a whole message reads as talk: long, for nobody's need, and about no time and nothing stored."""
    text = scene.ask.text
    if not LONG_TALK <= len(text.split()) <= MOST_READ or NEED.search(text) or frame_chances(text)["talk"] < SURE_TALK:
        return False
    return not find_times(text, scene.clock) and not mentioned(text, scene.items("todo", "event", "note"))


def _weighable(share: Share) -> bool:
    """Whether a reading is one of the words alone: neither an undo nor what was asked about already."""
    return not any(item.op == "undo" or item.hold or item.agreed or item.confirms for item in share.proposals)


def evidence(clause: Clause, share: Share, scene: Scene) -> Evidence:
    """What speaks for a reading of a clause, independent of the rules that made it."""
    chances, frames = frame_chances(clause.text), frames_of(share)
    likely = max(sum(chances[kin] for kin in KIN.get(name, (name,))) for name in frames)
    named = _named(clause.text, frames)
    another = not named and set(frames) == {"add"} and alternatives.of_another(share, clause, scene)
    if named or _said_outright(clause, share, frames, scene):
        likely = max(likely, OUTRIGHT)
    unexplained = another or any(alternatives.glued(item, clause.text) or _two(item) for item in share.proposals)
    unexplained = unexplained or _undecided(clause, share, scene) or (_junk(clause, share) and _all_talk(scene))
    unexplained = unexplained or _lost_level(clause, share, scene) or _lost_time(clause.text, share, scene)
    return Evidence(likely, chances["talk"], unexplained)


def _named(text: str, frames: Sequence[Frame]) -> bool:
    """Whether one of the first words is a frame's own."""
    first = set(WORD.findall(trim(text).lower())[:FIRST])
    return any(first & NAMED.get(name, frozenset()) for name in frames)


def _said_outright(clause: Clause, share: Share, frames: Sequence[Frame], scene: Scene) -> bool:
    """Whether the words say what is to be done: a new task by its verb or its details, a rule by being one of code."""
    text = trim(clause.text)
    if set(frames) == {"rule"}:  # words that compile to a rule of code say what is to be done
        return all(policy_of(str(item.fields.get("text", ""))) for item in share.proposals)
    return set(frames) <= {"add", "remind"} and (_imperative(text) or _detailed(clause, scene))


def _imperative(text: str) -> bool:
    words = text.lower().split()
    return len(words) > 1 and is_verb(words[0]) and not P.TO_ME.match(text)


def _detailed(clause: Clause, scene: Scene) -> bool:
    """Whether words have the details that only a task has: a deadline named as one, or two of its levels."""
    slots = tasks.filled(clause.text, scene, clause)
    due = judge.P.DUE.search(clause.text) is not None and slots.when is not None
    known = is_statement(clause.text) or mentioned(slots.title, scene.items("todo", "event"))
    return not known and due + len(slots.levels()) > 1


def _undecided(clause: Clause, share: Share, scene: Scene) -> bool:
    """Whether an item that an open question is about would change by words that do not tell it from the others of it."""
    pending, said = scene.ask.pending, words_of(clause.text)
    asked = {one.record_id for some in (pending.options, pending.proposals) for one in some} if pending else set()
    stored = scene.items("todo", "event", "note") if asked else ()
    names = {one.id: set(words_of(one.title)) for one in stored if one.id in asked}
    shared = [word for word, count in Counter(chain(*names.values())).items() if count > 1]
    own = [names[item.record_id].difference(shared) for item in share.proposals if item.record_id in names]
    return any(not any(alike(word, heard) >= SURE for word in name for heard in said) for name in own)


def _lost_level(clause: Clause, share: Share, scene: Scene) -> bool:
    """Whether a priority or difficulty was said that no field has."""
    if not LEVELLED.issuperset(frames_of(share)):
        return False
    said = tasks.filled(clause.text, scene, clause).levels()
    return any(name in said and not any(name in item.fields for item in share.proposals) for name in LEVELS)


def _lost_time(text: str, share: Share, scene: Scene) -> bool:
    """Whether a clock time in the words is in no field, and not what a stored item has now."""
    known = " ".join(_texts(share, scene))
    if not known or not TIMED.issuperset(frames_of(share)):
        return False
    said = [found for found in find_times(text, scene.clock) if found.timed and not P.RELATIVE.search(found.text)]
    moments = [moment for found in said if found.kind in ("point", "interval") for moment in (found.start,) if moment]
    return any(f"T{one.hour % 12:02}:" not in known for one in moments if one > scene.now)


def _texts(share: Share, scene: Scene) -> Iterator[str]:
    """The clock times of what is proposed and of what it changes, on a dial of twelve hours."""
    for item in share.proposals:
        values = [value for value in item.fields.values() if isinstance(value, str) and P.INSTANT.match(value)]
        moments = [datetime.fromisoformat(value) for value in values]
        for stored in scene.items("todo", "event") if item.record_id else ():
            if stored.id == item.record_id:
                moments += [value for value in vars(stored.record).values() if isinstance(value, datetime)]
        for moment in moments:
            local = moment.astimezone(scene.clock.zone) if moment.tzinfo else moment
            yield f"T{local.hour % 12:02}:{local.minute:02}"


def going_on(share: Share, said: str, scene: Scene) -> Share:
    """A correction, a follow-up or an answer, held for a yes where it leaves words over or names another stored thing."""
    made = share.proposals
    if not made or len(said) > MOST_READ or not _weighable(share):
        return share
    plain = TAIL_REASON.sub("", said)
    doubtful = len(left_over(plain, made, scene)) > SPARE or names_another(plain, made, scene)
    doubtful = doubtful or any(_two(item) or _run_together(item, said, scene) for item in made)
    return alternatives.held(share) if doubtful else share


def _run_together(item: Proposal, said: str, scene: Scene) -> bool:
    """Whether a name took in what follows it in the words: a reason, a time, or a wish of its own."""
    lines = [line.get("text", "") for line in item.fields.get("items", []) if isinstance(line, dict)]
    names = [str(item.fields.get(name) or "") for name in ("task", "title", "location")]
    return any(_goes_too_far(_new(name.split(), said.lower()), scene) for name in (*names, *lines))


def _new(name: Sequence[str], said: str) -> str:
    """The end of a name as it was said just now."""
    ends = (" ".join(name[at:]) for at in range(len(name)))
    return next((end for end in ends if end.lower() in said), "")


def _goes_too_far(new: str, scene: Scene) -> bool:
    size = len(new.split())
    if size < 2 or TAIL_REASON.search(new):
        return size > 1
    listed = size > LONG_NAME and any(sign in new for sign in (", ", ". ", " and "))
    return listed or bool(find_times(new, scene.clock)) or len(split(new, scene.clock)) > 1


def _two(item: Proposal) -> bool:
    """Whether a title goes on after the end of a sentence: the second one was a wish of its own."""
    return any(P.SENTENCES.search(str(item.fields.get(name) or "")) for name in ("task", "title"))


def _asked(clause: Clause, share: Share, scene: Scene) -> Share:
    """The best reading, held for a yes."""
    better = alternatives.better(share, clause, scene)
    return alternatives.held(replace(share, proposals=(better or share).proposals))


def _left_out(clause: Clause, before: Sequence[tuple[Clause, Share]]) -> Share:
    """That words which ask for nothing were not used."""
    said = quoted(clause.text.strip())
    if any(other.proposals for _, other in before):
        return answer(clause.text, f"I made no use of {said}.")
    return Share(note=f"{floor.NOTHING}: I took {said} as said in passing.")
