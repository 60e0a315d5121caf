"""A small issuer of OpenID Connect on a real socket: it publishes its keys, rotates them, and can be switched off."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

AUDIENCE = "summit"
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())


def rsa_document(key: rsa.RSAPrivateKey, name: str, **more: Any) -> dict[str, Any]:
    return {**json.loads(RSAAlgorithm.to_jwk(key.public_key())), "kid": name, "use": "sig", **more}


def ec_document(key: ec.EllipticCurvePrivateKey, name: str) -> dict[str, Any]:
    return {**json.loads(ECAlgorithm.to_jwk(key.public_key())), "kid": name, "use": "sig"}


@dataclass
class Provider:
    """``keys`` is what it publishes; ``asked`` are the paths that were fetched."""

    url: str = ""
    keys: list[dict[str, Any]] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    away: bool = False

    def claims(self, **more: Any) -> dict[str, Any]:
        now = int(time.time())
        usual = {"iss": self.url, "aud": AUDIENCE, "sub": "ada", "iat": now, "exp": now + 300, "name": "Ada"}
        return {name: value for name, value in {**usual, **more}.items() if value is not None}

    def token(self, key: Any = RSA_KEY, algorithm: str = "RS256", kid: str | None = "one", **claims: Any) -> str:
        headers = {"kid": kid} if kid is not None else {}
        return jwt.encode(self.claims(**claims), key, algorithm=algorithm, headers=headers)

    def answer(self, path: str) -> dict[str, Any] | None:
        self.asked.append(path)
        documents = {"/.well-known/openid-configuration": self.about, "/keys": {"keys": self.keys}}
        return None if self.away else documents.get(path)


@contextmanager
def identity_provider() -> Iterator[Provider]:
    provider = Provider()

    class Door(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = provider.answer(self.path)
            self.send_response(200 if found is not None else 503)
            self.end_headers()
            self.wfile.write(json.dumps(found).encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Door) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        provider.url = f"http://127.0.0.1:{server.server_address[1]}"
        provider.about = {"issuer": provider.url, "jwks_uri": f"{provider.url}/keys"}
        provider.keys = [rsa_document(RSA_KEY, "one"), ec_document(EC_KEY, "two")]
        yield provider
        server.shutdown()
