"""What a clause comes to that asks for no change: a question, what to do now, help, talk, what cannot be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agents.contract import Lookback
from agents.ledger.approvals import LEFT
from agents.phrases import NOT_IN_NOTES
from agents.reading.reading import Clause
from agents.rendering.agenda import say_slot
from agents.understanding import smalltalk
from agents.understanding.change import done
from agents.understanding.hearing import suggested_in
from agents.understanding.questions import agenda, dates, details, history, lines, notes, personal, ringing, todos
from agents.understanding.questions.coaching import accept_suggestion, decline_suggestion, suggest_task
from agents.understanding.questions.query import Query, follow_up, query_of
from agents.understanding.questions.room import room
from agents.understanding.questions.topics import Topic, topic_of
from agents.understanding.questions.vocabulary import GROUPS, words_in
from agents.understanding.records.imported import elsewhere
from agents.understanding.said import NOTHING_WAITS
from agents.understanding.share import Share, answer, lost
from agents.understanding.situation import Situation
from agents.understanding.slot_values import seconds_in

Answer = Callable[[Query, Situation], list[str] | Lookback]
ANSWERS: Mapping[Topic, Answer] = {
    "rules": personal.rules, "history": history.history, "timers": ringing.timers, "clock": dates.clock,
    "date": dates.date_itself, "former": personal.former_facts, "profile": personal.profile, "clashes": agenda.clashes,
    "tagged": todos.say_tagged, "list": lines.say_lists, "countdown": details.countdowns, "length": details.lengths,
    "steps": details.steps,
    "state": details.states,
    "reminders": ringing.reminders, "details": details.details, "finished": todos.finished_tasks,
    "hours": agenda.hours_of_day, "work left": todos.work_left, "todos": todos.todos, "next": agenda.coming_next,
    "agenda": agenda.agenda, "notes": notes.notes,
}  # fmt: skip
DOUBTED = 0.6
"""What helps and coaches is meant at least this surely beside a request, or it is only a way of speaking."""


def answered(clause: Clause, situation: Situation) -> Share:
    """Return what a clause comes to that wants nothing changed."""
    if clause.act in ("help", "coach", "vague") and _is_aside(clause, situation):
        return Share(text=clause.text)
    return TALK.get(clause.act, _silent)(clause, situation)


def _is_aside(clause: Clause, situation: Situation) -> bool:
    """Return whether words beside a request only lead up to it or ask once more for the same: "can you fix that"."""
    others = [other for other in situation.clauses if other is not clause and other.act not in ("remark", "chat")]
    if not others or clause.act == "vague" or clause.sure < DOUBTED:
        return bool(others)
    asks = GROUPS["open question"] & set(words_in(clause.text))
    return not clause.slots and (clause.act == "help" or not asks)


def answer_help(clause: Clause, situation: Situation) -> Share:
    """Return help, or what is stored where it is to be shown: "show me my ideas"."""
    query = query_of(clause, situation)
    topic = topic_of(query, situation)
    shown = query.first in ("show", "list", "read", "tell", "give") and topic != "memory"
    if shown or (topic == "history" and query.has("why")):
        return answer_question(clause, situation)
    return smalltalk.explain(clause, situation)


def answer_question(clause: Clause, situation: Situation) -> Share:
    """Return the answer to a question, from what is stored if anything there tells it."""
    query = follow_up(query_of(clause, situation), situation)
    topic = topic_of(query, situation)
    if topic == "todos" and query.about and query.named and not any(item.kind == "todo" for item in query.named):
        topic = "details"
    if topic == "room":
        return room(query, situation)
    if topic == "way back":
        return smalltalk.way_back(clause)
    if _wants_coach(query, situation):
        return suggest_task(clause, situation)
    told = ANSWERS.get(topic, _remembered)(query, situation)
    if isinstance(told, Lookback):
        return Share(look_back=told)
    return answer(clause.text, *(told or _remembered(query, situation)))


def _wants_coach(query: Query, situation: Situation) -> bool:
    """Return whether it asks what fits into the next minutes: "anything i can do in 15 minutes"."""
    return query.asks("can", "do") and bool(query.minutes or seconds_in(query.when_said, situation)) and not query.named


def _remembered(query: Query, situation: Situation) -> list[str]:
    """Return the fact, the notes or the imported appointment that a question is about, else that there is nothing."""
    facts = personal.facts(query, situation)
    if facts:
        return facts
    told = notes.memory(query, situation)
    there = elsewhere(query.about, situation.scene) if told == [NOT_IN_NOTES] and query.about else None
    return [f"{say_slot(there, situation.now)}."] if there else told


def advise(clause: Clause, situation: Situation) -> Share:
    """Return what to do now, or what is to be bought or packed where a list has it."""
    query = query_of(clause, situation)
    needed = query.has("shop", "pack") or "need" in query.said
    if needed and not clause.all("d") and lines.asked_lists(query, situation):
        return answer(clause.text, *lines.say_lists(query, situation))
    dated = query.when is not None and query.when_said and not seconds_in(query.when_said, situation)
    if dated and query.said & {"need", "have"} and not clause.all("d"):
        return answer(clause.text, *todos.todos(query, situation))
    share = suggest_task(clause, situation)
    event = agenda.next_soon(situation) if query.has("next") and not query.about and "do" not in query.said else []
    share.answers = [*event, *share.answers] if share.suggestion or not event else event
    return share


def answer_yes(clause: Clause, situation: Situation) -> Share:
    """Return what a yes to no question means: that what was suggested is begun, or nothing."""
    if any(other.act != "yes" for other in situation.clauses) or situation.at:
        return Share(text=clause.text)
    if suggested_in(situation.ask) and GROUPS["finish"] & set(words_in(clause.text)):
        return done(clause, situation).share
    return accept_suggestion(clause, situation) or Share(text=clause.text, note=NOTHING_WAITS)


def answer_no(clause: Clause, situation: Situation) -> Share:
    """Return another suggestion where one is passed over, else that nothing is changed."""
    if len(situation.clauses) > 1:
        return Share(text=clause.text)
    return decline_suggestion(clause, situation) or Share(text=clause.text, note=LEFT)


def answer_vague(clause: Clause, situation: Situation) -> Share:
    """Return words of which nobody can say what they want, unless they agree to what was suggested."""
    alone = len(situation.clauses) <= 1
    return (accept_suggestion(clause, situation) if alone else None) or lost(clause.text)


def answer_stray(clause: Clause, situation: Situation) -> Share:
    """Return an answer to no question: not understood when it is all that was said."""
    return Share(text=clause.text) if len(situation.clauses) > 1 else lost(clause.text)


def _silent(clause: Clause, _situation: Situation) -> Share:
    return Share(text=clause.text)


TALK: dict[str, Callable[[Clause, Situation], Share]] = {
    "ask": answer_question, "coach": advise, "help": answer_help, "chat": smalltalk.reply_to_chat,
    "remark": smalltalk.reply_to_remark, "cannot": smalltalk.refuse, "vague": answer_vague,
    "yes": answer_yes, "no": answer_no, "pick": answer_stray, "tell": answer_stray,
}  # fmt: skip
