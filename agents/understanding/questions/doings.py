"""Questions about what Summit did: "what did you do today", "why did you book that?", answered from the ledger's rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.contract import Change, Lookback
from agents.dates_in_words import say_when
from agents.phrases import quoted, say_count
from agents.rendering.changes import claim_sentence
from agents.understanding.grammar import patterns_of
from agents.understanding.items.lately import applied, done, named, telling, turn_of
from agents.understanding.items.past import Period, lookback, period_in
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.slots.days import whole_days
from agents.understanding.text.clauses import Clause

MOST = 8
P = patterns_of(__name__)


def recent_changes_answer(clause: Clause, scene: Scene) -> Share | None:
    """What was changed, or why; None for everything that is no such question."""
    text = clause.text.strip()
    why = P.WHY.fullmatch(text)
    if why:
        return _why(why["what"], clause, scene)
    match = P.RECENT_CHANGES_QUESTION.fullmatch(text)
    if match is None:
        return None
    if match["last"] or re.search(r"\bjust\b", text, re.IGNORECASE):
        return answer(clause.text, _last(scene))
    period = period_in(text, scene) or _today(scene)
    if scene.ask.history is None:
        return Share(look_back=lookback(period, []))
    return answer(clause.text, _then(period.holds(done(scene.ask.history)), period, scene))


def _today(scene: Scene) -> Period:
    return Period(*whole_days(scene.now.date(), scene.now.date(), scene), "today", (0, 0))


def _then(made: Sequence[Change], period: Period, scene: Scene) -> str:
    """The changes of a stretch of time, the latest ones in full."""
    if not made:
        return f"Nothing was changed {_said(period)}."
    shown = " ".join(_told(item, scene) for item in made[-MOST:])
    lead = f"{say_count(len(made), 'change')} {_said(period)}"
    return f"{lead}, the latest {MOST}: {shown}" if len(made) > MOST else f"{lead}: {shown}"


def _said(period: Period) -> str:
    return (
        period.label
        if re.match(r"(?:today|yesterday|this|last|since|earlier|in)\b", period.label)
        else f"on {period.label}"
    )


def _told(item: Change, scene: Scene) -> str:
    """A row as a sentence; one that was taken back says so."""
    sentence = claim_sentence(item.model_copy(update={"conflicts": []}), scene.now)
    return f"{sentence.rstrip('.')} (undone since)." if item.status == "undone" else sentence


def _last(scene: Scene) -> str:
    made = turn_of(done(scene.ask.recent_changes))
    if not made:
        return "I changed nothing in what we just talked about."
    return " ".join(["The last thing I did:", *(_told(item, scene) for item in made)])


def _why(what: str, clause: Clause, scene: Scene) -> Share | None:
    """The words that caused a change, and when they were said."""
    meant = _meant(what, scene.ask.recent_changes)
    if not meant and not P.POINTED.fullmatch(what):
        if scene.ask.history is None:
            return Share(look_back=Lookback(words=lookback(None, telling(what)).words))
        meant = _meant(what, scene.ask.history)
    if not meant:
        return answer(clause.text, f"I have changed nothing called {quoted(what)}." if telling(what) else _last(scene))
    return answer(clause.text, _reason(meant[-1], scene))


def _meant(what: str, pool: Sequence[Change]) -> list[Change]:
    standing = done(pool)
    if P.POINTED.fullmatch(what) or not telling(what):
        return turn_of(standing)
    found = named(what, standing)
    return applied(found) or found


def _reason(item: Change, scene: Scene) -> str:
    words = (
        str(((item.after or item.before or {}).get("source") or {}).get("words") or "") if item.op == "create" else ""
    )
    said = f"you said {quoted(words)}" if words else item.reason or "it was changed directly, not in words"
    return f"{quoted(item.title)}: {said}, {say_when(item.created_at, scene.now)}. Say “undo {item.title}” to take it back."
