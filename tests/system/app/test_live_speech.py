"""Speaking over the websocket, on a server as it is installed: words while one speaks, a turn when one stops."""

from __future__ import annotations

import io
import json
import socket as sockets
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import av
import httpx
import numpy as np
import pytest
from numpy.typing import NDArray
from websockets.sync.client import ClientConnection, connect

from tests.support.servers.running import RunningServer, running
from tests.support.speech.sounds import JFK, RATE, frames_of, needs_model, silence
from tests.support.speech.voices import spoken
from tests.support.waiting import HANG_SECONDS, wait_until

pytestmark = [needs_model]
LEAST_PARTIALS = 2
"""As many as the engine finishes: a slow machine has few, and two that differ show that it goes on."""
STEP = RATE // 10
PATIENCE_SECONDS = 5 * HANG_SECONDS
"""A guard: an engine of speech gives way to every other program of a busy machine."""
ROOT = Path(__file__).parents[3]
SAID = "and so my fellow americans ask not what your country can do for you ask what you can do for your country"
IN_THIRDS = """
import os

async def allowed(at, sound):
    while 3 * at > (len(os.listdir({folder!r})) + 1) * len(sound):
        await asyncio.sleep(0.02)

"""
"""Instead of a pause: each third of the sound is sent once somebody allows it, however slow the server is."""
Told = list[dict[str, Any]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("live") / "data") as server:
        yield server


@pytest.fixture(scope="module")
def jfk() -> bytes:
    with av.open(str(JFK)) as file:
        resampler = av.AudioResampler("s16", "mono", RATE)
        parts = [out.to_ndarray() for frame in file.decode(audio=0) for out in resampler.resample(frame)]
    return np.concatenate(parts, axis=1).tobytes()


@contextmanager
def microphone(server: RunningServer, **start: Any) -> Iterator[tuple[ClientConnection, Told]]:
    """An open socket on which a recording has begun, and what it was told so far."""
    with connect(f"{server.url.replace('http', 'ws', 1)}/v1/ws", max_size=None, proxy=None) as socket:
        socket.send(json.dumps({"type": "audio.start", "timezone": "UTC", **start}))
        yield socket, [receive(socket, "audio.ready", [])]


@contextmanager
def relay(server: RunningServer) -> Iterator[tuple[str, Callable[[], None]]]:
    """The server behind a line that can be cut: its address, and what cuts every connection."""
    host, _, port = server.url.rpartition("//")[2].partition(":")
    open_ends: list[sockets.socket] = []
    listening = sockets.create_server(("127.0.0.1", 0))

    def pass_on(source: sockets.socket, target: sockets.socket) -> None:
        with suppress(OSError):
            while part := source.recv(65_536):
                target.sendall(part)
            target.shutdown(sockets.SHUT_WR)

    def accept() -> None:
        with suppress(OSError):
            while True:
                near, far = listening.accept()[0], sockets.create_connection((host, int(port)))
                open_ends.extend((near, far))
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=pass_on, args=ends, daemon=True).start()

    def cut() -> None:
        for end in open_ends:
            with suppress(OSError):
                end.shutdown(sockets.SHUT_RDWR)
            end.close()
        open_ends.clear()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"ws://127.0.0.1:{listening.getsockname()[1]}", cut
    finally:
        listening.close()
        cut()


def receive(socket: ClientConnection, kind: str, told: Told) -> dict[str, Any]:
    """Everything up to an envelope of that type."""
    while True:
        told.append(json.loads(socket.recv(PATIENCE_SECONDS)))
        assert told[-1]["type"] != "error", told[-1]
        if told[-1]["type"] == kind:
            return told[-1]


def speak(socket: ClientConnection, pcm: bytes, told: Told) -> None:
    """Send sound in the pieces of a microphone, and read what has come meanwhile."""
    for at in range(0, len(pcm), 2 * STEP):
        socket.send(pcm[at : at + 2 * STEP])
        with suppress(TimeoutError):
            while True:
                told.append(json.loads(socket.recv(0)))


def listen(socket: ClientConnection, kind: str, told: Told) -> None:
    """Read until something of that type has come."""
    if kind not in [one["type"] for one in told]:
        receive(socket, kind, told)


def be_silent(socket: ClientConnection, kind: str, told: Told) -> None:
    """Leave the microphone open until something of that type has come."""
    for _ in range(int(PATIENCE_SECONDS * RATE / STEP)):
        if kind in [one["type"] for one in told]:
            return
        socket.send(bytes(2 * STEP))
        with suppress(TimeoutError):
            told.append(json.loads(socket.recv(STEP / RATE)))
    pytest.fail(f"{kind} was never told")


def speak_in_parts(socket: ClientConnection, pcm: bytes, told: Told) -> None:
    """Send half of it, and the rest once words have appeared: they do before one is done, on any machine."""
    half = len(pcm) // 2 // (2 * STEP) * 2 * STEP
    speak(socket, pcm[:half], told)
    listen(socket, "transcript.partial", told)
    heard = len(told)
    speak(socket, pcm[half:], told)
    later = told[heard:]
    listen(socket, "transcript.partial", later)
    told[heard:] = later


def letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalpha() or letter == " ")


def test_words_appear_while_one_speaks_and_the_final_ones_are_exact(server: RunningServer, jfk: bytes) -> None:
    with microphone(server, client_id=str(uuid4()), end_pointing=False, act=False) as (socket, told):
        speak_in_parts(socket, jfk, told)
        socket.send(json.dumps({"type": "audio.end"}))
        done = receive(socket, "audio.done", told)
    assert done["data"]["upload_offset"] == len(jfk)
    partial = [one for one in told if one["type"] == "transcript.partial"]
    assert "speech.started" in [one["type"] for one in told[: told.index(partial[0])]]
    assert all(one["data"]["text"].startswith(one["data"]["stable"]) for one in partial)
    assert len({one["data"]["text"] for one in partial}) >= LEAST_PARTIALS
    with server.client() as client:
        memo = transcribed(client, done["data"]["memo_id"])
    assert letters(memo["transcript"]) == SAID
    assert memo["duration_ms"] == len(jfk) * 1000 // (2 * RATE)


