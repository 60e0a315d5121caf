from __future__ import annotations

import time
from collections.abc import AsyncIterator

import numpy as np
import pytest
from numpy.typing import NDArray

from app.settings import Settings
from app.voice.engines.engine_process import EngineProcess
from app.voice.engines.faster_whisper import MODULE
from app.voice.engines.faster_whisper_child import load_spans
from app.voice.speech.limits import pcm_bytes
from app.voice.speech.silence import BLOCK_SECONDS, cut, pieces, spoken_spans
from tests.support.speech.sounds import RATE, silence

SECONDS = np.arange(10 * RATE) / RATE
NOISE = np.random.default_rng(7)
HISS = NOISE.normal(0, 1500, 10 * RATE).astype(np.int16)
HUM = (6000 * np.sin(2 * np.pi * 50 * SECONDS) + 3000 * np.sin(2 * np.pi * 150 * SECONDS)).astype(np.int16)
CLICKS = np.where(NOISE.random(10 * RATE) < 0.0005, 16_000, 0).astype(np.int16)
TUNE = (9000 * np.sin(2 * np.pi * np.repeat(220 * 2 ** (np.arange(20) % 12 / 12), RATE // 2) * SECONDS)).astype(
    np.int16
)


@pytest.fixture
async def listener(settings: Settings) -> AsyncIterator[EngineProcess]:
    process = EngineProcess("faster-whisper", MODULE, "", "en", "1", "cpu")
    yield process
    await process.close()


async def test_nobody_speaks_in_silence_noise_hum_and_music(listener: EngineProcess) -> None:
    sounds = {"zeros": silence(3), "hiss": HISS, "hum": HUM, "clicks": CLICKS, "tune": TUNE, "none": silence(0)}
    found = {name: await spoken_spans(listener, sound.tobytes()) for name, sound in sounds.items()}
    assert found == {name: [] for name in sounds}


def test_a_stretch_without_any_sound_costs_no_look_for_a_voice() -> None:
    look = load_spans()
    hiss = (HISS / 1500 * 5).astype(np.int16)
    look(HUM.tobytes(), {"work": "spans"})
    took = {}
    for name, sound in {"hum": HUM, "faint hiss": hiss}.items():
        began = time.process_time()
        assert look(sound.tobytes(), {"work": "spans"}) == {"spans": []}
        took[name] = time.process_time() - began
    assert took["faint hiss"] < took["hum"] / 3


@pytest.mark.parametrize("gain", [1.0, 0.1, 0.02])
async def test_a_voice_is_heard_even_when_it_is_quiet(
    listener: EngineProcess, speech: NDArray[np.int16], gain: float
) -> None:
    assert await spoken_spans(listener, (speech * gain).astype(np.int16).tobytes())


async def test_a_voice_is_heard_over_hiss(listener: EngineProcess, speech: NDArray[np.int16]) -> None:
    noisy = (speech[: 8 * RATE] * 0.7 + HISS[: 8 * RATE] * 0.3).astype(np.int16)
    assert await spoken_spans(listener, noisy.tobytes())


async def test_a_short_word_is_found_where_it_is_also_in_a_later_block(
    listener: EngineProcess, speech: NDArray[np.int16]
) -> None:
    word = speech[int(5.4 * RATE) : int(5.9 * RATE)]
    sound = np.concatenate([silence(BLOCK_SECONDS + 20), word, silence(20)])
    ((start, end),) = await spoken_spans(listener, sound.tobytes())
    begin = (BLOCK_SECONDS + 20) * 1000
    assert begin - 300 <= start <= begin + 300
    assert begin + 400 <= end <= begin + 800


def test_pieces_end_where_nobody_speaks() -> None:
    spans = [(0, 8_000), (9_000, 20_000), (21_000, 29_000), (31_000, 40_000), (70_000, 95_000)]
    assert list(pieces(spans, 30_000)) == [(0, 29_000), (31_000, 40_000), (70_000, 95_000)]
    assert list(pieces([], 30_000)) == []
    assert len(cut(bytes(pcm_bytes(5)), (1_000, 2_500))) == pcm_bytes(1.5)
