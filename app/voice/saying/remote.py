"""Any OpenAI-compatible ``/audio/speech``."""

from __future__ import annotations

import httpx

from app.voice.engines.remote import SpeechServer
from app.voice.model import CannotSpeak, SpokenForm

PASSING = {408, 409, 425, 429}
MOST_BYTES = 64 * 1024 * 1024
CONNECT_SECONDS = 10.0


async def speak(
    server: SpeechServer, text: str, form: SpokenForm, *, speed: float, voice: str, seconds: float
) -> bytes:
    """The words as that server speaks them, within ``seconds``; raises CannotSpeak, never with the server's words."""
    body = {"model": server.model, "input": text, "voice": voice, "response_format": form, "speed": speed}
    headers = {"Authorization": f"Bearer {server.api_key}"} if server.api_key else {}
    limits = httpx.Timeout(seconds, connect=CONNECT_SECONDS)
    try:
        async with (
            httpx.AsyncClient(timeout=limits) as client,
            client.stream("POST", f"{server.base_url.rstrip('/')}/audio/speech", json=body, headers=headers) as answer,
        ):
            return await _sound(answer)
    except httpx.TimeoutException as error:
        raise CannotSpeak("the server of speech did not answer in time", retryable=True) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise CannotSpeak(f"the server of speech cannot be reached ({type(error).__name__})", retryable=True) from error


async def _sound(answer: httpx.Response) -> bytes:
    status = answer.status_code
    if not answer.is_success:
        passing = status in PASSING or answer.is_server_error
        raise CannotSpeak(f"the server of speech answered {status}", retryable=passing)
    sound = b""
    async for chunk in answer.aiter_bytes():
        sound += chunk
        if len(sound) > MOST_BYTES:
            raise CannotSpeak(f"the server of speech sent more than {MOST_BYTES} bytes")
    kind = answer.headers.get("Content-Type", "")
    if not sound or kind.startswith(("text/", "application/json")):
        raise CannotSpeak("the server of speech sent no sound")
    return sound
