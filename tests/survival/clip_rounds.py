"""kill -9 of the server and of its speech engine while clips come in by three doors, in five containers.

    python -m tests.survival.clip_rounds [--kills 40] [--clips 30] [--seed N]

Each clip is heard once in peace first. Under the kills its client sends it again until it is acknowledged, in pieces or
at once. In the end each has one memo with all its bytes, and its words and its effect are those of the peaceful run.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psutil

from tests.support.speech.sounds import encode
from tests.support.speech.voices import spoken
from tests.survival.clients import SETTINGS, Address
from tests.survival.fleet import CLIENT, RETRY_SECONDS, WHEN, MortalServer, database_url, last_server, new_user
from tests.survival.invariants import broken

CONTAINERS = ("wav", "flac", "ogg", "webm", "mp3")
DOING = (
    "call the plumber|pay the rent|water the plants|clean the kitchen|visit the bank|book a hotel|feed the cat|"
    "print the tickets|wash the car|fix the door|sign the contract|order the cake|return the library book|"
    "charge the camera|empty the garage"
)
THINGS = (
    "milk|coffee|bread|butter|batteries|olive oil|apples|cheese|potatoes|chocolate|toothpaste|candles|honey|lemons|rice"
)
COMMANDS = [
    said
    for doing, thing in zip(DOING.split("|"), THINGS.split("|"), strict=True)
    for said in (f"Remind me to {doing} tomorrow at nine.", f"Add {thing} to my shopping list.")
]
SPOKEN = {**SETTINGS, "SUMMIT_SPEECH_HINTS": "false"}
LIFE_SECONDS = (0.1, 4.0)
CHILDREN = "app.voice."
CHILD_LIFE_SECONDS = (1.0, 8.0)
ANSWER_SECONDS = 600.0
PIECES, PIECE_SECONDS = 5, 0.2
CLIENTS = 7
Found = TypeVar("Found")
SETTLED = ("transcribed", "indexed", "acted", "needs_you", "failed")


@dataclass(frozen=True)
class Clip:
    """One recording, by the door it goes through; ``name`` is its client's own name for it."""

    name: str
    door: str
    container: str
    sound: bytes


@dataclass(frozen=True)
class Outcome:
    """What became of a clip: its memo's state and words, its turn's state, and the kinds that it changed."""

    state: str
    words: str
    turn: str | None
    changed: tuple[str, ...]


@dataclass
class Campaign:
    """What was found: children of servers that were killed, clips that failed visibly, faults."""

    children: int = 0
    failed: int = 0
    faults: list[str] = field(default_factory=list)


def clips(count: int) -> list[Clip]:
    """That many recordings; each door sees each container."""
    doors = cycle(("turn", "memo", "pieces"))
    made = zip(range(count), cycle(COMMANDS), cycle(CONTAINERS), doors, strict=False)
    return [Clip(f"clip-{n}", door, form, encode(spoken(words), form)) for n, words, form, door in made]


def send(url: object, clip: Clip, api_key: str) -> str:
    """The id of the acknowledged clip's memo; raises httpx.HTTPError where nobody answers, or with an error."""
    proof = {"Authorization": f"Bearer {api_key}"}
    if clip.door == "pieces":
        return _send_pieces(f"{url}/v1/memos/uploads", clip, proof)
    door = "turns" if clip.door == "turn" else "memos"
    files = {"audio": (f"clip.{clip.container}", clip.sound)}
    headers = {**proof, "Idempotency-Key": clip.name}
    answer = CLIENT.post(f"{url}/v1/{door}", files=files, data=dict(WHEN), headers=headers)
    body = answer.raise_for_status().json()
    return str(body["input"]["memo_id"] if clip.door == "turn" else body["id"])


def _send_pieces(uploads: str, clip: Clip, proof: dict[str, str]) -> str:
    start = {"client_id": clip.name, "act": True, **WHEN}
    upload = CLIENT.post(uploads, json=start, headers=proof).raise_for_status().json()
    at, length = upload["upload_offset"], len(clip.sound) // PIECES + 1
    while not upload["complete"] and at < len(clip.sound):
        piece = clip.sound[at : at + length]
        headers = {**proof, "Upload-Offset": str(at)}
        sent = CLIENT.patch(f"{uploads}/{upload['id']}", content=piece, headers=headers).raise_for_status()
        at = int(sent.headers["Upload-Offset"])
        time.sleep(PIECE_SECONDS)
    return str(CLIENT.post(f"{uploads}/{upload['id']}/finish", headers=proof).raise_for_status().json()["id"])


def insist(address: Address, clip: Clip, api_key: str) -> str:
    """Send it until it is acknowledged."""
    return _until(lambda: send(address, clip, api_key), f"{clip.name} was never acknowledged")


def outcome(address: Address, memo_id: str, api_key: str) -> Outcome:
    """What became of a memo, once its turn has ended, or without one it is heard."""
    return _until(lambda: _outcome(address, memo_id, api_key), f"memo {memo_id} never came to an end")


