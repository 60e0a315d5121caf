"""Room for something: "find me an hour tomorrow for a run", "when can I fit in the dentist", offered and booked on a yes."""

from __future__ import annotations

from datetime import UTC, timedelta

from agents.contract import Option, Pending, Proposal, Question
from agents.dates_in_words import say_duration, say_span
from agents.ledger.free_slots import first_free_slots
from agents.phrases import quoted, say_either
from agents.records import ToDo
from agents.recurrence.expand import Span
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.questions.availability import MOST, at_clock, busy_spans, hours_asked, local, named_length
from agents.understanding.references import Item
from agents.understanding.requests.tasks import filled, is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots.slots import without_article
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
IN = P.IN
NO_NAMES = frozenset("thing things something anything it that this them".split())
USUAL_MINUTES = 60


def offered(clause: Clause, scene: Scene) -> Share | None:
    """The first free times for a thing, as a question whose answer books it; None when no room is asked for."""
    match = P.FITTING_QUESTION.fullmatch(clause.text.strip(" .!?"))
    if match is None:
        return None
    text = f"{match['what'] or match['fit'] or match['time'] or match['free']} {match['when'] or match['later'] or ''}".strip()
    slots = filled(text, scene, clause)
    title = without_article(IN.sub("", slots.title))
    task = _task(title, scene)
    if not title or (task is None and title.lower() in NO_NAMES) or (slots.when and at_clock(slots.when)):
        return None
    size = _size(match["size"] or "", clause, scene)
    minutes = slots.minutes or size or (task.time_to_complete if task else None) or USUAL_MINUTES
    within = hours_asked(slots.when, text, scene)
    found = first_free_slots(
        busy_spans(within, scene), timedelta(minutes=minutes), scene.now.astimezone(UTC), within, MOST
    )
    fields = {"title": task.task, "task_id": task.id} if task else {"title": title}
    return _question(
        Proposal(op="create", kind="event", fields=fields, reason="you asked for room for it"), found, minutes, scene
    )


def _size(words: str, clause: Clause, scene: Scene) -> int | None:
    return filled(words, scene, clause).minutes or (named_length(words) if "hour" in words.lower() else None)


def _task(title: str, scene: Scene) -> ToDo | None:
    found: list[Item] = choose.search(title, scene, ("todo",), is_open, None)
    return found[0].record if len(found) == 1 and isinstance(found[0].record, ToDo) else None


def _question(draft: Proposal, found: list[Span], minutes: int, scene: Scene) -> Share:
    name = quoted(str(draft.fields["title"]))
    if not found:
        text = f"I see no free {say_duration(minutes)} for {name} then. When shall I book it?"
        options = []
    else:
        first, *others = [say_span(local(span.start, scene), local(span.end, scene), scene.now) for span in found]
        more = f" Later: {say_either(others)}." if others else ""
        text = (
            f"{first[0].upper()}{first[1:]} is free for {name}.{more} Shall I book {'the first' if others else 'it'}?"
        )
        options = [_label(span, scene) for span in found]
    pending = Pending(
        missing="when",
        text=scene.ask.text,
        at=scene.ask.at,
        proposals=[draft],
        options=[Option(label=label) for label in options],
    )
    return Share(text=text, questions=[Question(text=text, options=options, pending=pending)])


def _label(span: Span, scene: Scene) -> str:
    """A time in words that mean the same tomorrow: they are read when the answer comes."""
    start, end = local(span.start, scene), local(span.end, scene)
    return f"{start:%A} {start.day} {start:%B} {start.year}, {start:%H:%M} to {end:%H:%M}"
