"""Two times of which only one can be meant: "gym tuesday at six or thursday at seven" is asked about."""

from __future__ import annotations

from collections.abc import Sequence

from agents.contract import Option, Pending, Proposal, Question
from agents.dates_in_words import say_when
from agents.phrases import quoted, say_either
from agents.time import Found, on_day
from agents.understanding.grammar import patterns_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share

P = patterns_of(__name__)


def either_question(times: Sequence[Found], text: str, draft: Proposal, scene: Scene) -> Share | None:
    """The question which of two times is meant; None where there are not two with an "or" between them."""
    points = [found for found in times if found.kind == "point" and found.role == "when" and found.moment]
    if len(points) != 2 or not P.OR.fullmatch(text[points[0].span[1] : points[1].span[0]]):
        return None
    both = _with_clocks(points, scene)
    moments = [found.start for found in both if found.timed and found.start]
    if len(moments) != len(both):
        return None
    name = quoted(str(draft.fields["title"]))
    said = f"Which one shall it be for {name}: {say_either([say_when(moment, scene.now) for moment in moments])}?"
    options = [Option(label=f"{at:%A} {at.day} {at:%B} {at.year}, {at:%H:%M}") for at in moments]
    pending = Pending(missing="when", text=scene.ask.text, at=scene.ask.at, proposals=[draft], options=options)
    return Share(text=said, questions=[Question(text=said, options=[one.label for one in options], pending=pending)])


def _with_clocks(points: Sequence[Found], scene: Scene) -> list[Found]:
    """Each with the hour of the other, where only one was said: "saturday or sunday at one"."""
    first, second = points
    if second.timed and not first.timed and first.moment:
        return [on_day(second, first.moment.date(), scene.clock), second]
    return [first, second]
