"""What is told of stored things in one breath with something else: "fees paid, need a present by friday", "flu jabs are urgent, do it by 5"."""

from __future__ import annotations

from dataclasses import replace

from agents.understanding.grammar import patterns_of
from agents.understanding.requests import deeds, news, residue, terse
from agents.understanding.scene import Scene
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim
from agents.understanding.text.openings import FAIRLY_STRONG, STRONG
from agents.understanding.text.verbs import is_verb

P = patterns_of(__name__)
POINTED = frozenset("it that this them those".split())
SETTING = frozenset("do make set call have get".split())
MOST_WORDS = 10
MOST_JOINTS = 6


def parted(clauses: list[Clause], scene: Scene) -> list[Clause]:
    """The clauses, cut after what is told of a stored thing when what follows says something of its own."""
    return [part for clause in clauses for part in _cut(clause, scene)]


def _cut(clause: Clause, scene: Scene) -> list[Clause]:
    joints = list(P.JOINT.finditer(clause.text))[:MOST_JOINTS] if scene.items("todo", "event") else []
    for joint in joints:
        head, rest = clause.text[: joint.start()], clause.text[joint.end() :]
        if _told(head, clause, scene) and (
            _asks(rest) or _told(rest, clause, scene) or _cut_again(rest, clause, scene)
        ):
            return [replace(clause, text=head), *_cut(replace(clause, text=rest), scene)]
    return _run_together(clause, scene) if not joints else [clause]


def _run_together(clause: Clause, scene: Scene) -> list[Clause]:
    """Two deeds without a word between them: "oven cleaned fridge cleared"."""
    words = clause.text.split()
    if not 4 <= len(words) <= MOST_WORDS or len(P.DEED.findall(clause.text)) < 2:
        return [clause]
    for at in range(2, len(words) - 1):
        head, rest = " ".join(words[:at]), " ".join(words[at:])
        if _told(head, clause, scene) and _told(rest, clause, scene):
            return [replace(clause, text=head), replace(clause, text=rest)]
    return [clause]


def _cut_again(rest: str, clause: Clause, scene: Scene) -> bool:
    return len(_cut(replace(clause, text=rest), scene)) > 1


def _told(text: str, clause: Clause, scene: Scene) -> bool:
    """Whether words tell of something stored, and nothing besides."""
    said = replace(clause, text=trim(text))
    if len(said.text.split()) < 2:
        return False
    return any(
        read_as(said, scene) is not None for read_as in (deeds.reported, residue.left_over, news.news, terse.becomes)
    )


def _asks(text: str) -> bool:
    words = trim(text).split()
    if len(words) > 1 and words[1].lower() in POINTED and words[0].lower() not in SETTING:
        return False
    return len(words) > 1 and bool(
        is_verb(words[0].lower()) or STRONG.match(text) or FAIRLY_STRONG.match(text) or P.NEED.match(text)
    )
