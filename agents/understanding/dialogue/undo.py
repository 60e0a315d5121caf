"""Taking back what was done: by number and name from the thread's last turns, by name and time from the whole ledger."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents.contract import Change, Option, Pending, Proposal, Question
from agents.ledger.atomic_groups import group_members, undo_of
from agents.phrases import quoted, say_list
from agents.understanding.grammar import patterns_of
from agents.understanding.items.choose import MAX_OPTIONS, confirm, say_or
from agents.understanding.items.lately import (
    BARE_COUNT,
    COUNTS,
    QUOTES,
    applied,
    changed_now,
    covers,
    distinct,
    done,
    each_named,
    follows_change,
    named,
    of_kind,
    of_op,
    places,
    redos,
    telling,
    titled,
    turn_of,
    undos,
)
from agents.understanding.items.past import Period, lookback, period_in
from agents.understanding.references import words_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change, lost
from agents.understanding.text.intents import Intent

CAUGHT = 80
MOST_NAMED = 12
TAKEN_BACK = "you took it back"
P = patterns_of(__name__)
NOTHING = "I see nothing to undo in what we just talked about; every change can still be undone in the list of changes."
NO_SUCH = "I see no such change in what we just talked about, so I undid nothing."
NOTHING_BACK = "I see no undo to take back in what we just talked about."


@dataclass(frozen=True, slots=True)
class Request:
    """One request to take something back: its words, and the changes it may mean, oldest first; some undone already.

    ``pool`` are those of the thread's last turns, ``past`` those that the ledger found; None before it was asked.
    """

    text: str
    scene: Scene
    pool: list[Change]
    empty: str
    past: list[Change] | None = None

    @property
    def known(self) -> list[Change]:
        """All that may be named, oldest first."""
        return sorted(
            {item.id: item for item in [*self.pool, *(self.past or [])]}.values(), key=lambda item: item.cursor
        )

    @property
    def standing(self) -> list[Change]:
        """The changes that can be taken back now."""
        return [item for item in self.pool if item.status == "applied"]


def take_back(intent: Intent, text: str, scene: Scene) -> Share:
    """Undo what the words name: the last turn's changes, some of them by number, or changes by name or day."""
    if "soft" in intent.parts and (scene.before or scene.told or not scene.ask.recent_changes):
        return lost(text)
    rest = intent.parts.get("rest", "")
    rest = rest if len(rest) < CAUGHT - 1 else text[text.find(rest) :]
    again = P.OF_UNDO.match(rest)
    if again is None:
        return _meant(rest, _request(text, scene, done, NOTHING))
    which = redos if again["what"].lower().startswith("redo") else undos
    return _meant(rest[again.end() :], _request(text, scene, which, NOTHING_BACK))


def redo(text: str, scene: Scene) -> Share:
    """Take the last undo back, or the one that is named or numbered."""
    rest = re.sub(r"^\W*(?:redo|undo the undo)\b", "", text, flags=re.IGNORECASE)
    return _meant(rest, _request(text, scene, undos, NOTHING_BACK))


def undo_question(changes: Sequence[Change], scene: Scene) -> Question:
    """The question whether these changes are to be undone."""
    return _ask_all(changes, Request(scene.ask.text, scene, scene.ask.recent_changes, NOTHING)).questions[0]


def _request(text: str, scene: Scene, which: Callable[[Sequence[Change]], list[Change]], empty: str) -> Request:
    past = None if scene.ask.history is None else which(scene.ask.history)
    return Request(text, scene, which(scene.ask.recent_changes), empty, past)


def _meant(rest: str, request: Request) -> Share:
    """What the words after "undo" mean: a name, a time, a number, or the last turn."""
    spared = P.EXCEPT.search(rest) if not titled(rest, request.pool) else None
    if spared:
        return _all_but(rest[spared.end() :], rest[: spared.start()], request)
    period = period_in(rest, request.scene)
    named = _by_name(rest, period, request)
    if named is not None:
        return named
    if follows_change(request.scene):
        return lost(request.text)
    if period:
        return _by_period(rest, period, request)
    return _by_place(rest, request)


def _all_but(kept: str, whole: str, request: Request) -> Share:
    """The last turn without what is to stay: "everything except the vet"."""
    turn = applied(turn_of(request.pool))
    stays = named(kept, turn) or each_named(kept, turn)
    left = [item for item in turn if item not in stays]
    if not stays or not left or telling(whole):
        return lost(request.text)
    return _undo(left, request)


def _by_name(rest: str, period: Period | None, request: Request) -> Share | None:
    """The newest change of that name in any turn; None when the words name nothing."""
    exact = titled(rest, request.known)
    if exact:
        return _newest(exact, rest, request)
    bare = period.without(rest) if period else rest
    if not telling(bare):
        return None
    found = _called(bare, request.pool)
    then = period.holds(found) if period else found
    if then:
        return _newest(then, rest, request)
    if request.past is None:
        return Share(look_back=lookback(None, telling(bare)))
    found = _called(bare, request.past) or found
    then = period.holds(found) if period else found
    return _newest(then or found, rest, request, sure=bool(then)) if found else _unnamed(bare, request)


def _called(words: str, pool: Sequence[Change]) -> list[Change]:
    return named(words, pool) or each_named(words, pool)


def _unnamed(rest: str, request: Request) -> Share:
    """The truth about a name that no change has."""
    name = quoted(re.sub(r"^(?:(?:just|only|the|my|about|from|of|to)\s+)+", "", rest.strip(QUOTES)))
    return answer(request.text, f"Nothing called {name} was changed, so I undid nothing.")