def _outcome(url: object, memo_id: str, api_key: str) -> Outcome | None:
    proof = {"Authorization": f"Bearer {api_key}"}
    memo = CLIENT.get(f"{url}/v1/memos/{memo_id}", headers=proof).raise_for_status().json()
    turn: dict[str, Any] = {"status": None, "changes": []}
    if memo["turn_id"]:
        turn = CLIENT.get(f"{url}/v1/turns/{memo['turn_id']}", headers=proof).raise_for_status().json()
    if memo["state"] not in SETTLED or turn["status"] in ("queued", "running"):
        return None
    changed = sorted(change["kind"] for change in turn["changes"] if change["status"] == "applied")
    state = "transcribed" if memo["state"] in ("indexed", "acted") else memo["state"]
    return Outcome(state, memo["transcript"] or "", turn["status"], tuple(changed))


def _until(attempt: Callable[[], Found | None], complaint: str) -> Found:
    deadline = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < deadline:
        with suppress(httpx.HTTPError):
            if found := attempt():
                return found
        time.sleep(RETRY_SECONDS)
    raise AssertionError(complaint)


def campaign(data_dir: Path, kills: int, recordings: Sequence[Clip], seed: int) -> Campaign:
    """Hear all clips in peace as one user; then, as another, under ``kills``; then compare."""
    chance, found, address, over = random.Random(seed), Campaign(), Address(), threading.Event()
    with last_server(data_dir, **SPOKEN) as server:
        address.url = server.url
        calm, hurried = (new_user(server.url, name) for name in ("calm", "hurried"))
        expected = _ended(address, recordings, [insist(address, clip, calm) for clip in recordings], calm)
        server.stop()
    with ThreadPoolExecutor(CLIENTS) as pool:
        engines = pool.submit(_kill_children, over, random.Random(seed))
        sent: list[Future[str]] = []
        for number in range(kills):
            server = MortalServer(data_dir, **SPOKEN)
            address.url = server.url
            coming = recordings[len(sent) : -(-len(recordings) * (number + 1) // kills)]
            sent += [pool.submit(insist, address, clip, hurried) for clip in coming]
            time.sleep(chance.uniform(*LIFE_SECONDS))
            server.kill()
        over.set()
        found.children = engines.result()
        with last_server(data_dir, **SPOKEN) as survivor:
            address.url = survivor.url
            memos = [one.result() for one in sent]
            ended = _ended(address, recordings, memos, hurried)
            found.failed = sum(one.state == "failed" for one in ended.values())
            found.faults = [*_unlike(expected, ended), *_incomplete(address, recordings, memos, hurried)]
            found.faults += broken(database_url(data_dir), worded=False)
    return found


def _ended(address: Address, recordings: Sequence[Clip], memos: Sequence[str], api_key: str) -> dict[str, Outcome]:
    return {clip.name: outcome(address, memo, api_key) for clip, memo in zip(recordings, memos, strict=True)}


def _kill_children(over: threading.Event, chance: random.Random) -> int:
    """kill -9 whatever decodes or listens, now and then; how often there was one."""
    killed = 0
    while not over.wait(chance.uniform(*CHILD_LIFE_SECONDS)):
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                if CHILDREN in " ".join(child.cmdline()):
                    child.kill()
                    killed += 1
    return killed


def _unlike(expected: dict[str, Outcome], ended: dict[str, Outcome]) -> list[str]:
    """What ended otherwise than in peace; a clip that failed visibly, and did nothing, can be tried again."""
    return [
        f"{name} ended as {ended[name]} instead of {wanted}"
        for name, wanted in expected.items()
        if ended[name] != wanted and (ended[name].state, ended[name].changed) != ("failed", ())
    ]


def _incomplete(address: Address, recordings: Sequence[Clip], memos: Sequence[str], api_key: str) -> list[str]:
    """Memos that are missing, or one too many, and recordings that are not what was sent."""
    proof = {"Authorization": f"Bearer {api_key}"}
    kept = CLIENT.get(f"{address}/v1/memos", params={"limit": 200}, headers=proof).json()["items"]
    faults = [] if {memo["id"] for memo in kept} == set(memos) and len(kept) == len(memos) else ["memos differ"]
    for clip, memo in zip(recordings, memos, strict=True):
        if CLIENT.get(f"{address}/v1/memos/{memo}/audio", headers=proof).content != clip.sound:
            faults.append(f"the recording of {clip.name} is not what was sent")
    return faults


def main() -> int:
    """Run a campaign and print what came of it; exit status 1 when anything is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--clips", type=int, default=30)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    sys.stdout.write(f"seed {options.seed}\n")
    with tempfile.TemporaryDirectory(prefix="summit-clips-") as folder:
        found = campaign(Path(folder) / "data", options.kills, clips(options.clips), options.seed)
    sys.stdout.write(
        f"{options.kills} servers and {found.children} children killed, {options.clips} clips acknowledged, "
        f"{found.failed} of them failed visibly\n"
    )
    sys.stdout.write("\n".join([*found.faults, ""]) or "nothing is broken\n")
    return int(bool(found.faults))


if __name__ == "__main__":
    sys.exit(main())
