"""Tasks, reminders and habits: creating them, and ticking, reopening, archiving and snoozing the ones there are."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from agents.contract import Op, Proposal
from agents.ledger.duplicates import ANOTHER
from agents.ledger.transitions import differing
from agents.phrases import quoted
from agents.records import Kind, ToDo
from agents.time import Found, find_times, merged
from agents.timers import has_rung
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, pointed, told
from agents.understanding.items.anchors import anchored, hanging
from agents.understanding.items.lately import covers
from agents.understanding.references import Item, words_of
from agents.understanding.requests.setting_out import before_leaving
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change, lost
from agents.understanding.slots import forms
from agents.understanding.slots.labels import labels_in
from agents.understanding.slots.occasions import keep_feast, with_pronoun
from agents.understanding.slots.slots import Slots, fill, tidy
from agents.understanding.steps import steps_for
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import Intent
from agents.understanding.text.sentences import quotes
from agents.understanding.text.verbs import is_verb

P = patterns_of(__name__)
DOING = frozenset(words_of("do finish complete sort"))
NO_TASK = frozenset("do|make|have|try|make sure|be sure|see to it".split("|"))


def filled(text: str, scene: Scene, clause: Clause, *, place: bool = False) -> Slots:
    """Slots of a clause with times that belong together joined."""
    text = anchored(_ranges(text, clause), scene)
    unknown = hanging(text, scene)
    slots = fill(text, scene.clock, place=place, heading=clause.context, untimed=unknown)
    keep_feast(slots)
    slots.times = merged(slots.times, scene.clock)
    if unknown and not any(found.day_said for found in slots.times):
        slots.times = []
    return slots


def _ranges(text: str, clause: Clause) -> str:
    """Under a heading with a day, "14-16" is from 14 to 16 o'clock."""
    if not (clause.context and find_times_in(clause.context)):
        return text
    return P.LAST_HOUR.sub(" at", P.LONE_HOUR.sub("at ", P.NUMERIC_RANGE.sub(r"from \1 to \2", text)))


