"""Standing wishes: kept in the user's words, and obeyed where their form is simple."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.contract import Proposal
from agents.policies import TIME_OF_DAY
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item, candidates, words_of
from agents.understanding.requests import profile
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change, lost
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim, without_breath
from agents.understanding.text.intents import Intent
from agents.understanding.text.standing import defined

DROPPED = "you dropped the rule"
P = patterns_of(__name__)
NEGATION = r"\b(?:stop|quit|no|not|never|avoid|don't|without)\b"
REWORDED = "you changed the rule"


def create(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """A new standing instruction in the user's words."""
    _ = intent
    said = clause.text.strip(" .!") if defined(clause.text) else trim(without_breath(clause.text))
    text = re.sub(r"^(?:remember|please)\s+(?:that\s+)?", "", said, flags=re.IGNORECASE)
    if not text:
        return lost(clause.text)
    named = profile.only_name(text)
    if named:
        return profile.remember({"name": named}, clause.text, scene)
    silenced = _silenced(text, scene)
    if silenced is not None:
        return silenced
    stopped = P.STOPPED.match(text)
    opposed = candidates(stopped["rest"], scene.items("instruction")) if stopped else []
    if len(opposed) == 1 and not re.search(NEGATION, opposed[0].title, re.IGNORECASE):
        return change(clause.text, choose.propose(opposed[0], "delete", {}, DROPPED))
    draft = Proposal(
        op="create", kind="instruction", fields={"text": text[:2000]}, reason="you asked for it from now on"
    )
    return change(clause.text, draft)


def _silenced(text: str, scene: Scene) -> Share | None:
    """The one reminder taken out that shall no longer ring: "stop reminding me about the herbs"; None when none is named."""
    match = P.NO_REMINDER.match(text)
    found = choose.search(match["what"], scene, ("todo",), is_open, None) if match else []
    ringing = [item for item in found if getattr(item.record, "remind_at", None)]
    return change(text, choose.propose(ringing[0], "delete", {}, "you said to stop")) if len(ringing) == 1 else None


def dropped(clause: Clause, scene: Scene) -> Share | None:
    """The one rule that is named to be dropped: "scrap the no meetings before ten thing"; None when no rule is."""
    named = P.NAMED.match(clause.text.strip())
    known = scene.items("instruction") if named else []
    found = candidates(named["what"], known) if named and known else []
    return change(clause.text, choose.propose(found[0], "delete", {}, DROPPED)) if len(found) == 1 else None


def drop(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Forget a standing instruction; all of them only after a yes."""
    known = scene.items("instruction")
    if intent.parts.get("all") and len(known) > 1:
        drafts = [choose.propose(item, "delete", {}, DROPPED) for item in known]
        return choose.confirm(f"Shall I drop all {len(known)} standing instructions?", drafts, scene)
    phrase = intent.parts.get("rest", "")
    found = (candidates(phrase, known) or _touching(phrase, known)) if phrase else known
    _ = clause
    return choose.settle(found, "delete", phrase or "that rule", scene, reason=DROPPED)


def _touching(phrase: str, known: Sequence[Item]) -> list[Item]:
    """The one rule that shares a telling word with the phrase: few words are remembered as they were said."""
    said = set(words_of(phrase))
    found = [item for item in known if not said.isdisjoint(item.words)]
    return found if len(found) == 1 else []


def reword(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Change a standing instruction: to other words, or only its time."""
    phrase, new = intent.parts.get("rest", ""), trim(intent.parts["new"]).strip('"“”')
    known = scene.items("instruction")
    found = candidates(phrase, known) if phrase else known
    if len(found) != 1:
        return choose.settle(found, "update", phrase or "that rule", scene, reason=REWORDED)
    text = retimed(found[0].title, new) or new
    return change(clause.text, choose.propose(found[0], "update", {"text": text[:2000]}, REWORDED))


def retimed(text: str, new: str) -> str | None:
    """An instruction with another time of day, where only a time was said; None otherwise."""
    if not re.fullmatch(TIME_OF_DAY, new, re.IGNORECASE):
        return None
    times = list(re.finditer(rf"\b{TIME_OF_DAY}\b", text, re.IGNORECASE))
    return f"{text[: times[-1].start()]}{new}{text[times[-1].end() :]}" if times else None
