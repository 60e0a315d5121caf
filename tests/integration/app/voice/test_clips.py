from __future__ import annotations

import io
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.servers.api import problem
from tests.support.speech.sounds import voice

JFK = (Path(__file__).parents[3] / "data" / "jfk.flac").read_bytes()
ASYNC = {"Prefer": "respond-async"}
NewUser = Callable[[str], httpx.Client]


def post_clip(client: httpx.Client, clip: bytes, data: dict[str, str] | None = None, **headers: str) -> httpx.Response:
    files = {"audio": ("clip.flac", clip, "audio/flac")}
    return client.post("/v1/turns", files=files, data=data or {}, headers={**ASYNC, **headers})


def kept_clips(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def memos(client: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/v1/memos").json()["items"]
    return found


def test_a_clip_becomes_a_memo_whose_bytes_can_be_heard_again(alice: httpx.Client) -> None:
    answer = post_clip(alice, JFK, {"captured_at": "2026-11-18T09:30:00+01:00", "timezone": "Europe/Berlin"})
    assert answer.status_code == 202, answer.text
    memo_id = answer.json()["input"]["memo_id"]
    assert answer.json()["input"]["text"] is None
    memo = alice.get(f"/v1/memos/{memo_id}").json()
    assert memos(alice) == [memo]
    assert (memo["container"], memo["size"], memo["timezone"]) == ("flac", len(JFK), "Europe/Berlin")
    assert memo["captured_at"].startswith("2026-11-18T08:30:00")
    audio = alice.get(f"/v1/memos/{memo_id}/audio")
    assert (audio.content, audio.headers["content-type"]) == (JFK, "audio/flac")
    part = alice.get(f"/v1/memos/{memo_id}/audio", headers={"Range": "bytes=10-19"})
    assert (part.status_code, part.content) == (206, JFK[10:20])
    [made] = alice.get("/v1/changes", params={"record_id": memo_id}).json()["items"]
    assert (made["op"], made["status"], made["title"]) == ("create", "applied", "memo of 2026-11-18")
    assert alice.get(f"/v1/turns/{answer.json()['id']}").json()["changes"] == []
    alice.post(f"/v1/changes/{made['id']}/undo")
    assert memos(alice) == []


def test_a_form_says_yes_and_no_in_words(alice: httpx.Client) -> None:
    assert post_clip(alice, JFK, {"speak": "false"}).status_code == 202
    problem(post_clip(alice, JFK, {"speak": "perhaps"}), 422)


def test_any_part_of_a_clip_can_be_heard_as_it_is(alice: httpx.Client) -> None:
    memo_id = post_clip(alice, JFK).json()["input"]["memo_id"]

    def part(start_ms: int, end_ms: int) -> httpx.Response:
        return alice.get(f"/v1/memos/{memo_id}/audio/part", params={"start_ms": start_ms, "end_ms": end_ms})

    answer = part(1234, 3234)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "audio/wav")
    with wave.open(io.BytesIO(answer.content)) as file:
        assert (file.getframerate(), file.getnchannels()) == (16_000, 1)
        assert file.readframes(file.getnframes()) == voice()[1234 * 16 : 3234 * 16].tobytes()
    with wave.open(io.BytesIO(part(10_000, 20_000).content)) as file:
        assert file.getnframes() == 16_000
    for start, end in ((3000, 3000), (3000, 2000), (-1, 5), (11_001, 12_000), (0, 120_001)):
        problem(part(start, end), 422)
    problem(alice.get(f"/v1/memos/{uuid4()}/audio/part", params={"start_ms": 0, "end_ms": 5}), 404)


def test_a_clip_sent_twice_with_one_key_is_kept_once(alice: httpx.Client, clips_folder: Path) -> None:
    before, key = len(kept_clips(clips_folder)), {"Idempotency-Key": str(uuid4())}
    first, again = (post_clip(alice, JFK, {"timezone": "Europe/Berlin"}, **key) for _ in range(2))
    assert first.json() == again.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert len(memos(alice)) == 1
    assert len(kept_clips(clips_folder)) == before + 1


@pytest.mark.parametrize("other", [{"timezone": "Asia/Tokyo"}, {"clip": JFK + b"more"}])
def test_a_different_clip_or_field_under_one_key_is_refused(
    alice: httpx.Client, clips_folder: Path, other: dict[str, Any]
) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    post_clip(alice, JFK, {"timezone": "Europe/Berlin"}, **key)
    before = kept_clips(clips_folder)
    given = {"timezone": "Europe/Berlin", **other}
    problem(post_clip(alice, given.pop("clip", JFK), given, **key), 422)
    assert kept_clips(clips_folder) == before


@pytest.mark.parametrize(
    "clip",
    [
        b"",
        b"hello",
        b"#EXTM3U\nhttp://127.0.0.1/secret.wav\n",
        b"ffconcat version 1.0\nfile /etc/passwd\n",
        b"RIFF\xff\xff\x00\x00WAVEfmt ",
        b"\x00" * 10_000,
        b"<html></html>",
    ],
    ids=["empty", "text", "playlist", "concat script", "cut wav", "zeros", "page"],
)
def test_what_is_no_clip_is_refused_and_not_kept(alice: httpx.Client, clips_folder: Path, clip: bytes) -> None:
    before = kept_clips(clips_folder)
    problem(post_clip(alice, clip), 422)
    assert kept_clips(clips_folder) == before
    assert memos(alice) == []


@pytest.mark.parametrize(
    "data",
    [
        {"timezone": "Mars/Olympus"},
        {"captured_at": "2026-11-18T09:30:00"},
        {"captured_at": "2200-01-01T00:00:00Z"},
        {"thread_id": "main"},
        {"text": "buy milk"},
        {"colour": "red"},
        {"timezone": "a\x00b"},
    ],
    ids=str,
)
def test_a_form_with_a_wrong_field_keeps_nothing(alice: httpx.Client, clips_folder: Path, data: dict[str, str]) -> None:
    before = kept_clips(clips_folder)
    problem(post_clip(alice, JFK, data), 422)
    assert kept_clips(clips_folder) == before
    assert memos(alice) == []


def test_a_clip_for_another_users_thread_is_not_kept(
    alice: httpx.Client, bob: httpx.Client, clips_folder: Path
) -> None:
    before = kept_clips(clips_folder)
    thread = alice.post("/v1/threads", json={"title": "mine"}).json()["id"]
    problem(post_clip(bob, JFK, {"thread_id": thread}), 404)
    assert kept_clips(clips_folder) == before
    assert memos(bob) == []


def test_a_clip_above_the_limit_names_it(alice: httpx.Client, clips_folder: Path) -> None:
    before = kept_clips(clips_folder)
    document = problem(post_clip(alice, JFK[:100] + b"\x00" * 3_000_000), 413)
    assert "bytes" in document["detail"]
    assert kept_clips(clips_folder) == before


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"", "multipart/form-data; boundary=x", 422),
        (b"--x\r\n", "multipart/form-data; boundary=x", 422),
        (b"nonsense", "multipart/form-data; boundary=x", 400),
        (b"--x--", "multipart/form-data", 400),
        (
            b'--x\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\nfLaC',
            "multipart/form-data; boundary=x",
            422,
        ),
        (
            b'--x\r\nContent-Disposition: form-data; name="audio"\r\n\r\nfLaC\r\n--x--',
            "multipart/form-data; boundary=x",
            422,
        ),
    ],
)
def test_a_broken_form(alice: httpx.Client, content: bytes, kind: str, status: int) -> None:
    problem(alice.post("/v1/turns", content=content, headers={"Content-Type": kind}), status)


@pytest.mark.parametrize("count", [2, 30])
def test_a_form_holds_one_file(alice: httpx.Client, count: int) -> None:
    files = [("audio", ("a.flac", JFK[:1000], "audio/flac"))] * count
    assert problem(alice.post("/v1/turns", files=files, headers=ASYNC), 400)["detail"].startswith("Too many files")
    assert memos(alice) == []


@pytest.mark.parametrize("wanted", ["bytes=99999999-", "bytes=9-3", "lines=1-2", "bytes"])
def test_a_range_that_does_not_fit(alice: httpx.Client, wanted: str) -> None:
    memo_id = post_clip(alice, JFK).json()["input"]["memo_id"]
    problem(alice.get(f"/v1/memos/{memo_id}/audio", headers={"Range": wanted}), 416)


@pytest.mark.parametrize("path", ["", "/audio"])
def test_another_users_memo_is_not_there(alice: httpx.Client, bob: httpx.Client, path: str) -> None:
    memo_id = post_clip(alice, JFK).json()["input"]["memo_id"]
    problem(bob.get(f"/v1/memos/{memo_id}{path}"), 404)
    assert memos(bob) == []
