"""What people ask for, as flows that can be asked again after a crash: a message, a clip, an undo, a memo, and more.

Each has its own way to tell that all of it happened once.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import md5
from typing import Any

import httpx
import numpy as np
import psycopg

from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.speech.sounds import RATE, encode, voice
from tests.support.waiting import HANG_SECONDS
from tests.survival.fleet import CLIENT, ONE, THREE, WHEN, distinct, finished, insist, post
from tests.survival.run_rounds import GOAL, PRICED, UNBALANCED, UNSEEN

END_SECONDS = 2 * HANG_SECONDS
ROUND = {
    "slug": "round",
    "name": "Round",
    "inputs": ["task"],
    "steps": [
        {"id": "add", "kind": "turn", "message": "{{inputs.task}}"},
        {"id": "tell", "kind": "notify", "text": "{{inputs.task}}: {{steps.add}}"},
    ],
}


class Flow(ABC):
    """Something that a client asks for, again and again with one key until it is answered.

    All of it is over when nothing happened for ``seconds``; ``beside`` begins the names of boundaries that others pass.
    What it is answered at first stays its answer if it ``repeats``; else the id stays.
    """

    beside: tuple[str, ...] = ("Runner.run", "summit:index_memory", "MemorySources", "MemoryIndex.")
    seconds = 3.0
    repeats = True

    @property
    def settings(self) -> dict[str, str]:
        """Of the servers that it is asked of."""
        return {}

    def prepare(self, url: str, mark: str) -> Any:
        """What has to be there before; given to the rest as ``there``."""
        return None

    @abstractmethod
    def ask(self, url: str, mark: str, there: Any) -> httpx.Response:
        """One attempt."""

    @abstractmethod
    def once(self, url: str, mark: str, there: Any, answer: dict[str, Any]) -> None:
        """Wait for its end; raises AssertionError unless all of it happened once."""

    def broken(self, conn: psycopg.Connection) -> list[str]:
        """What is wrong in the database at the end, beside what must hold for everything."""
        return []


class Task(Flow):
    """A message with one part."""

    text = ONE
    kinds: tuple[str, ...] = ("todo",)
    repeats = False

    def ask(self, url: str, mark: str, there: Any) -> httpx.Response:
        return post(url, self.text, f"turn-{mark}")

    def once(self, url: str, mark: str, there: Any, answer: dict[str, Any]) -> None:
        turn = finished(url, answer["id"], END_SECONDS)
        assert turn["status"] == "done", turn
        assert applied(turn) == list(self.kinds), turn


class ThreeEffects(Task):
    """A message with three parts."""

    text = THREE
    kinds = ("event", "note", "todo")


class Clip(Flow):
    """A recording that asks for a task; a server knows what each one says."""

    seconds = 6.0
    repeats = False

    def __init__(self, models: ScriptedModelServer) -> None:
        self._words: dict[bytes, str] = {}
        self._url = models.base_url
        self._voice = voice()[: 2 * RATE]
        models.script("/audio/transcriptions", self._heard)

    @property
    def settings(self) -> dict[str, str]:
        return {"SUMMIT_TRANSCRIBER": "remote", "SUMMIT_TRANSCRIPTION_BASE_URL": self._url}

    def prepare(self, url: str, mark: str) -> Any:
        sound = self._voice.copy()
        sound[:8] = np.frombuffer(md5(mark.encode(), usedforsecurity=False).digest(), np.int16)
        clip = encode(sound, "wav")
        self._words[clip] = distinct(ONE, f"clip-{mark}")
        return clip

    def ask(self, url: str, mark: str, there: Any) -> httpx.Response:
        files, headers = {"audio": ("clip.wav", there)}, {"Idempotency-Key": f"clip-{mark}"}
        return CLIENT.post(f"{url}/v1/turns", files=files, data=dict(WHEN), headers=headers)

    def once(self, url: str, mark: str, there: Any, answer: dict[str, Any]) -> None:
        turn = finished(url, answer["id"], END_SECONDS)
        assert turn["status"] == "done", turn
        assert [kind for kind in applied(turn) if kind != "memo"] == ["todo"], turn
        path = f"{url}/v1/memos/{turn['input']['memo_id']}"
        memo = until(lambda: CLIENT.get(path).json(), lambda found: found["state"] in ("acted", "indexed"))
        assert memo["transcript"] == self._words[there]
        assert CLIENT.get(f"{path}/audio").content == there
        memos = CLIENT.get(f"{url}/v1/memos", params={"limit": 200}).json()["items"]
        assert [one["id"] for one in memos if one["transcript"] == memo["transcript"]] == [memo["id"]]

    def _heard(self, request: RecordedRequest) -> Reply:
        words = self._words[request.form["file"]]
        part = {"start": 0.0, "end": 2.0, "text": words, "avg_logprob": -0.1, "no_speech_prob": 0.01}
        return Reply({"text": words, "language": "english", "segments": [part]})


class Undo(Flow):
    """A task that is taken back."""

    def prepare(self, url: str, mark: str) -> Any:
        return insist(url, ONE, f"task-{mark}")["changes"][0]["id"]

    def ask(self, url: str, mark: str, there: Any) -> httpx.Response:
        return CLIENT.post(f"{url}/v1/changes/{there}/undo", headers={"Idempotency-Key": f"undo-{mark}"})

    def once(self, url: str, mark: str, there: Any, answer: dict[str, Any]) -> None:
        assert answer["undo_of"] == there
        assert answer["status"] == "applied"
        undone = [one for one in changes(url) if one["undo_of"] == there]
        assert [one["id"] for one in undone] == [answer["id"]]


class Workflow(Flow):
    """A workflow that adds a task and tells of it."""

    def prepare(self, url: str, mark: str) -> Any:
        assert CLIENT.put(f"{url}/v1/workflows/round", json=ROUND).status_code == 200
        return distinct(ONE, f"flow {mark}")

    def ask(self, url: str, mark: str, there: Any) -> httpx.Response:
        headers = {"Idempotency-Key": f"flow-{mark}"}
        return CLIENT.post(f"{url}/v1/workflows/round/runs", json={"inputs": {"task": there}}, headers=headers)

    def once(self, url: str, mark: str, there: Any, answer: dict[str, Any]) -> None:
        path = f"{url}/v1/workflows/round/runs/{answer['id']}"
        run = until(lambda: CLIENT.get(path).json(), lambda found: found["finished_at"])
        assert run["status"] == "done", run
        made = [one for one in changes(url) if one["op"] == "create" and one["title"] in there]
        assert len(made) == 1, made
        told = CLIENT.get(f"{url}/v1/notifications", params={"limit": 200}).json()["items"]
        assert len([one for one in told if one["text"].startswith(there)]) == 1


class Remembering(Flow):
    """A memo in words, which a job of the background then indexes."""

    beside: tuple[str, ...] = ("search_memory",)
    repeats = False
    seconds = 6.0  # the job is looked for every three seconds

    def prepare(self, url: str, mark: str) -> Any:
        return distinct("{} likes the lighthouse", f"memo {mark}")

    def ask(self, url: str, mark: str, there: Any) -> httpx.Response:
        headers = {"Idempotency-Key": f"memo-{mark}"}
        return CLIENT.post(f"{url}/v1/memos", json={"transcript": there}, headers=headers)

    def once(self, url: str, mark: str, there: Any, answer: dict[str, Any]) -> None:
        who = there.split()[0]

        def cited() -> list[str]:
            found = CLIENT.post(f"{url}/v1/memory/search", json={"query": who}).json()["items"]
            return [one["id"] for one in found if who in one["quote"]]

        assert until(cited, lambda found: found) == [answer["id"]]
        path = f"{url}/v1/memos/{answer['id']}"  # found as soon as it is stored, a moment before the memo says so
        until(lambda: CLIENT.get(path).json(), lambda found: found["state"] == "indexed")


class Run(Flow):
    """A run that adds a task and writes a file, as a model tells it."""

    seconds = 8.0

    def __init__(self, models: ScriptedModelServer) -> None:
        self._url = models.base_url
        models.script("/chat/completions", self._next_call)

    @property
    def settings(self) -> dict[str, str]:
        named = {"SUMMIT_LLM_BASE_URL": self._url, "SUMMIT_LLM_MODEL": "scripted", "SUMMIT_LLM_API_KEY": "x"}
        return {**named, **PRICED}

    def prepare(self, url: str, mark: str) -> Any:
        return f"r{mark}"

    def ask(self, url: str, mark: str, there: Any) -> httpx.Response:
        body = {"goal": f"goal {there}", "planner": "react"}
        return CLIENT.post(f"{url}/v1/runs", json=body, headers={"Idempotency-Key": f"run-{mark}"})

    def once(self, url: str, mark: str, there: Any, answer: dict[str, Any]) -> None:
        path = f"{url}/v1/runs/{answer['id']}"
        run = until(lambda: _approved(path), lambda found: found["status"] == "done")
        assert run["stop_reason"] == "goal_achieved", run
        made = [one for one in changes(url) if one["op"] == "create" and one["title"] == f"task {there}"]
        assert len(made) == 1, made

    def broken(self, conn: psycopg.Connection) -> list[str]:
        checks = {"traces have a gap": UNSEEN, "accounts do not add up": UNBALANCED}
        counts = {what: conn.execute(check.encode()).fetchone() for what, check in checks.items()}
        return [f"{count} {what}" for what, count in counts.items() if count != (0,)]

    def _next_call(self, request: RecordedRequest) -> Reply:
        messages = [str(message["content"]) for message in request.json["messages"]]
        goal = GOAL.search(" ".join(messages[1:]))
        name = goal.group(1) if goal else "nobody"
        calls = [
            Call("change_record", {"op": "create", "kind": "todo", "fields": {"task": f"task {name}"}}),
            Call("write_file", {"path": f"{name}/draft.txt", "content": name}),
            Call("finish", {"answer": f"{name} is done"}),
        ]
        seen = sum("<observation tool" in message for message in messages[1:])
        return chat(calls[min(seen, len(calls) - 1)])(request)


def _approved(path: str) -> dict[str, Any]:
    """How a run is; a call whose outcome a crash left unknown is tried again, as its user would."""
    run = dict(CLIENT.get(path).json())
    if run["status"] == "waiting":
        for asked in CLIENT.get(f"{path}/approvals").json()["items"]:
            if asked["status"] == "pending":
                answer = {"approval_id": asked["id"], "action": "approve"}
                CLIENT.post(f"{path}/approvals", json=answer)
    return run


@contextmanager
def flows() -> Iterator[dict[str, Flow]]:
    """One of each kind, by its name, with a server of models that they ask."""
    with ScriptedModelServer() as models:
        every = (Task(), Clip(models), ThreeEffects(), Remembering(), Undo(), Workflow(), Run(models))
        yield {type(flow).__name__: flow for flow in every}


def applied(turn: dict[str, Any]) -> list[str]:
    """The kinds that a turn really changed."""
    return sorted(change["kind"] for change in turn["changes"] if change["status"] == "applied")


def changes(url: str) -> list[dict[str, Any]]:
    """The latest changes."""
    return list(CLIENT.get(f"{url}/v1/changes", params={"limit": 200, "before": 10**12}).json()["items"])


def until(read: Callable[[], Any], enough: Callable[[Any], Any]) -> Any:
    """What is read, once it is enough."""
    deadline = time.monotonic() + END_SECONDS
    while time.monotonic() < deadline:
        found = read()
        if enough(found):
            return found
        time.sleep(0.1)
    raise AssertionError(f"it never ended: {found}")
