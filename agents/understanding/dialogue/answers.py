"""What a clause comes to that asks for no change: a question, what to do now, help, talk, what cannot be done."""

from __future__ import annotations

from collections.abc import Callable

from agents.contract import Lookback
from agents.ledger.approvals import LEFT_AS_IS
from agents.reading.labels import QUESTIONS
from agents.reading.reading import Clause
from agents.understanding.changes.change import mark_done
from agents.understanding.dialogue import smalltalk
from agents.understanding.hearing import suggested_in
from agents.understanding.outcome import not_understood
from agents.understanding.questions import agenda, lines, todos
from agents.understanding.questions.coaching import accept_suggestion, decline_suggestion, suggest_task
from agents.understanding.questions.days import asked_span
from agents.understanding.questions.query import Query, follow_up, query_of
from agents.understanding.questions.room import room
from agents.understanding.questions.topics import look_up, topic_of
from agents.understanding.said import NOTHING_WAITS
from agents.understanding.share import Share, answer
from agents.understanding.situation import Situation

MIN_DONE_CHANCE = 0.2
"""How probably a yes to what was suggested tells that it is done."""
DOUBTED = 0.6
"""What helps and coaches is meant at least this surely beside a request, or it is only a way of speaking."""


def answer_clause(clause: Clause, situation: Situation) -> Share:
    """Return what a clause comes to that wants nothing changed."""
    if clause.act in ("help", "coach", "vague") and _is_aside(clause, situation):
        return Share(text=clause.text)
    return TALK[clause.act](clause, situation)


def _is_aside(clause: Clause, situation: Situation) -> bool:
    """Return whether words beside a request only lead up to it or ask once more for the same: "can you fix that"."""
    others = [other for other in situation.clauses if other is not clause and other.act not in ("remark", "chat")]
    if not others or clause.act == "vague" or clause.sure < DOUBTED:
        return bool(others)
    return clause.act == "help" and not clause.slots


def answer_help(clause: Clause, situation: Situation) -> Share:
    """Return help, or what is stored where that is to be shown: "show me my ideas"."""
    explain = answer_question if clause.topic in QUESTIONS else smalltalk.explain
    return explain(clause, situation)


def answer_question(clause: Clause, situation: Situation) -> Share:
    """Return the answer to a question, from what is stored if anything there tells it."""
    query = follow_up(query_of(clause, situation), situation)
    parts = [_look_up(one, situation) for one in query.for_each_day()]
    told = [sentence for part in parts for sentence in part.answers]
    whole = len(parts) > 1 and all(part.answers and not part.questions for part in parts)
    return answer(clause.text, *dict.fromkeys(told)) if whole else parts[0]


def _look_up(query: Query, situation: Situation) -> Share:
    """Return the answer to a question about one time."""
    if topic_of(query, situation) == "room":
        return room(query, situation)
    told = look_up(query, situation)
    return Share(look_back=told) if isinstance(told, Lookback) else answer(query.text, *told)


def advise(clause: Clause, situation: Situation) -> Share:
    """Return what to do now, with what is next on the calendar where that is asked; what a list has or is due until."""
    query = query_of(clause, situation)
    if clause.all("l") and lines.asked_lists(query, situation):
        return answer(clause.text, *lines.say_lists(query, situation))
    until = query.when if query.when and query.when.kind == "open_before" else None
    if until and not until.timed and not clause.all("d"):
        return answer(clause.text, *todos.todos(query, situation))
    if query.when and not clause.all("d") and asked_span(query, situation)[0].date() > situation.now.date():
        return answer(clause.text, *agenda.agenda(query, situation))  # "plan my saturday"
    share = suggest_task(clause, situation)
    asks_next = "next" in query.word_set and not query.about and "do" not in query.word_set
    event = agenda.next_soon(situation) if asks_next else []
    share.answers = [*event, *share.answers] if share.suggestion or not event else event
    return share


def answer_yes(clause: Clause, situation: Situation) -> Share:
    """Return what a yes to no question means: that what was suggested is begun, or nothing."""
    if any(other.act != "yes" for other in situation.clauses) or situation.at:
        return Share(text=clause.text)
    if suggested_in(situation.ask) and clause.chances.get("done", 0) > MIN_DONE_CHANCE:
        return mark_done(clause, situation).share
    return accept_suggestion(clause, situation) or Share(text=clause.text, note=NOTHING_WAITS)


def answer_no(clause: Clause, situation: Situation) -> Share:
    """Return another suggestion where one is passed over, else that nothing is changed."""
    if len(situation.clauses) > 1:
        return Share(text=clause.text)
    return decline_suggestion(clause, situation) or Share(text=clause.text, note=LEFT_AS_IS)


def answer_vague(clause: Clause, situation: Situation) -> Share:
    """Return words of which nobody can say what they want, unless they agree to what was suggested."""
    alone = len(situation.clauses) <= 1
    return (accept_suggestion(clause, situation) if alone else None) or not_understood(clause.text).share


def answer_stray(clause: Clause, situation: Situation) -> Share:
    """Return an answer to no question: not understood when it is all that was said."""
    return Share(text=clause.text) if len(situation.clauses) > 1 else not_understood(clause.text).share


TALK: dict[str, Callable[[Clause, Situation], Share]] = {
    "ask": answer_question, "coach": advise, "help": answer_help, "chat": smalltalk.reply_to_chat,
    "remark": smalltalk.reply_to_remark, "cannot": smalltalk.refuse, "vague": answer_vague,
    "yes": answer_yes, "no": answer_no, "pick": answer_stray, "tell": answer_stray,
}  # fmt: skip
