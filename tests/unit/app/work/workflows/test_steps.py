"""What a step does when its run is cut short and taken up again."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

from agents.contract import Outcome
from app.principal import StaleLease
from app.turns.model.turns import Accepted, NewTurn, Turn
from app.work.workflows.model import StepEnd, WorkflowRun
from app.work.workflows.steps import Steps, StepSurroundings
from app.work.workflows.worker import WorkflowWorker
from tests.support.workflow_runs import NOW, USER, Kept, no_pause

DONE = Turn(
    id=uuid4(),
    user_id=USER,
    thread_id=uuid4(),
    seq=1,
    state="done",
    text=None,
    memo_id=None,
    captured_at=NOW,
    timezone="UTC",
    generation=1,
    attempt=1,
    cancel_requested=False,
    created_at=NOW,
    result=Outcome(disposition="dispatch", reply="Booked it."),
)


class CutShort(Kept):
    """A run whose first claim is lost before what came of its step is kept."""

    async def claim(self, user: UUID, run: UUID) -> WorkflowRun | None:
        self.run = replace(self.run, generation=self.run.generation + 1)
        return await super().claim(user, run)

    async def end(self, run: WorkflowRun, place: int, end: StepEnd) -> None:
        if len(self.begun) == 1:
            raise StaleLease
        await super().end(run, place, end)


class Talk:
    """Threads, and turns that are done at once: one for each key."""

    def __init__(self) -> None:
        self.taken: dict[str | None, Turn] = {}

    async def create(self, _user: UUID, _name: str, thread_id: UUID) -> Any:
        return SimpleNamespace(id=thread_id)

    async def submit(self, new: NewTurn) -> Accepted:
        known = new.idempotency_key in self.taken
        turn = self.taken.setdefault(new.idempotency_key, replace(DONE, id=uuid4(), text=new.text))
        return Accepted(turn, replayed=known)

    async def wait(self, _user: UUID, turn_id: UUID, _seconds: float) -> Turn:
        return next(turn for turn in self.taken.values() if turn.id == turn_id)


def steps(talk: Talk) -> Steps:
    """Steps that can only talk."""
    unused: Any = SimpleNamespace(read=None, hold=None)
    given: Any = talk
    return Steps(
        StepSurroundings(
            turns=given,
            threads=given,
            users=unused,
            memo=unused,
            memory=unused,
            thinker=unused,
            servers=unused,
            mail=unused,
            timezone="UTC",
            most_chars=10_000,
        )
    )


async def test_a_message_is_sent_once_however_often_its_run_is_taken_up() -> None:
    kept, talk = CutShort({"id": "book", "kind": "turn", "message": "book the dentist"}), Talk()
    worker = WorkflowWorker(kept, steps(talk), no_pause)
    for _ in range(2):
        await worker.run(USER, kept.run.id)
    assert (kept.over, kept.begun) == (("done", ""), [("book", 1), ("book", 1)])
    assert [turn.text for turn in talk.taken.values()] == ["book the dentist"]
