"""Facts about the user that are forgotten, standing wishes that are dropped or said in other words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agents.contract import Proposal
from agents.index.items import Item
from agents.index.words import tokens, words_of
from agents.phrases import NOT_TOLD, quote, say_some
from agents.reading.reading import Clause
from agents.understanding.ground import Meant
from agents.understanding.matching import candidates
from agents.understanding.outcome import Outcome, do, do_or_ask, not_understood, tell, yes_or_no
from agents.understanding.records.profile import FACTS
from agents.understanding.share import delete, propose
from agents.understanding.situation import Situation
from agents.understanding.slot_values import EDGES, loose_words

MOST_NAMED = 10
NO_RULES = "You have given me no standing instructions."


def forget_fact(clause: Clause, situation: Situation) -> Outcome:
    """Return the profile without facts."""
    known = situation.ask.records.profile
    if known is None:
        return tell(clause.text, NOT_TOLD)
    fields: dict[str, Any] = {name: None for slot, name in FACTS.items() if clause.all(slot)}
    fields |= {name: None for name in FACTS.values() if name in words_of(clause.words("k"))}
    likes = [set(words_of(slot.text)) for slot in clause.all("flike", "fother")]
    kept = [one for one in known.interests if not any(words and words <= {*words_of(one)} for words in likes)]
    if len(kept) < len(known.interests):
        fields["interests"] = kept
    said = [set(words_of(slot.text)) for slot in clause.all("fother", "k", "g", "q")]
    told = [(name, value, {*words_of(name), *words_of(value)}) for name, value in known.facts.items()]
    facts = {name: value for name, value, has in told if not any(one and one <= has for one in said)}
    if len(facts) < len(known.facts):
        fields["facts"] = facts
    if not fields:
        return not_understood(clause.text)
    draft = Proposal(op="update", kind="profile", record_id=known.id, fields=fields, reason="you told me")
    return do(clause.text, draft)


def reword_rule(clause: Clause, situation: Situation) -> Outcome | None:
    """Return a standing wish in other words; None where the clause means none."""
    rules = {"rule", "rules", "instruction"} & {*loose_words(clause), *tokens(clause.words("g"))}
    near = candidates(clause.words("g", "x"), situation.items("instruction")) if rules and clause.all("n") else []
    return _rule_changed(clause, near, situation) if near else None


def _rule_changed(clause: Clause, near: Sequence[Item], situation: Situation) -> Outcome:
    """Return the standing wishes meant with another value or in other words, whichever of them it is."""
    phrase, new = clause.words("c", "g", "k"), clause.words("n", "w").strip(EDGES)
    said, whole = clause.words("x") or phrase, bool(clause.all("n"))
    texts = [_reword(item.title, said, new, whole=whole) for item in near]
    if not all(texts):
        return not_understood(clause.text)
    fresh = zip(near, texts, strict=True)
    drafts = [[propose(item, "update", {"text": text}, "you changed the rule")] for item, text in fresh]
    return do_or_ask(clause.text, Meant(list(near), 1.0, phrase), drafts, situation)


def _reword(text: str, said: str, new: str, *, whole: bool) -> str:
    """Return the text of a wish with a new number in place of the one that is meant, or all of it anew; else nothing.

    A number alone is no wish: without a number that it takes the place of, nobody can tell what it is to say.
    """
    numbers = [word for word in tokens(text) if word[0].isdigit()]
    old = [word for word in numbers if word in tokens(said)] or numbers
    number = next((word for word in tokens(new) if word[0].isdigit()), "")
    if number and len(old) == 1 and (set(old) & set(tokens(said)) or len(tokens(new)) == 1):
        return re.sub(rf"\b{re.escape(old[0])}\b", lambda _: number, text, count=1)
    return new if whole and any(word.isalpha() for word in words_of(new)) else ""


def drop_rule(clause: Clause, situation: Situation) -> Outcome:
    """Return a standing wish dropped: the one that the words fit best, or all."""
    known = list(situation.items("instruction"))
    phrase = clause.words("c", "g", "k")
    if clause.all("a") and not phrase:
        drafts = [delete(item, "you dropped the rule") for item in known]
        asked = f"Drop {say_some([quote(item.title) for item in known], MOST_NAMED)}?"
        return yes_or_no(asked, drafts, clause.text, situation) if drafts else tell(clause.text, NO_RULES)
    found = candidates(phrase, known) if phrase.strip(EDGES) else known
    said = set(words_of(phrase))
    near = found or [item for item in known if said & set(item.words)]
    if clause.all("w", "n"):
        return _rule_changed(clause, near, situation)
    each = [[delete(item, "you dropped the rule")] for item in near]
    return do_or_ask(clause.text, Meant(near, 1.0 if found else 0.7, phrase), each, situation)
