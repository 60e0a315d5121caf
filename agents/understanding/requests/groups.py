"""Tasks meant by what they have in common: their list, a tag, their priority, being overdue, the days they are due."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from agents.records import ToDo
from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.references import Item, alike, words_of
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.slots.days import days_of, say_days

P = patterns_of(__name__)
OF_LIST = P.OF_LIST
PLACES = {"1": "high", "2": "medium", "3": "low", "top": "high"}
FILLING = frozenset(
    """
    all everything every each any of the my our open tasks task todos todo to-dos to-do things thing stuff items item
    ones one dos is are that that's thats which due on in from with for and me please them those these list p s left still have i
    """.split()
)
Test = Callable[[ToDo], bool]


@dataclass
class Group:
    """What the tasks have in common, in words, and a test for it; ``rest`` are the words that say something else."""

    label: list[str] = field(default_factory=list)
    tests: list[Test] = field(default_factory=list)
    rest: str = ""

    def narrow(self, label: str, test: Test) -> None:
        """Ask for one thing more."""
        self.label.append(label)
        self.tests.append(test)

    def items(self, scene: Scene) -> list[Item]:
        """The open tasks that fit everything."""
        return [item for item in scene.items("todo") if is_open(item) and self.fits(item)]

    def fits(self, item: Item) -> bool:
        """Whether one task fits everything."""
        return isinstance(item.record, ToDo) and all(test(item.record) for test in self.tests)


def group_of(text: str, scene: Scene, *, dated: bool = True) -> Group:
    """What a phrase says about the tasks it means; without ``dated`` its times mean something else."""
    group = Group()
    rest = _priority(_tag(_list(P.OVERDUE.sub(lambda _: _overdue(group, scene), text), group), group), group)
    if dated:
        rest = _days(rest, group, scene)
    telling = [word for word in re.findall(r"[\w'-]+", rest) if word.lower().removesuffix("'s") not in FILLING]
    group.rest = _named(telling, group, scene)
    return group


def lists_of(scene: Scene) -> list[str]:
    """The names of the lists that tasks are on, as they were written first."""
    names = [item.record.list for item in scene.items("todo") if isinstance(item.record, ToDo) and item.record.list]
    return list({name.casefold(): name for name in reversed(names)}.values())


def same_name(said: str, name: str) -> bool:
    """Whether a list or tag is the one that was said: "workout" and "Workouts" are one."""
    left, right = words_of(said), words_of(name)
    return len(left) == len(right) and all(alike(a, b) for a, b in zip(left, right, strict=True))


def known_list(said: str, scene: Scene) -> str | None:
    """The list of tasks that is called so."""
    return next((name for name in lists_of(scene) if same_name(said, name)), None)


def _overdue(group: Group, scene: Scene) -> str:
    today = scene.now.date()
    group.narrow("that are overdue", lambda todo: (day := Item("todo", "", "", todo).day) is not None and day < today)
    return " "


def _list(text: str, group: Group) -> str:
    match = OF_LIST.search(text)
    if match is None:
        return text
    _narrow_list(match["list"], group)
    return f"{text[: match.start()]} {text[match.end() :]}"


def _narrow_list(name: str, group: Group) -> None:
    group.narrow(f"on the list “{name}”", lambda todo: bool(todo.list and same_name(name, todo.list)))


def _tag(text: str, group: Group) -> str:
    for pattern in (P.HASHTAG, P.TAGGED, P.OF_TAG):
        for match in pattern.finditer(text):
            _narrow_tag(match[1], group)
        text = pattern.sub(" ", text)
    return text


def _narrow_tag(tag: str, group: Group) -> None:
    group.narrow(f"tagged “{tag}”", lambda todo: any(same_name(tag, other) for other in todo.tags))


def _priority(text: str, group: Group) -> str:
    match = P.PRIORITY.search(text)
    if match is None:
        return text
    said = (match["place"] or match["level"] or "top").lower()
    level = PLACES.get(said, said)
    group.narrow(f"of {level} priority", lambda todo: todo.priority == level)
    return f"{text[: match.start()]} {text[match.end() :]}"


def _days(text: str, group: Group, scene: Scene) -> str:
    found = [time for time in find_times(text, scene.clock) if time.kind != "duration" and (time.start or time.end)]
    if not found:
        return text
    first, last = days_of(found[0], scene)
    group.narrow(
        f"due {say_days(first, last, scene)}",
        lambda todo: (day := Item("todo", "", "", todo).day) is not None and first <= day <= last,
    )
    start, end = found[0].span
    return f"{text[:start]} {text[end:]}"


def _named(telling: list[str], group: Group, scene: Scene) -> str:
    """A bare list or tag: "workouts"; what names neither is left."""
    said = " ".join(telling)
    if not said:
        return ""
    if known_list(said, scene):
        _narrow_list(known_list(said, scene) or said, group)
        return ""
    tags = {tag for item in scene.items("todo") if isinstance(item.record, ToDo) for tag in item.record.tags}
    tag = next((tag for tag in sorted(tags) if same_name(said, tag)), None)
    if tag:
        _narrow_tag(tag, group)
        return ""
    return said
