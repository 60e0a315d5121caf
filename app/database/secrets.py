"""Secrets at rest: AES-256-GCM under a master key that is kept in a file, never in the database."""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import os
import secrets
import stat
from pathlib import Path
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from app.database.model import KeyUnreadable

SEAL_VERSION = b"\x01"
KEY_BYTES = 32
ID_BYTES = 8
NONCE_BYTES = 12


class CannotUnseal(KeyUnreadable):
    """A secret cannot be read: the master key is another one, or the row was tampered with."""

    def __init__(self, why: str = "") -> None:
        super().__init__(f"{self.__doc__} {why}".strip())


class KeyRing:
    """Seals with the first key of a file and unseals with any: a line each, base64 of 32 bytes.

    The file is made on first use, for this account alone, and read again when it has changed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._keys: dict[bytes, bytes] = {}
        self._stamp: tuple[int, ...] = ()

    def seal(self, secret: str, user_id: UUID, row: str) -> bytes:
        """The secret, readable only with the key, for the same owner and in the same row."""
        key_id, key = next(iter(self._load().items()))
        nonce = secrets.token_bytes(NONCE_BYTES)
        return SEAL_VERSION + key_id + nonce + AESGCM(key).encrypt(nonce, secret.encode(), _place(user_id, row))

    def unseal(self, sealed: bytes, user_id: UUID, row: str) -> str:
        """The words; raises KeyUnreadable, or ValueError for what was never sealed."""
        key_id, rest = sealed[1 : 1 + ID_BYTES], sealed[1 + ID_BYTES :]
        key = self._load().get(key_id)
        if key is None or sealed[:1] != SEAL_VERSION:
            raise CannotUnseal(f"The key {key_id.hex()} is not in {self._path}.")
        try:
            return AESGCM(key).decrypt(rest[:NONCE_BYTES], rest[NONCE_BYTES:], _place(user_id, row)).decode()
        except InvalidTag as error:
            raise CannotUnseal from error

    def sealed_by_newest(self, sealed: bytes) -> bool:
        """Whether a secret needs no sealing anew."""
        return sealed[1 : 1 + ID_BYTES] == next(iter(self._load()))

    def begin_rotation(self) -> None:
        """Put a new key on top, unless an earlier rotation did so and has not ended."""
        known = list(self._load().values())
        if len(known) == 1:
            _write(self._path, [secrets.token_bytes(KEY_BYTES), *known])

    def end_rotation(self) -> None:
        """Keep the newest key alone; the others go into a file beside it, where backups may need them."""
        newest, *old = self._load().values()
        if old:
            aside = self.retired_path
            _write(aside, list(dict.fromkeys([*old, *(_read(aside) if aside.exists() else [])])))
            _write(self._path, [newest])

    @property
    def retired_path(self) -> Path:
        """The file of keys that nothing in the database needs any more."""
        return self._path.with_name(f"{self._path.name}.old")

    def _load(self) -> dict[bytes, bytes]:
        if not self._keys:
            _make(self._path)
        with contextlib.suppress(FileNotFoundError):  # a file that vanished is no reason to forget what is known
            found = self._path.stat()
            stamp = (found.st_ino, found.st_size, found.st_mtime_ns)
            if stamp != self._stamp:
                self._keys, self._stamp = {_id_of(key): key for key in _read(self._path)}, stamp
        return self._keys


def _place(user_id: UUID, row: str) -> bytes:
    return f"{user_id}:{row}".encode()


def _id_of(key: bytes) -> bytes:
    return hashlib.sha256(b"summit key id" + key).digest()[:ID_BYTES]


def _make(path: Path) -> None:
    """Make a key unless there is one; of several processes that try at once, one wins and all use its key."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    aside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(base64.b64encode(secrets.token_bytes(KEY_BYTES)) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    with contextlib.suppress(FileExistsError):
        path.hardlink_to(aside)
    aside.unlink()


def _write(path: Path, keys: list[bytes]) -> None:
    """Replace a file of keys by another, whole: whoever reads it, or dies, meets the one or the other."""
    aside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.writelines(base64.b64encode(key) + b"\n" for key in keys)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _read(path: Path) -> list[bytes]:
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise CannotUnseal(f"{path} can be read by others; run `chmod 600 {path}`.")
    try:
        keys = [base64.b64decode(line, validate=True) for line in path.read_bytes().split()]
    except binascii.Error as error:
        raise CannotUnseal(f"{path} holds no keys.") from error
    if not keys or any(len(key) != KEY_BYTES for key in keys):
        raise CannotUnseal(f"{path} holds no keys.")
    return keys
