"""Short natural replies that change nothing: to greetings and moods, about Summit itself, and what it cannot do."""

from __future__ import annotations

from agents.phrases import ABILITIES, CANNOT_DO_THAT, quote
from agents.reading.reading import Clause
from agents.understanding import said
from agents.understanding.questions.coaching import ENERGIES, has_open_task, suggest_task
from agents.understanding.share import Share, answer
from agents.understanding.situation import Situation

NOON, EVENING = 12, 18
CALENDARS = (
    "Calendars of CalDAV servers and of Google are connected in the settings, any other can be subscribed to and is "
    "only read; the guide to calendars shows how (docs/guide/calendars.md)."
)
ABOUT_ME = f"I'm Summit. {ABILITIES} {said.HOW_TO} I can't make calls or look things up on the web."
HELP_WITH = {"howto": said.HOW_TO, "settings": said.SETTING, "connect": CALENDARS}
REPLIES_BY_TOPIC = {
    "thanks": said.THANKS, "praise": said.GLAD, "bye": said.BYE, "howareyou": said.HOW, "sad": said.SOUNDS_HARD,
    "tired": said.SOUNDS_HARD, "glad": said.GLAD, "lively": said.GLAD,
}  # fmt: skip
"""What is said to a mood, by its topic."""
SURE_TOPIC = 0.6
"""How surely a topic is told that is answered by more than what fits all of them."""
SURE_MOOD = 0.95
"""How surely something told is sad or glad before anybody says so: consoling nobody is better than the wrong one."""


def reply_to_chat(clause: Clause, situation: Situation) -> Share:
    """Return a friendly word, or what to do with the energy that is told of."""
    topic = _sure_topic(clause)
    if topic in ENERGIES and len(situation.clauses) == 1 and has_open_task(situation):
        return suggest_task(clause, situation)
    if topic == "anger":
        return _apology(clause, situation)
    if topic == "greeting":
        return _word(f"{_greeting(situation)}{_name(situation)}. What can I do for you?", clause)
    return _word(said.pick(REPLIES_BY_TOPIC.get(topic, said.FINE), clause.text), clause)


def reply_to_remark(clause: Clause, _situation: Situation) -> Share:
    """Return a short word to something told: nothing is asked for, so nothing is changed."""
    mood = clause.topic if clause.topic_sure >= SURE_MOOD else "plain"
    return _word(said.pick(REPLIES_BY_TOPIC.get(mood, said.ACKNOWLEDGEMENTS), clause.text), clause)


def _sure_topic(clause: Clause) -> str:
    """Return what a clause is about, where it tells that surely."""
    return clause.topic if clause.topic_sure >= SURE_TOPIC else "plain"


def explain(clause: Clause, _situation: Situation) -> Share:
    """Return what Summit is and how it is told to do something."""
    return Share(text=clause.text, note=HELP_WITH.get(_sure_topic(clause), ABOUT_ME))


def refuse(clause: Clause, _situation: Situation) -> Share:
    """Return what Summit cannot do, and what it can."""
    return _word(said.NO_SETTING if _sure_topic(clause) == "settings" else CANNOT_DO_THAT, clause)


def _word(note: str, clause: Clause) -> Share:
    return Share(text=clause.text, note=note, filler=True)


def _apology(clause: Clause, situation: Situation) -> Share:
    """Return an apology that names the last change, so that it can be taken back."""
    done = situation.just_done()
    if len(situation.clauses) > 1:
        return _word("I'm sorry.", clause)
    if not done or situation.state != "did":
        return _word(said.pick(said.UPSET, clause.text), clause)
    told = f"I'm sorry. Say “undo that” to take back {quote(done[-1].title)}, or tell me what it should be."
    return answer(clause.text, told)


def _greeting(situation: Situation) -> str:
    hour = situation.now.hour
    return "Good morning" if hour < NOON else "Good afternoon" if hour < EVENING else "Good evening"


def _name(situation: Situation) -> str:
    profile = situation.ask.records.profile
    return f", {profile.name}" if profile and profile.name else ""
