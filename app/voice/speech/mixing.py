"""Sound of any rate and channels as 16 kHz mono."""

from __future__ import annotations

import av
from av.audio.frame import AudioFrame

from app.voice.speech.limits import SAMPLE_RATE

LOUDER = 8
"""As many times louder than the sum of both is one channel where they cancel each other."""
LOOKED_AT = 8
"""Of so many samples one is looked at."""


class Mixer:
    """Mixes a recording down; where its two channels cancel each other, the louder one is taken."""

    def __init__(self, channels: int) -> None:
        self._sum = av.AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE)
        self._sides = av.AudioResampler(format="s16", layout="stereo", rate=SAMPLE_RATE) if channels > 1 else None

    def mix(self, frame: AudioFrame | None) -> bytes:
        """The sound of a frame as s16le, with what was held back before; None ends the recording."""
        summed = _resample(self._sum, frame)
        if self._sides is None:
            return summed
        both = memoryview(_resample(self._sides, frame)).cast("h")
        one = max(both[::2], both[1::2], key=_peak)
        if _peak(one) <= LOUDER * (_peak(memoryview(summed).cast("h")) + 1):
            return summed
        return bytes(one.tobytes()[: len(summed)].ljust(len(summed), b"\0"))


def _resample(resampler: av.AudioResampler, frame: AudioFrame | None) -> bytes:
    width = resampler.layout.nb_channels * 2
    return b"".join(bytes(chunk.planes[0])[: chunk.samples * width] for chunk in resampler.resample(frame))


def _peak(samples: memoryview) -> int:
    looked_at = samples[::LOOKED_AT]
    return max((abs(value) for value in looked_at), default=0)