def test_the_client_of_the_docs_speaks_prints_and_goes_on_after_a_break(server: RunningServer, tmp_path: Path) -> None:
    page, folder = (ROOT / "docs/api/websocket.md").read_text(), tmp_path / "allowed"
    client, pause = tmp_path / "speak.py", "await asyncio.sleep(0.1)"
    program = page.partition("```python\n")[2].partition("```")[0]
    assert program.count(pause) == 1
    client.write_text(IN_THIRDS.format(folder=str(folder)) + program.replace(pause, "await allowed(at, sound)"))
    folder.mkdir()
    with relay(server) as (url, break_off):
        command = [sys.executable, str(client), str(JFK), f"{url}/v1/ws"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running_client:
            assert running_client.stdout
            try:
                first = running_client.stdout.readline()
                break_off()
                (folder / "second").touch()
                first += running_client.stdout.readline()
                (folder / "third").touch()
                printed, _ = running_client.communicate(timeout=PATIENCE_SECONDS)
            finally:
                running_client.kill()
    lines = (first + printed).splitlines()
    assert running_client.returncode == 0
    assert sum(line.startswith("transcript.partial") for line in lines) >= LEAST_PARTIALS
    assert letters(lines[-1].removeprefix("transcript.final ")) == SAID


def test_a_pause_ends_what_is_said_and_it_is_done(server: RunningServer) -> None:
    said = np.concatenate([silence(0.5), spoken("Remind me to call the plumber tomorrow at nine")])
    with microphone(server, client_id=str(uuid4())) as (socket, told):
        speak(socket, said.tobytes(), told)
        be_silent(socket, "speech.ended", told)
        listen(socket, "turn.done", told)
    kinds = [one["type"] for one in told]
    assert kinds.index("speech.started") < kinds.index("speech.ended") < kinds.index("audio.done")
    assert kinds.index("audio.done") < kinds.index("transcript.final") < kinds.index("turn.done")
    final = next(one for one in told if one["type"] == "transcript.final")
    assert "plumber" in final["data"]["text"]
    with server.client() as client:
        assert "call the plumber" in [item["task"] for item in client.get("/v1/todos").json()["items"]]


def test_a_connection_that_breaks_in_the_middle_loses_no_sound(server: RunningServer, jfk: bytes) -> None:
    name = str(uuid4())
    with microphone(server, client_id=name, end_pointing=False, act=False) as (socket, told):
        speak(socket, jfk[: len(jfk) // 2], told)
        listen(socket, "transcript.partial", told)  # so that a good part of it has arrived
        socket.socket.close()
    with microphone(server, client_id=name, end_pointing=False, act=False) as (socket, told):
        came = told[0]["data"]["upload_offset"]
        assert 0 < came <= len(jfk) // 2
        speak(socket, jfk[came:], told)
        socket.send(json.dumps({"type": "audio.end"}))
        done = receive(socket, "audio.done", told)
    with server.client() as client:
        sound = client.get(f"/v1/memos/{done['data']['memo_id']}/audio").content
        assert sound[44:] == jfk
        assert letters(transcribed(client, done["data"]["memo_id"])["transcript"]) == SAID


def test_a_recorder_of_a_browser_is_heard_while_it_records(server: RunningServer, jfk: bytes) -> None:
    webm = live_webm(np.frombuffer(jfk, np.int16))
    size = len(webm) // 110
    with microphone(server, client_id=str(uuid4()), form="file", end_pointing=False, act=False) as (socket, told):
        for number, at in enumerate(range(0, len(webm), size)):
            socket.send(webm[at : at + size])
            if number in (40, 80):  # words of what came so far
                receive(socket, "transcript.partial", told)
        socket.send(json.dumps({"type": "audio.end"}))
        done = receive(socket, "audio.done", told)
    partial = [one["data"]["text"] for one in told if one["type"] == "transcript.partial"]
    assert len(set(partial)) >= LEAST_PARTIALS
    with server.client() as client:
        assert client.get(f"/v1/memos/{done['data']['memo_id']}/audio").content == webm
        assert letters(transcribed(client, done["data"]["memo_id"])["transcript"]) == SAID


def live_webm(samples: NDArray[np.int16]) -> bytes:
    """As a recorder writes that cannot go back: without a length, in short clusters."""
    out = io.BytesIO()
    options = {"live": "1", "cluster_time_limit": "500", "dash": "0"}
    with av.open(out, "w", format="webm", options=options) as container:
        stream: Any = container.add_stream("libopus", rate=48_000, layout="mono")
        for frame in frames_of(samples, RATE):
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return out.getvalue()


def test_what_is_cancelled_is_gone(server: RunningServer, jfk: bytes) -> None:
    with microphone(server, client_id=str(uuid4())) as (socket, told):
        speak(socket, jfk[: 4 * RATE], told)
        socket.send(json.dumps({"type": "audio.cancel"}))
        memo = receive(socket, "audio.cancelled", told)["data"]["memo_id"]
    with server.client() as client:
        assert client.get(f"/v1/memos/{memo}").status_code == 404


def transcribed(client: httpx.Client, memo_id: str) -> dict[str, Any]:
    def heard() -> dict[str, Any]:
        memo = dict(client.get(f"/v1/memos/{memo_id}").json())
        return memo if memo["transcript"] is not None else {}

    return wait_until(heard)
