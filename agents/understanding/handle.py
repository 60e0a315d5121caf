"""One clause: its readings in order of trust, and the handler of the one that fits the words."""

from __future__ import annotations

from agents.time import impossible_time
from agents.understanding import bare as titles
from agents.understanding import judge
from agents.understanding.dialogue import complaints, skipping, smalltalk
from agents.understanding.grammar import patterns_of
from agents.understanding.handlers import HANDLERS
from agents.understanding.plausible import fits
from agents.understanding.questions import (
    availability,
    clashes,
    countdown,
    dates,
    doings,
    fitting,
    formerly,
    known,
    lacking,
    lines,
    overview,
    shown,
)
from agents.understanding.requests import (
    addenda,
    altered,
    asides,
    breakdown,
    briefings,
    bulk,
    called_off,
    convert,
    filing,
    instructions,
    list_changes,
    list_names,
    list_talk,
    list_ticks,
    lists,
    new_list,
    news,
    note_changes,
    notes,
    placing,
    profile,
    remarks,
    reopening,
    repeating,
    residue,
    series_end,
    several_lists,
    shifted,
    swapping,
    tasks,
    terse,
    timers,
)
from agents.understanding.scene import Scene
from agents.understanding.share import Share, lost
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import Intent, read
from agents.understanding.text.standing import is_standing
from agents.understanding.text.verbs import EVENT_NOUNS, is_verb

BEFORE_ALL = (
    skipping.taken,
    smalltalk.lone_yes,
    smalltalk.setting,
    complaints.complaint_answer,
    doings.recent_changes_answer,
    lacking.missing_field_answer,
    overview.overview_answer,
    reopening.kept,
    reopening.restored,
    formerly.former_value_answer,
    countdown.countdown,
    dates.date_answer,
    fitting.offered,
    availability.openings,
    addenda.addendum,
    remarks.noted,
    list_talk.talked,
    called_off.called_off_request,
    shifted.days,
    placing.placed,
    briefings.wanted,
    series_end.ended,
    bulk.together,
    filing.filed,
    skipping.another,
    convert.of_list,
    lists.idea_for,
    new_list.begun,
    lists.headed,
    timers.timer,
    breakdown.breakdown_request,
    clashes.conflicts_answer,
    several_lists.changed,
    list_ticks.got,
    list_changes.changed,
    swapping.swapped,
    note_changes.reworded,
    note_changes.note_change_request,
    profile.amended,
    profile.unsaid_i,
    shown.show,
    known.forgotten,
    known.known_facts,
    notes.identified,
    known.known_fact_answer,
    lines.list_lines_answer,
    repeating.changed,
    news.news,
    terse.moved,
    terse.becomes,
    residue.left_over,
)
P = patterns_of(__name__)
BARE = Intent("unknown", 0.6)


def handle(clause: Clause, scene: Scene) -> Share:
    """What a clause comes to; statements are remembered as what was told."""
    return altered.of_one(_handled(clause, scene), clause, scene)


def _handled(clause: Clause, scene: Scene) -> Share:
    greeting = P.GREETING.fullmatch(clause.text.strip())
    if greeting:
        return smalltalk.small_talk(Intent("small_talk", 0.9, {"greeting": greeting[0]}), clause.text, scene)
    text = trim(clause.text)
    plain = Clause(text, clause.context, clause.listed)
    first = next((share for read_as in FIRST if (share := read_as(plain, scene)) is not None), None)
    if first is not None:
        return first
    if only_told(text):
        return titles.bare_statement(text, scene)
    nowhere = impossible_time(text, scene.clock)
    if nowhere:
        return lost(nowhere)
    after = asides.afterwards(plain, scene)
    if after is not None:
        return after
    told = next((share for read_as in BEFORE_ALL if (share := read_as(plain, scene)) is not None), None)
    if told is not None:
        return told
    share = _read(plain, clause, scene)
    to_do = clause.listed and is_verb(text.partition(" ")[0].lower())
    asks_when = to_do and share.questions and not share.proposals
    return tasks.add(Intent("add_task", 0.8, {"rest": text}), plain, scene) if asks_when else share


def only_told(text: str) -> bool:
    """Whether words report what another said, imagine something, or deny that it is done."""
    told = P.REPORTED.search(text) or P.IMAGINED.match(text)
    return told is not None or (P.NEGATED.search(text) is not None and not P.LASTING.match(text))


def _standing(clause: Clause, scene: Scene) -> Share | None:
    """A rule from now on, unless the words only tell of one stored thing: "the proofread is top priority"."""
    if not is_standing(clause.text):
        return None
    about_one = None if P.LASTING_WORDS.search(clause.text) else news.news(clause, scene)
    about_one = about_one or repeating.changed(clause, scene)
    return about_one or instructions.create(Intent("instruction", 0.9), clause, scene)


FIRST = (instructions.dropped, _standing, reopening.not_done)


def _read(plain: Clause, clause: Clause, scene: Scene) -> Share:
    """What the readings of a clause come to, the most specific first; ``plain`` is it without polite words."""
    for intent in _preferred(readings(plain), plain, scene):
        share = HANDLERS[intent.name](intent, plain, scene)
        if not share.unclear or intent.name in ("add_task", "remind", "note"):
            return judge.weighed(share, intent, clause, scene)
    if plain.text != trim(clause.text):
        return tasks.add(Intent("add_task", 0.8, {"rest": plain.text}), plain, scene)
    share = shown.missing(plain, scene) or judge.weighed(titles.bare(plain, scene), BARE, clause, scene)
    return (judge.rescued(clause, scene) if share.unclear else None) or share


def readings(clause: Clause) -> list[Intent]:
    """The readings worth trying, the most specific first."""
    text = trim(clause.text)
    found = [intent for intent in read(text) if intent.name in HANDLERS]
    found = [intent for intent in found if fits(intent, clause.text)]
    plain = [intent for intent in found if intent.name not in ("out_of_scope", "small_talk")]
    return [*plain, *[intent for intent in found if intent not in plain]] if P.EXPLICIT.match(text) else found


def _preferred(found: list[Intent], clause: Clause, scene: Scene) -> list[Intent]:
    """Prefer the calendar for "add" and "put" with a clock time and the name of an appointment."""
    if P.CONVERTED.match(clause.text):
        found = sorted(found, key=lambda intent: intent.name != "convert")
    named_list = list_names.by_name(clause.text, scene)
    if named_list and not (
        found and found[0].name in ("list_add", "list_remove", "list_query", "remind", "instruction")
    ):
        return [named_list, *found]
    match = P.PUT.match(clause.text)
    if match is None or (found and found[0].name not in ("add_task", "list_add")):
        return found
    slots = tasks.filled(match["rest"], scene, clause)
    named = EVENT_NOUNS & set(slots.title.lower().replace("'s", "").split())
    when = slots.when
    put = clause.text.lower().startswith("put ") and not P.PUT_SOMEWHERE.match(clause.text) and when and when.day_said
    if (
        (named or put)
        and when
        and when.timed
        and when.role == "when"
        and not titles.imperative(slots.title.lower().split())
    ):
        return [Intent("schedule", 0.85, {"rest": match["rest"]}), *found]
    return found
