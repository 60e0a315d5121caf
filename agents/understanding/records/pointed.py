"""Items meant by their place: the second one, the first two, both, the other one, my next meeting."""

from __future__ import annotations

from collections.abc import Sequence

from agents.index.items import Item
from agents.records import Kind
from agents.understanding.matching import find_mentioned
from agents.understanding.scene import Scene

MAX_EXCHANGES_BACK = 5
"""So many replies back a thing is still talked about."""
CLOSED = ("done", "archived")


def row(scene: Scene, kinds: tuple[Kind, ...], *, least: int = 2) -> list[Item | None]:
    """What the last replies named, as far back as until there are so many things; None for one that is gone since."""
    changed, talked = _changed_ids(scene), dict[str, Item | None]()
    for exchange in reversed(scene.ask.recent[-MAX_EXCHANGES_BACK:]):
        named = _items_in_reply(exchange.replied, scene, kinds, changed)
        talked = named | {key: item for key, item in talked.items() if key not in named}
        if len(talked) >= least:
            break
    return list(talked.values()) or list(lately(scene, kinds))


def others(scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """Those left over of several that a reply named, when the talk since was about some of them."""
    changed, touched = _changed_ids(scene), _done_instead(scene)
    touched |= {item.record_id for item in scene.proposals if item.record_id}
    closed: list[Item] = []
    for exchange in reversed(scene.ask.recent[-MAX_EXCHANGES_BACK:]):
        named = _items_in_reply(exchange.replied, scene, kinds, changed)
        left = [item for key, item in named.items() if item and key not in touched and touched & set(named)]
        current = [item for item in left if getattr(item.record, "status", "") not in CLOSED]
        if current:
            return current
        closed = closed or left
        touched |= set(named)
    return closed


def _done_instead(scene: Scene) -> set[str]:
    """What was done in the place of something else that the last turn took back."""
    rows = scene.ask.recent_changes
    turn = [change for change in rows if change.turn_id == rows[-1].turn_id]
    undone = any(change.op == "undo" for change in turn)
    return {change.record_id or "" for change in turn if change.op != "undo"} if undone else set()


def _changed_ids(scene: Scene) -> list[str]:
    """The ids of what was changed lately, the newest last."""
    return [change.record_id for change in scene.ask.recent_changes if change.record_id]


def _titles_in_text(scene: Scene, kinds: tuple[Kind, ...], told: str) -> dict[str, tuple[str, Item | None]]:
    """Return title and item by id of what is named in a text; no item for what was deleted."""
    items = scene.items(*kinds)
    closed = [one for one in scene.ask.recent_changes if one.op in ("delete", "archive") and one.kind in kinds]
    left = [one for one in closed if not items.get(one.record_id)]
    gone = {one.record_id: (one.title.lower(), None) for one in left if one.record_id}
    return gone | {item.id: (item.title.lower(), item) for item in items.find_named_in(told)}


def _items_in_reply(
    reply: str, scene: Scene, kinds: tuple[Kind, ...], changed: Sequence[str]
) -> dict[str, Item | None]:
    """Return the things that a reply names, in its order."""
    told = reply.lower()
    known = _titles_in_text(scene, kinds, told)
    places = sorted((place, key) for key, (title, _) in known.items() if title and (place := told.find(title)) >= 0)
    return {key: known[key][1] for _, key in places if _is_it(key, told, known, changed)}


def _is_it(key: str, told: str, known: dict[str, tuple[str, Item | None]], changed: Sequence[str]) -> bool:
    """Whether a name means this one of several that are called so: the one changed last, when the name is told once."""
    title = known[key][0]
    alike = [other for other, (name, _) in known.items() if name == title]
    if len(alike) <= told.count(title):
        return True
    last = next((other for other in reversed(changed) if other in alike), None)
    return last in (None, key)


def told_since(scene: Scene, kinds: tuple[Kind, ...]) -> Item | None:
    """The one item that the last exchange named, where it told nothing of the last change; None where it named others.

    A message that changed nothing may name it alone: "Ola can't make it".
    """
    if not scene.ask.recent:
        return None
    said, reply, items = scene.ask.recent[-1].said, scene.ask.recent[-1].replied.lower(), scene.items(*kinds)
    if any(change.title.lower() in reply for change in scene.ask.recent_changes[-1:]):
        return None
    named = list(items.find_named_in(reply)) or find_mentioned(said, items)
    return named[0] if len(named) == 1 else None


def lately(scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """The items that the last reply named, in its order; otherwise those that the last turn changed."""
    items = scene.items(*kinds)
    reply = scene.ask.recent[-1].replied.lower() if scene.ask.recent else ""
    named = [(reply.find(item.title.lower()), item) for item in items.find_named_in(reply)]
    if named:
        return [item for _, item in sorted(named, key=lambda pair: pair[0])]
    ids = dict.fromkeys(change.record_id for change in sorted(scene.just_done(), key=lambda change: change.place))
    return [item for name in ids if (item := items.get(name))]