def add(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """New tasks; "add: a, b" makes one of each."""
    parts_said = (intent.parts.get("hint", ""), intent.parts.get("rest", clause.text), intent.parts.get("lead", ""))
    text = " ".join(part for part in parts_said if part).strip()
    parts = _listed(text, clause)
    if len(parts) > 1 and all(filled(part, scene, clause).title for part in parts):
        return change(clause.text, *[one(filled(part, scene, clause), clause) for part in parts])
    each = _each_quoted(text)
    if each:
        return change(clause.text, *[one(filled(part, scene, clause), clause) for part in each])
    labels = labels_in(text)
    slots = filled(labels.rest, scene, clause)
    slots.without_labels()
    before_leaving(slots, scene)
    if not slots.title or P.A_TASK.fullmatch(slots.title) or slots.title.lower() in NO_TASK:
        bare = Proposal(op="create", kind="todo", fields=details(slots), reason="you asked for it")
        return (
            choose.ask("rephrase", "What is the task?", [bare], scene)
            if P.TASK_NOUN.search(clause.text)
            else lost(clause.text)
        )
    wanted = one(slots, clause)
    return _known_already(wanted, clause, scene) or change(
        clause.text, wanted.model_copy(update={"fields": wanted.fields | labels.fields})
    )


def _each_quoted(text: str) -> list[str]:
    """Several tasks in quotes, each with the words after them: "add 'a' and 'b' for tomorrow"; empty for fewer than two."""
    spans = quotes(text)
    gaps = [text[end:start] for (_, end), (start, _) in pairwise(spans)]
    if len(spans) < 2 or not all(P.JOINED.fullmatch(gap) for gap in gaps):
        return []
    return [f"{text[start:end]}{text[spans[-1][1] :]}" for start, end in spans]


def _listed(text: str, clause: Clause) -> list[str]:
    """The tasks after "add:", and after "todo:" if each begins with a verb."""
    head = P.LISTING.match(clause.text.strip())
    parts = [part for part in P.MANY.split(text) if part.strip()] if head else [text]
    if head and head["many"]:
        return [part for part in re.split(rf"{P.MANY.pattern}|\s+and\s+", clause.text[head.end() :]) if part.strip()]
    if head and head["when"] and ":" in text:
        return [f"{part.strip()} {head['when']}" for part in P.MANY.split(text.partition(":")[2]) if part.strip()]
    verbs = all(is_verb(part.split()[0].lower()) for part in parts)
    return parts if head and (verbs or head[0].lower().startswith("add")) else [text]


def _known_already(wanted: Proposal, clause: Clause, scene: Scene) -> Share | None:
    """A task of that very name is changed, not doubled; None when there is none, or when another one is asked for."""
    same = [item for item in scene.items("todo") if is_open(item) and _called(item, wanted.fields["task"])]
    same = same or _talked_of(wanted, scene)
    if len(same) != 1 or ANOTHER.search(clause.text):
        return None
    details = {name: value for name, value in wanted.fields.items() if name not in ("task", "solutions")}
    details = differing("todo", same[0].record.model_dump(mode="json"), details)
    if not details:
        return answer(clause.text, f"{quoted(same[0].title)} is on your tasks already, so I added nothing.")
    return change(clause.text, choose.propose(same[0], "update", details, "it was on your tasks already"))


def _talked_of(wanted: Proposal, scene: Scene) -> list[Item]:
    """The one open task just talked about that a bare name with details means: "venue by friday" of "book offsite venue"."""
    words = words_of(wanted.fields["task"])
    if not set(wanted.fields) & {"deadline", "priority", "time_to_complete", "recurrence"} or is_verb(
        words[0] if words else ""
    ):
        return []
    talked = [item for item in pointed.row(scene, ("todo",)) if item and is_open(item)] if scene.ask.recent else []
    return [item for item in talked if covers(item.title, words)]


def _called(item: Item, title: str) -> bool:
    return getattr(item.record, "kind", "") == "todo" and sorted(_telling(item.title)) == sorted(_telling(title))


def _telling(title: str) -> list[str]:
    """The words of a title without a verb that says no more than to do it: "do the tax return" is "tax return"."""
    words = words_of(title)
    return words[1:] if len(words) > 1 and words[0] in DOING else words


def one(slots: Slots, clause: Clause, kind: str = "todo") -> Proposal:
    """The proposal of one new task."""
    habit = kind == "todo" and re.search(r"\bhabit\b", clause.text, re.IGNORECASE)
    fields: dict[str, Any] = {"task": _title(slots, clause)} | details(slots)
    if habit:
        fields["kind"] = "habit"
    steps = steps_for(fields["task"])
    if steps:
        fields["solutions"] = steps
    return Proposal(op="create", kind="todo", fields=fields, reason="you asked for it")


def _title(slots: Slots, clause: Clause) -> str:
    title = re.sub(r"^(?:habit|recurring|repeating)\s+(?:to\s+)?", "", with_pronoun(slots), flags=re.IGNORECASE)
    named = clause.context and not slots.quoted and not find_times_in(clause.context)
    return f"{clause.context} {title}" if named else title


def find_times_in(heading: str) -> bool:
    """Whether a heading is a day ("monday:") rather than a subject ("norte:")."""
    from agents.time.lexicon import TODAY, WEEKDAYS

    words = heading.lower().split()
    return any(word in WEEKDAYS or word in TODAY or word.startswith(("tmr", "tomor")) for word in words)


def details(slots: Slots) -> dict[str, Any]:
    """Priority, difficulty, estimate, deadline and recurrence as fields."""
    fields: dict[str, Any] = slots.levels()
    when = slots.when
    if slots.repeat:
        fields["recurrence"] = slots.repeat.rrule
    if when and forms.due(when):
        fields["deadline"] = forms.due(when)
    return fields


def choose_when(draft: Proposal, text: str, scene: Scene) -> Share:
    """One question for the missing time."""
    return choose.ask("when", text, [draft], scene)


def remind_at(when: Found, scene: Scene) -> str | None:
    """The instant of a reminder; a day without a clock time means nine in the morning."""
    moment = when.moment
    if moment is None:
        return None
    if when.timed:
        return forms.instant(moment)
    day = forms.last_day(when) if when.kind == "open_before" else moment.date()
    nine = find_times(f"{day:%Y-%m-%d} 9am", scene.clock) if day else []
    at = nine[0].start if nine else None
    return forms.instant(forms.next_round(when, at, scene.now)) if at else None


def is_open(item: Item) -> bool:
    """A task that is still to be done, or anything that is not a task."""
    return not isinstance(item.record, ToDo) or item.record.status in ("not started", "in progress")


def is_closed(item: Item) -> bool:
    """A task that was done or archived."""
    return isinstance(item.record, ToDo) and item.record.status in ("done", "archived")


def complete(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Tick tasks off."""
    return _close("complete", intent, clause, scene, "you said it is done")


def archive(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Put tasks or notes away."""
    return _close("archive", intent, clause, scene, "you asked to archive it")


def _close(op: Op, intent: Intent, clause: Clause, scene: Scene, reason: str) -> Share:
    slots = filled(intent.parts["rest"], scene, clause)
    phrase, day = P.JUST_NOW.sub("", slots.title or intent.parts["rest"]), hint_day(slots)
    kinds: tuple[Kind, ...] = ("todo",) if op == "complete" else ("todo", "note")

    def find(words: str) -> list[Item]:
        found = choose.search(words, scene, kinds, is_open, day)
        anyway = lambda _: True  # noqa: E731 - a finished task may still be archived, and a done one is named as done
        return found or choose.search(words, scene, kinds, anyway, day)

    several = told.several(intent.parts["rest"], scene) or choose.each(intent.parts["rest"], find, scene, kinds)
    if several:
        return change(clause.text, *[choose.propose(item, op, {}, reason) for item in several])
    return choose.settle(find(phrase), op, trim(phrase), scene, reason=reason)


def hint_day(slots: Slots) -> Any:
    """The day said about an existing item."""
    when = slots.when
    if when is None:
        return None
    return forms.last_day(when) if when.kind == "open_before" and not when.timed else when.moment and when.moment.date()


def status(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Reopen a task, or mark it as begun."""
    wanted = "not started" if intent.name == "reopen" else "in progress"
    fits = _is_begun if intent.name == "reopen" else is_open
    phrase = P.JUST_NOW.sub("", tidy(intent.parts["rest"])) or "it"
    found = choose.search(phrase, scene, ("todo",), fits, None)
    if not found and intent.name == "reopen":
        still = choose.search(phrase, scene, ("todo",), is_open, None)
        if len(still) == 1:
            return answer(clause.text, f"{quoted(still[0].title)} is still open, so there is nothing to reopen.")
    return choose.settle(found, "update", phrase, scene, fields={"status": wanted}, reason=f"you set it to {wanted}")


def _is_begun(item: Item) -> bool:
    return isinstance(item.record, ToDo) and item.record.status != "not started"


def snooze(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Hide a task until later."""
    rest = re.sub(
        r"(?:\b(?:for|to)\s+|(?<=\bit )|(?<=\bthat )|(?<=\bthis ))(?=(?:an?|\d+|one|two|three|half|a couple)\b[^,]*\b(?:min|hour|day|week|hr))",
        "in ",
        intent.parts["rest"],
    )
    slots = filled(rest, scene, clause)
    lasts = [found for found in slots.times if found.role == "until"] if len(slots.times) > 1 else []
    when = slots.when or next((found for found in find_times(rest, scene.clock, bare=True) if found.moment), None)
    when = lasts[-1] if lasts else when
    until = back_on(when, scene) if when else None
    # Other times belong to the name: "the christmas cards until sunday".
    phrase = tidy(rest.replace(lasts[-1].text, " ")) if lasts else slots.title or "it"
    found = choose.search(phrase, scene, ("todo", "note"), _may_sleep, None)
    if until is None and len(found) == 1:
        draft = choose.propose(found[0], "update", {"snooze_until": None}, "you asked to snooze it")
        return choose_when(draft, f"Until when shall I snooze {quoted(found[0].title)}?", scene)
    if until is None:
        return choose.none(phrase, scene) if slots.title and not found else lost(clause.text)
    return choose.settle(
        found, "update", phrase, scene, fields={"snooze_until": until}, reason="you asked to snooze it"
    )


def _may_sleep(item: Item) -> bool:
    return is_open(item) or (isinstance(item.record, ToDo) and has_rung(item.record.model_dump()))


def back_on(when: Found, scene: Scene) -> str | None:
    """When a snoozed item comes back: at the beginning of what was said, "until december" on the first."""
    named = find_times(re.sub(r"^(?:until|till|til)\s+", "", when.text, flags=re.IGNORECASE), scene.clock, bare=True)
    if when.timed or not named or named[0].start is None or named[0].timed:
        return forms.due(when)
    return forms.day(named[0].start)
