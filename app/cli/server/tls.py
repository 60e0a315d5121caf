"""HTTPS with a certificate of one's own: phones record over nothing else."""

from __future__ import annotations

import io
import ipaddress
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from app.settings import Settings

LASTS, RENEWED_BEFORE = timedelta(days=397), timedelta(days=30)
"""Browsers accept no longer one; it is made anew in time."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
WILDCARDS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to


@dataclass(frozen=True)
class Certificate:
    """Files of a certificate and its key, and the fingerprint by which people know it again."""

    path: Path
    key: Path
    fingerprint: str


def certificate_for(settings: Settings) -> Certificate:
    """The certificate that the settings name, else one of the data folder, made at first use. Raises OSError."""
    if settings.tls_certificate and settings.tls_key:
        return _read(settings.tls_certificate, settings.tls_key)
    folder = settings.data_dir / "tls"
    path, key = folder / "certificate.pem", folder / "key.pem"
    names = sorted(_names(settings))
    if not (path.is_file() and key.is_file() and _still_good(path, names)):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make(path, key, names)
    return _read(path, key)


def address_for_phones(host: str) -> str | None:
    """An address of this machine that others in its network reach; None on loopback."""
    if host not in WILDCARDS:
        return None if host in LOOPBACK else host
    return next((address for address in _addresses() if ":" not in address and address not in LOOPBACK), None)


def qr_code(url: str) -> str:
    """A QR code in characters, for a terminal."""
    import segno

    drawn = io.StringIO()
    segno.make(url, micro=False).terminal(drawn, compact=True, border=2)
    return drawn.getvalue()


def _names(settings: Settings) -> set[str]:
    bound = set(_addresses()) if settings.host in WILDCARDS else {settings.host}
    return {*LOOPBACK, socket.gethostname(), *settings.allowed_hosts, *bound}


def _addresses() -> Iterator[str]:
    for found in psutil.net_if_addrs().values():
        for one in found:
            if one.family in (socket.AF_INET, socket.AF_INET6) and "%" not in one.address:
                yield one.address


def _make(path: Path, key_path: Path, names: list[str]) -> None:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Summit")])
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + LASTS)
        .add_extension(x509.SubjectAlternativeName([_name(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    sealed = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    _write(key_path, sealed)
    _write(path, made.public_bytes(serialization.Encoding.PEM))


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all, and for nobody else to read."""
    aside = path.with_suffix(".new")
    aside.unlink(missing_ok=True)
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    aside.replace(path)


def _still_good(path: Path, names: list[str]) -> bool:
    try:
        known = x509.load_pem_x509_certificate(path.read_bytes())
        stated = known.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        return False
    lasts = known.not_valid_after_utc - datetime.now(UTC) > RENEWED_BEFORE
    return lasts and {_name(name) for name in names} <= set(stated)


def _name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _read(path: Path, key: Path) -> Certificate:
    try:
        known = x509.load_pem_x509_certificate(path.read_bytes())
    except ValueError as error:
        raise OSError(f"{path} holds no certificate in PEM form") from error
    return Certificate(path, key, known.fingerprint(hashes.SHA256()).hex(":").upper())
