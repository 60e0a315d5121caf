"""Whether something stands on a list, and how much does: "do i still need oats?", "how many things are on packing?"."""

from __future__ import annotations

import re
from dataclasses import replace

from agents.phrases import quoted, say_count, say_list
from agents.records import Note
from agents.understanding.questions.stored import list_lines
from agents.understanding.references import Item
from agents.understanding.requests.list_changes import list_in_hand
from agents.understanding.requests.lists import find_lists, lists, same_line
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

COUNTED = re.compile(
    r"how (?:many|much) (?:[\w-]+ )?(?:is|are|do i have|have i got)(?: there| left| still)* (?:on|in) (?:my|the|our) (?P<list>[\w' -]{2,40}?)(?:\s+list)?\??$",
    re.IGNORECASE,
)
LEFT = re.compile(
    r"(?:what(?:'s| is| do (?:i|we))?|is anything|anything)\s+(?:still\s+|else\s+)*(?:left|missing|need|needed|outstanding|open|to (?:get|buy|pack))(?:\s+to (?:get|buy|pack|do))?\s+"
    r"(?:for|on|from)\s+(?:the |my |our )?(?P<list>[\w' -]{2,40}?)(?:\s+list)?\W*$",
    re.IGNORECASE,
)
REMAINING = re.compile(
    r"(?:(?:so|ok|okay|and|right)[\s,]+)*(?:what(?:'s|s| is| else is)?\s+(?:still\s+)?(?:left|remaining|missing)(?:\s+to\s+(?P<verb>pack|buy|get|bring|take))?|"
    r"what\s+(?:else\s+)?(?:do|must|should|have) (?:i|we) (?:still )?(?:(?:need|have|got)(?: left)? )?to (?P<need>pack|buy|get|bring|take)|"
    r"what(?:'s)?\s+(?:still\s+)?(?:needs|to be|not|isn't|need)(?: to be)?(?: yet)? (?P<done>pack(?:ing|ed)|buying|bought)|"
    r"what\s+(?:else\s+)?(?:do|did) (?:i|we) (?:still )?(?:need|want)(?: from there)?|what else(?: is|'s)(?: there| on (?:there|it))?|what (?:haven't (?:i|we)|have (?:i|we) not) (?P<had>packed|bought|got))(?:\s+(?:yet|still|now|then))*[\s?.!]*",
    re.IGNORECASE,
)
TAKEN_ALONG = ("pack", "brin", "take")
PACKING = re.compile(r"\b(?:pack(?:ing)?|trip|holiday|luggage|suitcase)\b", re.IGNORECASE)
NEEDED = re.compile(
    r"(?:do (?:i|we) (?:still |also )?(?:need|have to (?:buy|get))|did (?:i|we) (?:put|add)|do (?:i|we) (?:already )?have(?= .{2,40} (?:on|in) (?:my|the|our)\b)|have (?:i|we) (?:already )?got(?= .{2,40} (?:on|in) (?:my|the|our)\b)|(?:is|are)(?: there)?)\s+(?:(?:any|some|more|the)\s+)*(?P<what>[\w' -]{2,40}?)"
    r"(?:\s+(?:on|to|in)\s+(?:my|the|our|any|a)\s+(?:(?P<list>[\w' -]{2,40}\s)?lists?|(?P<named>[\w' -]{2,40}?)))?(?:\s+(?:already|yet|still|too))?\??$",
    re.IGNORECASE,
)

ON_THERE = re.compile(r"\bon (?:there|it|that)\b", re.IGNORECASE)
READ = re.compile(
    r"(?:so\s+)?(?:what(?:'s|s| is)?\s+(?:still\s+|left\s+)*(?:on|in)\s+(?:it|there|that|that one|that list|the list)|what does (?:it|that) (?:have|say)(?: on it)?|"
    r"(?:read|show)(?: me)?\s+(?:it|that|the list)(?:\s+(?:back|out))?(?:\s+to me)?)(?:\s+(?:now|so far|then|again|at the moment))*[\s?.!]*",
    re.IGNORECASE,
)


def list_lines_answer(clause: Clause, scene: Scene) -> Share | None:
    """The answer from the lists there are; None when it is no question about them."""
    if READ.fullmatch(clause.text.strip()) and (name := list_in_hand(scene)):
        return list_lines(Intent("list_query", 0.9, {"list": name}), clause, scene)
    if ON_THERE.search(clause.text) and (name := list_in_hand(scene)):
        clause = replace(clause, text=ON_THERE.sub(f"on the {name} list", clause.text))
    left = LEFT.match(clause.text.strip())
    there = find_lists(left["list"], scene) if left else _remaining(clause.text.strip(), scene)
    if len(there) == 1:
        return answer(clause.text, _count(there[0]))
    counted = COUNTED.match(clause.text)
    if counted:
        found = find_lists(counted["list"], scene)
        return answer(clause.text, *[_count(item) for item in found[:5]]) if found else None
    needed = NEEDED.match(clause.text)
    if needed is None:
        return None
    name = (needed["list"] or needed["named"] or "").strip()
    there = find_lists(name, scene) if name else lists(scene)
    having = [(item, line) for item in there for line in _open(item) if same_line(needed["what"], line)]
    if having:
        return answer(clause.text, *[f"Yes, {line} is on {quoted(item.title)}." for item, line in having[:5]])
    if name and there:
        return answer(
            clause.text, f"No, {needed['what']} is not on {say_list([quoted(item.title) for item in there])}."
        )
    return None


def _remaining(said: str, scene: Scene) -> list[Item]:
    """The list whose lines are asked for by what is done with them: the one in hand, else the one for packing."""
    match = REMAINING.fullmatch(said) if said.lower().startswith(("what", "so", "ok", "and", "right")) else None
    if match is None:
        return []
    name = list_in_hand(scene)
    in_hand = [item for item in lists(scene) if item.title == name]
    verb = next((word.lower() for word in match.groups() if word), "")
    packing = [item for item in lists(scene) if PACKING.search(item.title)] if verb[:4] in TAKEN_ALONG else []
    return in_hand or packing


def _open(item: Item) -> list[str]:
    return [line.text for line in item.record.items if not line.done] if isinstance(item.record, Note) else []


def _count(item: Item) -> str:
    left = _open(item)
    are = "is" if len(left) == 1 else "are"
    return f"There {are} {say_count(len(left), 'thing')} on {quoted(item.title)}{': ' if left else ''}{say_list(left)}."
