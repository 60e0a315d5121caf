"""What Summit did: lately, in a stretch of the past, to something named, and why; from the ledger's rows."""

from __future__ import annotations

from collections.abc import Sequence

from agents.contract import Change, Lookback
from agents.dates_in_words import say_when
from agents.index.words import words_of
from agents.phrases import quote, say_count
from agents.rendering.changes import claim_sentence
from agents.understanding.matching import has_words
from agents.understanding.questions.query import Query
from agents.understanding.records.lately import turn_of, without_undos
from agents.understanding.records.past import Period, lookback, period_in
from agents.understanding.situation import Situation
from agents.understanding.values.days import whole_days

MOST_CHANGES = 8
WAY_BACK = (
    "Yes: whatever I change can be undone. Say “undo that”, or name the thing; the list of changes has it as well."
)
STRETCHES = ("today", "yesterday", "this", "last", "since", "earlier", "in")


def history(query: Query, situation: Situation) -> list[str] | Lookback:
    """Return what was changed, or why; the look back where it needs more than the thread's last changes."""
    named = _changes_of_named(query, situation.ask.recent_changes)
    period = period_in(query.when_said, situation.scene) if query.when_said else None
    if "why" in query.word_set:
        return _reasons(query, named, situation)
    if named and period is None:
        return [_say_change(change, situation) for change in named[-MOST_CHANGES:]]
    latest = period is None and not query.about and bool(_latest(situation))
    if latest or query.word_set & {"just", "last"}:
        return [_last(situation)]
    if situation.ask.history is None:
        return lookback(period, words_of(query.about)) if query.about else lookback(period or _today(situation), [])
    if query.about:
        rows = _changes_of_named(query, period.holds(situation.ask.history) if period else situation.ask.history)
        return [_say_change(change, situation) for change in rows[-MOST_CHANGES:]] or [_nothing(query)]
    period = period or _today(situation)
    return [_then(period.holds(without_undos(situation.ask.history)), period, situation)]


def just_done(_query: Query, situation: Situation) -> list[str]:
    """Return what was changed last, where something was."""
    return [_last(situation)] if _latest(situation) else []


def way_back(_query: Query, _situation: Situation) -> list[str]:
    """Return that every change can be taken back."""
    return [WAY_BACK]


def _changes_of_named(query: Query, rows: Sequence[Change]) -> list[Change]:
    """Return the changes of things with all words of a name, and of the records that it means."""
    ids = {item.id for item in query.named}
    return [row for row in without_undos(rows) if row.record_id in ids or has_words(row.title, query.about)]


def _today(situation: Situation) -> Period:
    today = situation.now.date()
    return Period(*whole_days(today, today, situation.scene), "today")


def _then(rows: Sequence[Change], period: Period, situation: Situation) -> str:
    """Return the changes of a stretch of time, the latest ones in full."""
    when = period.label if period.label.startswith(STRETCHES) else f"on {period.label}"
    if not rows:
        return f"Nothing was changed {when}."
    shown = " ".join(_say_change(row, situation) for row in rows[-MOST_CHANGES:])
    lead = f"{say_count(len(rows), 'change')} {when}"
    return f"{lead}, the latest {MOST_CHANGES}: {shown}" if len(rows) > MOST_CHANGES else f"{lead}: {shown}"


def _say_change(row: Change, situation: Situation) -> str:
    """Return a row as a sentence; one that was taken back says so."""
    sentence = claim_sentence(row.model_copy(update={"conflicts": []}), situation.now)
    return f"{sentence.rstrip('.')} (undone since)." if row.status == "undone" else sentence


def _latest(situation: Situation) -> list[Change]:
    return turn_of(without_undos(situation.ask.recent_changes))


def _last(situation: Situation) -> str:
    rows = _latest(situation)
    if not rows:
        return "I changed nothing in what we just talked about."
    return " ".join(["The last thing I did:", *(_say_change(row, situation) for row in rows)])


def _nothing(query: Query) -> str:
    return f"I have changed nothing called {quote(query.about)}."


def _reasons(query: Query, named: Sequence[Change], situation: Situation) -> list[str] | Lookback:
    """Return the words that caused a change, and when they were said."""
    if not named and query.about and situation.ask.history is None:
        return lookback(None, words_of(query.about))
    known = situation.ask.history or []
    rows = named or (_changes_of_named(query, known) if query.about else _latest(situation))
    return [_reason(rows[-1], situation)] if rows else [_nothing(query) if query.about else _last(situation)]


def _reason(row: Change, situation: Situation) -> str:
    source = (row.after or row.before or {}).get("source") or {}
    words = str(source.get("words") or "") if row.op == "create" else ""
    said = f"you said {quote(words)}" if words else row.reason or "it was changed directly, not in words"
    when = say_when(row.created_at, situation.now)
    return f"{quote(row.title)}: {said}, {when}. Say “undo {row.title}” to take it back."
