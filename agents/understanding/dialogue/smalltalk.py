"""Short natural replies that change nothing: to greetings and moods, about Summit itself, and what it cannot do."""

from __future__ import annotations

from agents.phrases import ABILITIES, CANNOT_DO_THAT, quote
from agents.reading.reading import Clause
from agents.understanding.clause_reading import ClauseReading, answer
from agents.understanding.questions.coaching import ENERGIES, has_open_task, suggest_task
from agents.understanding.said import (
    ACKNOWLEDGEMENTS,
    BYE,
    FINE,
    GLAD,
    HOW,
    HOW_TO,
    NO_SETTING,
    SETTING,
    SOUNDS_HARD,
    THANKS,
    UPSET,
    pick,
)
from agents.understanding.situation import Situation

NOON, EVENING = 12, 18
CALENDARS = (
    "Calendars of CalDAV servers and of Google are connected in the settings, any other can be subscribed to and is "
    "only read; the guide to calendars shows how (docs/guide/calendars.md)."
)
ABOUT_ME = f"I'm Summit. {ABILITIES} {HOW_TO} I can't make calls or look things up on the web."
HELP_WITH = {"howto": HOW_TO, "settings": SETTING, "connect": CALENDARS}
REPLIES_BY_TOPIC = {
    "thanks": THANKS, "praise": GLAD, "bye": BYE, "howareyou": HOW, "sad": SOUNDS_HARD, "tired": SOUNDS_HARD,
    "glad": GLAD, "lively": GLAD,
}  # fmt: skip
"""What is said to a mood, by its topic."""
SURE_TOPIC = 0.6
"""How surely a topic is told that is answered by more than what fits all of them."""


SURE_MOOD = 0.95
"""How surely something told is sad or glad before anybody says so: consoling nobody is better than the wrong one."""


def reply_to_chat(clause: Clause, situation: Situation) -> ClauseReading:
    """Return a friendly word, or what to do with the energy that is told of."""
    topic = _sure_topic(clause)
    if topic in ENERGIES and len(situation.clauses) == 1 and has_open_task(situation):
        return suggest_task(clause, situation)
    if topic == "anger":
        return _apology(clause, situation)
    if topic == "greeting":
        return _word(f"{_greeting(situation)}{_name(situation)}. What can I do for you?", clause)
    return _word(pick(REPLIES_BY_TOPIC.get(topic, FINE), clause.text), clause)


def reply_to_remark(clause: Clause, _situation: Situation) -> ClauseReading:
    """Return a short word to something told: nothing is asked for, so nothing is changed."""
    mood = clause.topic if clause.topic_sure >= SURE_MOOD else "plain"
    return _word(pick(REPLIES_BY_TOPIC.get(mood, ACKNOWLEDGEMENTS), clause.text), clause)


def _sure_topic(clause: Clause) -> str:
    """Return what a clause is about, where it tells that surely."""
    return clause.topic if clause.topic_sure >= SURE_TOPIC else "plain"


def explain(clause: Clause, _situation: Situation) -> ClauseReading:
    """Return what Summit is and how it is told to do something."""
    return ClauseReading(text=clause.text, note=HELP_WITH.get(_sure_topic(clause), ABOUT_ME))


def refuse(clause: Clause, _situation: Situation) -> ClauseReading:
    """Return what Summit cannot do, and what it can."""
    return ClauseReading(
        text=clause.text, note=NO_SETTING if _sure_topic(clause) == "settings" else CANNOT_DO_THAT, filler=True
    )


def _word(note: str, clause: Clause) -> ClauseReading:
    return ClauseReading(text=clause.text, note=note, filler=True)


def _apology(clause: Clause, situation: Situation) -> ClauseReading:
    """Return an apology that names the last change, so that it can be taken back."""
    last = situation.scene.last_change()
    if len(situation.clauses) > 1:
        return _word("I'm sorry.", clause)
    if last is None or situation.state != "did":
        return _word(pick(UPSET, clause.text), clause)
    told = f"I'm sorry. Say “undo that” to take back {quote(last.title)}, or tell me what it should be."
    return answer(clause.text, told)


def _greeting(situation: Situation) -> str:
    hour = situation.now.hour
    return "Good morning" if hour < NOON else "Good afternoon" if hour < EVENING else "Good evening"


def _name(situation: Situation) -> str:
    profile = situation.ask.records.profile
    return f", {profile.name}" if profile and profile.name else ""