def _newest(found: Sequence[Change], rest: str, request: Request, *, sure: bool = True) -> Share:
    """Undo the one change meant; changes of one title count as one, the newest; several titles are asked about."""
    standing = distinct(applied(found))
    if not standing:
        return answer(request.text, f"{quoted(found[-1].title)} is undone already.")
    if any(changed_now(item, request.scene) for item in standing):
        return lost(request.text)
    several = re.search(r",|&|\band\b", rest) is not None and not any(
        covers(item.title, words_of(rest)) for item in standing
    )
    if sure and (len(standing) == 1 or (several and each_named(rest, request.known))):
        return _undo(standing[::-1], request)
    return _ask(standing[::-1], request)


def _by_period(rest: str, period: Period, request: Request) -> Share:
    """The one change made then; several are asked about, and none is said."""
    if request.past is None:
        return Share(look_back=lookback(period, []))
    meant = of_op(rest, of_kind(rest, applied(request.past)))
    found = [item for item in period.holds(meant) if item.turn_id or not P.BY_YOU.search(rest)]
    if not found:
        return answer(request.text, f"I see no change from {period.label}, so I undid nothing.")
    if len(found) == 1:
        return _undo(found, request)
    return _ask_all(found, request) if P.ALL.search(rest) else _ask(found, request)


def _by_place(rest: str, request: Request) -> Share:
    """Some of the last turn's changes by their number, or all of them."""
    turn = of_kind(rest, turn_of(request.pool))
    if not request.standing or not turn:
        return _ask(of_kind(rest, request.standing), request)
    said = places(rest, len(turn))
    if said is None:
        return _uncounted(rest, turn, request)
    absent = next((word for word, place in said if not -len(turn) <= place < len(turn)), None)
    if absent:
        return answer(request.text, _no_such_place(turn, absent, request))
    return _chosen([turn[place] for place in sorted({place % len(turn) for _, place in said})], request)


def _uncounted(rest: str, turn: Sequence[Change], request: Request) -> Share:
    """The whole turn; "those two" of three are asked about."""
    count = BARE_COUNT.search(rest)
    if count and COUNTS[count[1].lower()] != len(turn):
        return _ask(applied(turn), request)
    return _whole(of_op(rest, turn), request)


def _no_such_place(turn: Sequence[Change], absent: str, request: Request) -> str:
    things = "1 thing" if len(turn) == 1 else f"{len(turn)} things"
    things += " of that kind" if len(turn) < len(turn_of(request.pool)) else ""
    named = say_list([quoted(item.title) for item in turn])
    return f"Your last message changed {things}: {named}, so there is no {absent}."


def _chosen(changes: Sequence[Change], request: Request) -> Share:
    standing = applied(changes)
    if not standing:
        return answer(request.text, f"{say_list([quoted(item.title) for item in changes])}: undone already.")
    return _undo(standing, request)


def _whole(turn: Sequence[Change], request: Request) -> Share:
    """All of the last turn; an older turn only after a yes, as the newest one changed nothing or is undone."""
    standing = applied(turn)
    if standing and _is_latest(standing[-1], request):
        return _undo(standing, request)
    return _ask_all(standing or turn_of(request.standing), request)


def _is_latest(item: Change, request: Request) -> bool:
    newest = request.scene.ask.recent_changes[-1]
    return item.op == "undo" or item.id == newest.id or (item.turn_id is not None and item.turn_id == newest.turn_id)


def _ask(changes: Sequence[Change], request: Request) -> Share:
    """Ask which; each option is a request of its own too, as buttons send their words."""
    shown = distinct(changes)[:MAX_OPTIONS]
    if not shown:
        return answer(request.text, NO_SUCH if request.standing else request.empty)
    titles = say_or([quoted(item.title) for item in shown])
    text = f"Which change shall I undo: {titles}?" if len(shown) > 1 else f"Do you want me to undo {titles}?"
    if len(shown) == 1:
        return confirm(text, _undo(shown, request).proposals, request.scene)
    draft = Proposal(op="undo", kind=shown[0].kind, reason=TAKEN_BACK)
    answers = [
        Option(label=item.title[:200], kind=item.kind, record_id=item.record_id, change_id=item.id) for item in shown
    ]
    asked = request.scene.ask
    pending = Pending(missing="which", text=asked.text, at=asked.at, proposals=[draft], options=answers)
    verb = "redo" if request.empty == NOTHING_BACK else "undo"
    options = [f"{verb} “{item.title}”" for item in shown]
    return Share(text=text, questions=[Question(text=text, options=options, pending=pending)])


def _ask_all(changes: Sequence[Change], request: Request) -> Share:
    if not changes:
        return answer(request.text, request.empty)
    names = list(dict.fromkeys(quoted(item.title) for item in reversed(changes)))[:MOST_NAMED][::-1]
    told = {quoted(item.title) for item in changes}
    titles = f"{', '.join(names)} and {len(told) - len(names)} more" if len(told) > len(names) else say_list(names)
    count = f"all {len(changes)} changes: " if len(changes) > len(names) else ""
    return confirm(f"Do you want me to undo {count}{titles}?", _undo(changes, request).proposals, request.scene)


def _undo(changes: Sequence[Change], request: Request) -> Share:
    whole = reversed(_whole_changes(changes, request))
    return change(request.text, *(undo_of(item, TAKEN_BACK) for item in whole))


def _whole_changes(changes: Sequence[Change], request: Request) -> list[Change]:
    """What was made as one is undone as one."""
    if not any(item.together for item in changes):
        return list(changes)
    return group_members(changes, [item for item in request.known if item.status == "applied"])
