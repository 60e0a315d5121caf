"""One of several things talked about, and what it should be: "make the plumber one thursday", "the second one should be at 4"."""

from __future__ import annotations

import re

from agents.phrases import quoted
from agents.time import find_times
from agents.understanding.discourse.amending import changed
from agents.understanding.grammar import patterns_of
from agents.understanding.items import pointed
from agents.understanding.items.choose import confirm, propose
from agents.understanding.references import Item, alike, words_of
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.text.filler import trim

P = patterns_of(__name__)
NOT_ONE = frozenset("wrong right same next new".split())
SURE, LONGEST = 0.8, 14


def singled(text: str, scene: Scene) -> Share | None:
    """The change of the one thing meant among those just talked about; None when none is."""
    said = text.strip()
    if len(said.split()) > LONGEST or scene.before or "?" in said:
        return None
    if P.DONE_ALONE.fullmatch(said) and scene.ask.recent:
        return _done_alone(said, scene)
    one = P.ONE.match(said)
    if one:
        item = _meant(one["which"].lower(), scene)
        return _changed(item, one["to"], said, scene) if item else None
    if not _asked(scene) and (share := _by_name(said, scene)) is not None:
        return share
    several = P.SEVERAL.match(said)
    if several and (share := _together(several, said, scene)) is not None:
        return share
    it = P.IT.match(trim(said)) or P.IT.match(said)
    row = pointed.lately(scene, ("todo", "event")) if it and _asked(scene) else []
    return _changed(row[0], it["to"], said, scene) if it and len(row) == 1 else None


def _done_alone(said: str, scene: Scene) -> Share | None:
    """The one task just talked about ticked off; what was only just added is asked about, as all may be said then."""
    told = scene.ask.recent[-1].replied.lower()
    row = [item for item in pointed.lately(scene, ("todo",)) if item.title.lower() in told and is_open(item)]
    if len(row) != 1:
        return None
    wanted = [propose(row[0], "complete", {}, "you said it is done")]
    if _just_added(scene) and not P.POINTS.search(said):
        return confirm(f"Shall I mark {quoted(row[0].title)} as done?", wanted, scene)
    return change(said, *wanted)


def _by_name(said: str, scene: Scene) -> Share | None:
    """One of the things just changed by its name, and another time: "actually the leaves on sunday"."""
    named = P.NAMED.match(said)
    rest = said[named.end() :].rstrip(" .!") if named else ""
    times = find_times(rest, scene.clock, bare=True) if rest else []
    if len(times) != 1 or not times[0].moment or times[0].span[1] != len(rest):
        return None
    which = P.PREPOSITION.sub("", rest[: times[0].span[0]]).strip(" ,")
    row = [item for item in pointed.row(scene, ("todo", "event"), least=3) if item]
    item = _meant(which.lower(), scene, row) if which else None
    return _changed(item, rest[times[0].span[0] :], said, scene) if item else None


def _together(match: re.Match[str], said: str, scene: Scene) -> Share | None:
    """The same change of several things just talked about: "both high priority", "they're all due friday"."""
    which = re.sub(r"^(?:they|those|them)\b(?: (?:both|all|two))?", "them", match["which"], flags=re.IGNORECASE)
    found = pointed.some(which, scene, ("todo", "event")) or pointed.by_place(which, scene, ("todo", "event"))
    if found and P.DONE.fullmatch(match["to"]):
        tasks = [item for item in found if item.kind == "todo"]
        return (
            change(said, *[propose(item, "complete", {}, "you said they are done") for item in tasks])
            if tasks
            else None
        )
    fields = [changed(item, match["to"], scene) for item in found]
    if not found or not all(fields):
        return None
    return change(
        said,
        *[
            propose(item, "update", new, "you said what they should be")
            for item, new in zip(found, fields, strict=True)
        ],
    )


def _just_added(scene: Scene) -> bool:
    """Whether the last reply told of something new: "done" says then that all is said."""
    rows = scene.ask.recent_changes
    return bool(rows) and rows[-1].op == "create" and rows[-1].title.lower() in scene.ask.recent[-1].replied.lower()


def _asked(scene: Scene) -> bool:
    """Whether the last message only asked: what it changed is corrected by other rules."""
    rows, recent = scene.ask.recent_changes, scene.ask.recent
    return bool(recent) and not (
        rows and rows[-1].title.lower() in recent[-1].replied.lower() and rows[-1].op != "undo"
    )


def _meant(which: str, scene: Scene, row: list[Item] | None = None) -> Item | None:
    """The one thing talked about that these words name."""
    row = pointed.lately(scene, ("todo", "event")) if row is None else row
    if not row or which in NOT_ONE:
        return None
    placed = pointed.by_place(f"the {which} one", scene, ("todo", "event"))
    if placed:
        return placed[0]
    words = words_of(which)
    found = [item for item in row if all(any(alike(word, other) >= SURE for other in item.words) for word in words)]
    return found[0] if words and len(found) == 1 else None


def _changed(item: Item, to: str, said: str, scene: Scene) -> Share | None:
    fields = changed(item, to, scene)
    return change(said, propose(item, "update", fields, "you said what it should be")) if fields else None
