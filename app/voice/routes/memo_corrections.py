"""A memo is corrected, or its words are confirmed: what acted on it follows."""

from __future__ import annotations

from uuid import UUID

from agents.contract import Change
from app.errors import NotFound
from app.http.deps import Services
from app.turns.model.turns import Turn
from app.voice.model import Memo, MemoEdit
from app.voice.store.memo_edits import MemoEdits

NO_MEMO = "There is no such memo."


async def memo_of(services: Services, user_id: UUID, memo_id: UUID) -> Memo:
    """One memo; raises NotFound."""
    memo = await services.memos.get(user_id, memo_id)
    if memo is None:
        raise NotFound(NO_MEMO)
    return memo


async def correct_memo(services: Services, user_id: UUID, memo: Memo, wanted: MemoEdit) -> tuple[Memo, Change | None]:
    """The memo as it is then, and the change of it, if it was not like that already.

    What a turn did because of other words is undone, and these are said in its thread. Raises Conflict, NotFound.
    """
    told = wanted.transcript is not None and (wanted.transcript != memo.transcript or memo.state == "needs_you")
    turn = await services.inbox.get(user_id, memo.turn_id) if memo.turn_id and wanted.transcript else None
    if turn and told:
        await services.turns.take_back(turn)
    change = await services.get(MemoEdits).edit(user_id, memo.id, wanted)
    memo = await memo_of(services, user_id, memo.id)
    return (await said_again(services, turn, memo) if turn else memo), change


async def said_again(services: Services, turn: Turn, memo: Memo) -> Memo:
    """The memo, whose words its turn acts on if it has not; where that takes another turn, it is that one's."""
    again = await services.turns.say_again(turn, memo)
    return memo if again is None or again.id == turn.id else await acted_by(services, again, memo)


async def acted_by(services: Services, turn: Turn, memo: Memo) -> Memo:
    """The memo, which names that turn from now on."""
    await services.memos.set_state(turn.user_id, memo.id, "transcribed", turn_id=turn.id)
    return await memo_of(services, turn.user_id, memo.id)
