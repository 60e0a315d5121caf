"""Short natural replies that change nothing: to greetings and moods, about Summit itself, and what it cannot do."""

from __future__ import annotations

from agents.phrases import ABILITIES, CANNOT, quoted
from agents.reading.reading import Clause
from agents.understanding.questions.coaching import energy_in, has_open_task, suggest_task
from agents.understanding.questions.vocabulary import GROUPS, words_in
from agents.understanding.said import (
    ACKNOWLEDGEMENTS,
    BYE,
    FINE,
    GLAD,
    HARD,
    HOW,
    HOW_TO,
    NO_SETTING,
    SETTING,
    THANKS,
    UPSET,
    pick,
)
from agents.understanding.share import Share, answer
from agents.understanding.situation import Situation

NOON, EVENING = 12, 18
SHORT = 4
WAY_BACK = (
    "Yes: whatever I change can be undone. Say “undo that”, or name the thing; the list of changes has it as well."
)
CALENDARS = (
    "Calendars of CalDAV servers and of Google are connected in the settings, any other can be subscribed to and is "
    "only read; the guide to calendars shows how (docs/guide/calendars.md)."
)
ABOUT_ME = f"I'm Summit. {ABILITIES} {HOW_TO} I can't make calls or look things up on the web."


def reply_to_chat(clause: Clause, situation: Situation) -> Share:
    """Return a friendly word, or what to do with the energy that is told of."""
    tells_energy = energy_in(words_in(clause.text)) != "medium" and len(situation.clauses) == 1
    return (
        suggest_task(clause, situation) if tells_energy and has_open_task(situation) else _friendly(clause, situation)
    )


def _friendly(clause: Clause, situation: Situation) -> Share:
    """Return a friendly word to a greeting, to thanks or to a mood."""
    said = frozenset(words_in(clause.text))
    if said & GROUPS["angry"] and (situation.state != "idle" or "you" in said):
        return _apology(clause, situation)
    if said & GROUPS["thanks"]:
        return _word(pick(THANKS, clause.text), clause)
    if said & GROUPS["bye"] and len(said) <= SHORT:
        return _word(pick(BYE, clause.text), clause)
    if said & GROUPS["greeting"] and len(said) <= SHORT:
        return _word(f"{_greeting(situation)}{_name(situation)}. What can I do for you?", clause)
    if said >= {"how", "you"}:
        return _word(pick(HOW, clause.text), clause)
    return (
        reply_to_remark(clause, situation)
        if len(said) > SHORT or said & MOODS
        else _word(pick(FINE, clause.text), clause)
    )


MOODS = GROUPS["sad"] | GROUPS["glad"]


def reply_to_remark(clause: Clause, _situation: Situation) -> Share:
    """Return a short word to something told: nothing is asked for, so nothing is changed."""
    said = frozenset(words_in(clause.text))
    glad = said & GROUPS["glad"] and "not" not in said
    words = HARD if said & GROUPS["sad"] else GLAD if glad else ACKNOWLEDGEMENTS
    return _word(pick(words, clause.text), clause)


def explain(clause: Clause, _situation: Situation) -> Share:
    """Return what Summit is and how it is told to do something."""
    said = frozenset(words_in(clause.text))
    if said & GROUPS["connected"]:
        return Share(text=clause.text, note=CALENDARS)
    if said & {"undo", "restore", "recover"}:
        return Share(text=clause.text, note=WAY_BACK)
    if said & GROUPS["setting"]:
        return Share(text=clause.text, note=SETTING)
    return Share(text=clause.text, note=HOW_TO if said & GROUPS["how"] and "you" not in said else ABOUT_ME)


def refuse(clause: Clause, _situation: Situation) -> Share:
    """Return what Summit cannot do, and what it can."""
    setting = frozenset(words_in(clause.text)) & GROUPS["setting"]
    return Share(text=clause.text, note=NO_SETTING if setting else CANNOT, filler=True)


def way_back(clause: Clause) -> Share:
    """Return that every change can be taken back."""
    return answer(clause.text, WAY_BACK)


def _word(note: str, clause: Clause) -> Share:
    return Share(text=clause.text, note=note, filler=True)


def _apology(clause: Clause, situation: Situation) -> Share:
    """Return an apology that names the last change, so that it can be taken back."""
    last = situation.scene.last_change()
    if len(situation.clauses) > 1:
        return _word("I'm sorry.", clause)
    if last is None or situation.state != "did":
        return _word(pick(UPSET, clause.text), clause)
    told = f"I'm sorry. Say “undo that” to take back {quoted(last.title)}, or tell me what it should be."
    return answer(clause.text, told)


def _greeting(situation: Situation) -> str:
    hour = situation.now.hour
    return "Good morning" if hour < NOON else "Good afternoon" if hour < EVENING else "Good evening"


def _name(situation: Situation) -> str:
    profile = situation.ask.records.profile
    return f", {profile.name}" if profile and profile.name else ""
