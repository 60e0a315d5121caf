from __future__ import annotations

import base64
import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest

from app.database.secrets import CannotUnseal, KeyRing

ANNA, BEN = uuid4(), uuid4()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "master.key"


def test_a_secret_comes_back_for_its_owner_in_its_row_alone(path: Path) -> None:
    keys = KeyRing(path)
    sealed = keys.seal("whsec_1", ANNA, "webhooks:1")
    assert b"whsec_1" not in sealed
    assert keys.seal("whsec_1", ANNA, "webhooks:1") != sealed
    assert KeyRing(path).unseal(sealed, ANNA, "webhooks:1") == "whsec_1"
    for owner, row in [(BEN, "webhooks:1"), (ANNA, "webhooks:2")]:
        with pytest.raises(CannotUnseal):
            keys.unseal(sealed, owner, row)


@pytest.mark.parametrize("place", [0, 5, 15, -1])
def test_a_changed_byte_is_noticed(path: Path, place: int) -> None:
    keys = KeyRing(path)
    sealed = bytearray(keys.seal("whsec_1", ANNA, "webhooks:1"))
    sealed[place] ^= 1
    with pytest.raises(CannotUnseal):
        keys.unseal(bytes(sealed), ANNA, "webhooks:1")


def test_the_key_is_made_for_this_account_alone_and_never_shared(path: Path) -> None:
    KeyRing(path).seal("x", ANNA, "row")
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o640)
    with pytest.raises(CannotUnseal, match="chmod 600"):
        KeyRing(path).seal("x", ANNA, "row")


def test_processes_that_start_at_once_use_one_key(path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        sealed = list(pool.map(lambda _: KeyRing(path).seal("x", ANNA, "row"), range(64)))
    assert {KeyRing(path).unseal(one, ANNA, "row") for one in sealed} == {"x"}
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_new_key_on_top_seals_and_the_old_one_still_opens(path: Path) -> None:
    old = KeyRing(path).seal("x", ANNA, "row")
    former = path.read_bytes()
    path.write_bytes(base64.b64encode(secrets.token_bytes(32)) + b"\n" + former)
    new = KeyRing(path).seal("y", ANNA, "row")
    assert KeyRing(path).unseal(old, ANNA, "row") == "x"
    path.write_bytes(former)
    with pytest.raises(CannotUnseal, match="is not in"):
        KeyRing(path).unseal(new, ANNA, "row")


@pytest.mark.parametrize("content", [b"", b"not base64!", b"c2hvcnQ="])
def test_a_file_without_keys_is_said_to_be_one(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.touch(mode=0o600)
    path.write_bytes(content)
    with pytest.raises(CannotUnseal, match="holds no keys"):
        KeyRing(path).seal("x", ANNA, "row")
