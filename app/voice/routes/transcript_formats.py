"""Transcripts as subtitles: SubRip and WebVTT."""

from __future__ import annotations

from collections.abc import Sequence

from app.voice.model import Segment

MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND = 3_600_000, 60_000, 1000


def as_srt(segments: Sequence[Segment]) -> str:
    """Numbered subtitles, as SubRip has them."""
    return "\n".join(
        f"{number}\n{_clock(one.start_ms, ',')} --> {_clock(one.end_ms, ',')}\n{one.text}\n"
        for number, one in enumerate(segments, start=1)
    ).rstrip()


def as_vtt(segments: Sequence[Segment]) -> str:
    """Cues, as WebVTT has them."""
    return "\n\n".join(["WEBVTT", *(_cue(one) for one in segments)])


def _cue(segment: Segment) -> str:
    # WebVTT is markup: what was said must not become a tag.
    words = segment.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"{_clock(segment.start_ms, '.')} --> {_clock(segment.end_ms, '.')}\n{words}"


def _clock(ms: int, point: str) -> str:
    hours, rest = divmod(ms, MS_PER_HOUR)
    minutes, rest = divmod(rest, MS_PER_MINUTE)
    seconds, rest = divmod(rest, MS_PER_SECOND)
    return f"{hours:02}:{minutes:02}:{seconds:02}{point}{rest:03}"
