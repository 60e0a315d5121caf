"""Tokens of an issuer that really answers: what counts, and the attacks that are known on JWT (RFC 8725)."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from app.boundary.outbound.http import SafeHttp
from app.http.accounts.issuer import KEYS_SECONDS, PAUSE_SECONDS, STALE_SECONDS, Issuer
from app.http.accounts.model.tokens import IssuerAway, TokenRefused
from tests.support.peers.identity_provider import (
    AUDIENCE,
    EC_KEY,
    OTHER_RSA_KEY,
    RSA_KEY,
    Provider,
    identity_provider,
    rsa_document,
)
from tests.support.waiting import HANG_SECONDS


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def provider() -> Iterator[Provider]:
    with identity_provider() as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def issuer(provider: Provider, clock: Clock) -> Issuer:
    return Issuer(provider.url, AUDIENCE, SafeHttp([ip_network("127.0.0.0/8")], seconds=HANG_SECONDS), clock)


@pytest.mark.parametrize(("key", "algorithm", "kid"), [(RSA_KEY, "RS256", "one"), (EC_KEY, "ES256", "two")])
async def test_a_token_of_the_issuer_names_its_subject(
    provider: Provider, issuer: Issuer, key: Any, algorithm: str, kid: str
) -> None:
    bearer = await issuer.verify(provider.token(key, algorithm, kid))
    assert (bearer.subject, bearer.name) == ("ada", "Ada")
    again = await issuer.verify(provider.token(key, algorithm, kid, aud=["other", AUDIENCE]))
    assert again.user_id == bearer.user_id
    assert (await issuer.verify(provider.token(sub="ben"))).user_id != bearer.user_id
    assert provider.asked == ["/.well-known/openid-configuration", "/keys"]


def forged(provider: Provider, header: dict[str, Any], signature: bytes = b"", **claims: Any) -> str:
    parts = [json.dumps(part).encode() for part in (header, provider.claims(**claims))]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in (*parts, signature))


def with_public_key_as_secret(provider: Provider) -> str:
    """The confusion of algorithms: the public key, which anybody has, as an HMAC secret."""
    import hashlib
    import hmac

    secret = RSA_KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    unsigned = forged(provider, {"alg": "HS256", "kid": "one", "typ": "JWT"}).rsplit(".", 1)[0]
    mac = hmac.new(secret, unsigned.encode(), hashlib.sha256).digest()
    return f"{unsigned}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"


def altered(provider: Provider) -> str:
    head, _, signature = provider.token().split(".")
    claims = base64.urlsafe_b64encode(json.dumps(provider.claims(sub="root")).encode()).decode().rstrip("=")
    return f"{head}.{claims}.{signature}"


def signed_by_another(provider: Provider, **headers: Any) -> str:
    return jwt.encode(provider.claims(), OTHER_RSA_KEY, algorithm="RS256", headers={"kid": "one", **headers})


NOW = int(time.time())
ATTACKS: dict[str, Callable[[Provider], str]] = {
    "no algorithm": lambda p: forged(p, {"alg": "none", "kid": "one"}),
    "no algorithm, in other letters": lambda p: forged(p, {"alg": "nOnE", "kid": "one"}),
    "the public key as a shared secret": with_public_key_as_secret,
    "other claims under an old signature": altered,
    "no signature": lambda p: p.token().rsplit(".", 1)[0] + ".",
    "somebody else's key under the issuer's name": signed_by_another,
    "a key that the token brings along": lambda p: signed_by_another(p, jwk=rsa_document(OTHER_RSA_KEY, "one")),
    "an address of keys in the token": lambda p: signed_by_another(p, jku="http://127.0.0.1:9/keys"),
    "a certificate in the token": lambda p: signed_by_another(p, x5u="http://127.0.0.1:9/cert"),
    "a critical header that nobody knows": lambda p: forged(p, {"alg": "RS256", "kid": "one", "crit": ["exp"]}, b"x"),
    "a path as the name of a key": lambda p: p.token(OTHER_RSA_KEY, kid="../../../../dev/null"),
    "SQL as the name of a key": lambda p: p.token(OTHER_RSA_KEY, kid="one' or '1'='1"),
    "no name of a key": lambda p: p.token(kid=None),
    "a name that is no text": lambda p: forged(p, {"alg": "RS256", "kid": ["one"]}, b"x"),
    "another algorithm than the key's kind": lambda p: p.token(kid="two"),
    "another issuer": lambda p: p.token(iss="https://evil.example"),
    "an issuer that only begins like it": lambda p: p.token(iss=f"{p.url}/"),
    "no issuer": lambda p: p.token(iss=None),
    "another audience": lambda p: p.token(aud="mail"),
    "an audience that only begins like it": lambda p: p.token(aud="summit-admin"),
    "no audience": lambda p: p.token(aud=None),
    "expired": lambda p: p.token(exp=NOW - 3600),
    "no end": lambda p: p.token(exp=None),
    "an end that is no number": lambda p: forged(p, {"alg": "RS256", "kid": "one"}, b"x", exp="never"),
    "not valid yet": lambda p: p.token(nbf=NOW + 3600),
    "issued in the future": lambda p: p.token(iat=NOW + 3600),
    "no subject": lambda p: p.token(sub=None),
    "an empty subject": lambda p: p.token(sub=""),
    "a subject with a line break": lambda p: p.token(sub="ada\nroot"),
    "a very long subject": lambda p: p.token(sub="a" * 300),
    "a very long token": lambda p: p.token(more="a" * 9000),
    "an encrypted token": lambda _: "a.b.c.d.e",
    "no token": lambda _: "a.b.c",
}


@pytest.mark.parametrize("attack", ATTACKS)
async def test_an_attack_is_refused(provider: Provider, issuer: Issuer, attack: str) -> None:
    token = ATTACKS[attack](provider)
    with pytest.raises(TokenRefused) as refused:
        await issuer.verify(token)
    assert token not in str(refused.value)
    assert set(provider.asked) <= {"/.well-known/openid-configuration", "/keys"}
    assert (await issuer.verify(provider.token())).subject == "ada"


async def test_a_shared_secret_that_the_issuer_publishes_signs_nothing(provider: Provider, issuer: Issuer) -> None:
    secret = b"s" * 32
    provider.keys.append({"kty": "oct", "kid": "three", "k": base64.urlsafe_b64encode(secret).decode(), "alg": "HS256"})
    with pytest.raises(TokenRefused):
        await issuer.verify(provider.token(secret, "HS256", "three"))


async def test_a_key_for_encryption_or_another_algorithm_signs_nothing(provider: Provider, issuer: Issuer) -> None:
    provider.keys = [rsa_document(RSA_KEY, "one", use="enc"), rsa_document(RSA_KEY, "two", alg="RS512")]
    for kid in ("one", "two"):
        with pytest.raises(TokenRefused):
            await issuer.verify(provider.token(kid=kid))


async def test_a_new_key_counts_at_once_and_a_withdrawn_one_ends(
    provider: Provider, issuer: Issuer, clock: Clock
) -> None:
    old = provider.token()
    await issuer.verify(old)
    provider.keys = [rsa_document(OTHER_RSA_KEY, "newer")]
    clock.now += PAUSE_SECONDS
    assert (await issuer.verify(provider.token(OTHER_RSA_KEY, kid="newer"))).subject == "ada"
    with pytest.raises(TokenRefused):
        await issuer.verify(old)


async def test_a_withdrawn_key_ends_by_itself(provider: Provider, issuer: Issuer, clock: Clock) -> None:
    await issuer.verify(provider.token())
    provider.keys = [rsa_document(OTHER_RSA_KEY, "newer")]
    assert await issuer.verify(provider.token())  # the cached keys
    clock.now += KEYS_SECONDS
    with pytest.raises(TokenRefused):
        await issuer.verify(provider.token())


async def test_unknown_keys_do_not_make_this_server_ask_again_and_again(provider: Provider, issuer: Issuer) -> None:
    await issuer.verify(provider.token())
    for number in range(20):
        with pytest.raises(TokenRefused):
            await issuer.verify(provider.token(kid=f"unknown {number}"))
    assert len(provider.asked) == 2


async def test_an_issuer_that_is_away_keeps_nobody_out_for_a_while(
    provider: Provider, issuer: Issuer, clock: Clock
) -> None:
    await issuer.verify(provider.token())
    provider.away = True
    clock.now += KEYS_SECONDS
    assert await issuer.verify(provider.token())
    clock.now += STALE_SECONDS
    with pytest.raises(IssuerAway):
        await issuer.verify(provider.token())


async def test_an_issuer_that_never_answered_is_away(provider: Provider, issuer: Issuer) -> None:
    provider.away = True
    with pytest.raises(IssuerAway):
        await issuer.verify(provider.token())


async def test_a_discovery_document_of_another_issuer_does_not_count(provider: Provider, issuer: Issuer) -> None:
    provider.about["issuer"] = "https://evil.example"
    with pytest.raises(IssuerAway):
        await issuer.verify(provider.token())


async def test_keys_in_a_private_network_are_not_fetched(provider: Provider) -> None:
    with pytest.raises(IssuerAway, match="cannot be had"):
        await Issuer(provider.url, AUDIENCE, SafeHttp([])).verify(provider.token())
