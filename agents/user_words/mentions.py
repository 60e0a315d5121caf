"""Whether a user's words name a thing, point at it, or mean several: what is dangerous is done only where they do."""

from __future__ import annotations

from collections.abc import Iterable

from agents.claims import sentences
from agents.languages import answer_meant
from agents.ports import Ask
from agents.reading.words import plain, split_words, telling

POINTING = frozenset(
    # English
    "it that this them those these one ones thing things first second third fourth fifth last latest former latter "
    "both all everything whole each every undo revert restore back again "
    # German
    "das es den dem ihn sie die diese diesen dieses dieser jene beide beiden alle alles jede jeden letzte letzten "
    "erste ersten zweite zweiten dritte dritten rückgängig zurück "
    # Portuguese, Spanish
    "isso isto esse essa este esta ele ela eles elas aquilo ambos ambas tudo todos todas último última "
    "primeiro primeira segundo segunda terceiro desfaz desfazer desfaça eso esto ese esa lo la los las deshacer deshaz "
    "todo toda "
    # French
    "ça cela ce cette ces celui celle les tout tous toutes dernier dernière premier première annule".split()
)
"""Words that name nothing by themselves: what they mean stands in the dialogue."""
SEVERAL = frozenset(
    "both all every everything each them those these whole entire beide beiden alle alles allen jede jeden jedes "
    "sämtliche sie diese ambos ambas todos todas tudo cada todo tous toutes tout chaque".split()
)
COMPOUNDING = ("de", "nl", "da", "sv", "nb", "nn", "no", "fi")
"""Languages that write several words as one."""
PART_LETTERS, FIRST_LETTERS = 4, 6
"""The fewest of a title's word within a longer one, and of what was said where the title's word is the longer one."""
MENTION_TURNS = 2
"""Exchanges that words may point back to."""


AGREEING = frozenset("yes yep yeah sure ok okay".split())
DECLINING = frozenset("no nope".split())


def short_answer(text: str) -> str:
    """Return the yes or no that a bare answer stands for, in any of our languages; "" for all other words."""
    said = text.strip().casefold().rstrip("!. ").removesuffix(" please").removesuffix(" thanks").rstrip(", ")
    return "yes" if said in AGREEING else "no" if said in DECLINING else answer_meant(text)


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text as they are compared."""
    return frozenset(plain(text[start:end]) for start, end in split_words(text) if text[start].isalnum())


def names(title: str, text: str, language: str = "") -> bool:
    """Return whether a text has a word of a title that tells it from others; titles of common words count whole.

    In a language that writes several words as one, "Friseurtermin" has "Friseur".
    """
    own, said = telling(title) or words_of(title), words_of(text)
    compounds = language.partition("-")[0] in COMPOUNDING
    return not own.isdisjoint(said) or (compounds and any(_in_compound(a, b) for a in own for b in said))


def _in_compound(own: str, said: str) -> bool:
    """Return whether a word that was said is made with a word of a title, or that begins with what was said."""
    made = len(own) >= PART_LETTERS and (said.startswith(own) or said.endswith(own))
    return made or (len(said) >= FIRST_LETTERS and own.startswith(said))


def points(text: str) -> bool:
    """Return whether words point at something, or agree to it."""
    said = {text[start:end].lower() for start, end in split_words(text)}
    return not said.isdisjoint(POINTING) or any(map(str.isdigit, said)) or short_answer(text) == "yes"


def is_named(title: str, ask: Ask, *, talked_of: bool = False) -> bool:
    """Return whether the message names a thing, or points where the dialogue names it or it was ``talked_of``."""
    said = ask.words or ask.text
    if names(title, said, ask.language):
        return True
    return points(said) and (talked_of or any(names(title, text, ask.language) for text in _dialogue(ask)))


def is_quantified(text: str) -> bool:
    """Return whether words mean several things at once."""
    return not {text[start:end].lower() for start, end in split_words(text)}.isdisjoint(SEVERAL)


def said_by_user(values: Iterable[str], ask: Ask) -> bool:
    """Return whether any of some values has a word that tells, and that the user said now or before."""
    own = words_of(" ".join([ask.words or ask.text, *(one.said for one in ask.recent)]))
    return any(not telling(value).isdisjoint(own) for value in values)


def is_talked_of(values: Iterable[str], ask: Ask) -> bool:
    """Return whether any of some values shares a word with what the user said, passed on, or points back to.

    Other forms of a word count as well, and so do parts of a text that puts no space between words.
    """
    said = ask.words or ask.text
    texts = [said, ask.passed_on, *(one.said for one in ask.recent), *(_dialogue(ask) if points(said) else ())]
    others = words_of("\n".join(texts))
    own = frozenset[str]().union(*(telling(value) or words_of(value) for value in values))
    return not own.isdisjoint(others) or any(_is_akin(one, other) for one in own for other in others)


def _is_akin(one: str, other: str) -> bool:
    if not (one.isascii() and other.isascii()) and (one in other or other in one):
        return True
    return len(one) >= PART_LETTERS and one[:PART_LETTERS] == other[:PART_LETTERS]


def question_in_reply(ask: Ask) -> str:
    """Return what the last reply asked; "" where it asked nothing."""
    replied = sentences(ask.recent[-1].replied) if ask.recent else []
    return " ".join(one for one in replied if one.rstrip().endswith("?"))


def _dialogue(ask: Ask) -> list[str]:
    pending = [ask.pending.asked or ask.pending.text] if ask.pending else []
    recent = ask.recent[-MENTION_TURNS:]
    return [*(text for one in recent for text in (one.said, one.replied)), *pending]
