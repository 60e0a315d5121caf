"""What an upload really is: told by its first bytes, never by its name or by probing."""

from __future__ import annotations

from app.errors import InvalidInput
from app.voice.model import ACCEPTED, Container
from app.voice.speech.structure import goes_on, is_adts_frame

HEAD_BYTES = 512

# A recorder that writes to a pipe cannot know the size and leaves one of these huge values.
UNKNOWN_SIZE = 0x7FFF_0000
OGG_HEADER_BYTES = 27
OGG_PAGE_BYTES = OGG_HEADER_BYTES + 255 + 255 * 255
RIFF_SIZE = slice(4, 8)
WAV_HEADER_BYTES = 44
"""Before the first sample, at least."""

MAGIC: tuple[tuple[int, bytes, Container], ...] = (
    (0, b"fLaC", "flac"),
    (0, b"OggS", "ogg"),
    (0, b"\x1a\x45\xdf\xa3", "webm"),
    (0, b"ID3", "mp3"),
    (4, b"ftyp", "mp4"),
    (0, b"caff", "caf"),
    (0, b"#!AMR", "amr"),
    (0, b"FORM", "aiff"),
)

IMPOSTORS: tuple[tuple[bytes, str], ...] = (
    (b"ffconcat", "an ffconcat script"),
    (b"#EXTM3U", "an M3U playlist"),
    (b"[playlist]", "a PLS playlist"),
    (b"<", "markup (HTML or XML)"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
)


class InvalidAudio(InvalidInput):
    """Bytes that are no clip, or not a whole one."""

    title = "The clip cannot be read as audio"
    hint = f"Send one whole recording as {ACCEPTED}."


def sniff(head: bytes) -> Container:
    """The container that the first ``HEAD_BYTES`` bytes prove; raises InvalidAudio for anything else."""
    container = _begins_like(head)
    if not goes_on(container, head):
        raise InvalidAudio(f"This begins like {container}, but does not go on like it; accepted are {ACCEPTED}.")
    return container


def _begins_like(head: bytes) -> Container:
    if head[:4] in (b"RIFF", b"RF64") and head[8:12] == b"WAVE":
        return "wav"
    for offset, magic, container in MAGIC:
        if head[offset : offset + len(magic)] == magic:
            return container
    if _is_mp3_frame(head):
        return "mp3"
    if is_adts_frame(head, 0):
        return "aac"
    raise InvalidAudio(f"This is {describe(head)}; accepted are {ACCEPTED}.")


def check_whole(head: bytes, size: int) -> None:
    """Raises InvalidAudio when a wav header promises more than the ``size`` bytes that arrived."""
    if lacks_bytes(head, size):
        raise InvalidAudio(f"The clip is cut short: its header promises {_promised_size(head)} bytes, {size} arrived.")


def lacks_bytes(head: bytes, size: int) -> bool:
    """Whether a wav header promises more than the ``size`` bytes that arrived."""
    return head[:4] == b"RIFF" and size < _promised_size(head) < UNKNOWN_SIZE


def ends_within_a_page(tail: bytes) -> bool:
    """Whether the last ogg page in the file's last ``OGG_PAGE_BYTES`` bytes is cut."""
    start = tail.rfind(b"OggS")
    header = tail[start : start + OGG_HEADER_BYTES]
    lacing = tail[start + OGG_HEADER_BYTES :][: header[-1]] if len(header) == OGG_HEADER_BYTES else b""
    whole = len(header) == OGG_HEADER_BYTES and len(lacing) == header[-1]
    return not whole or start + OGG_HEADER_BYTES + len(lacing) + sum(lacing) > len(tail)


def _promised_size(head: bytes) -> int:
    return int.from_bytes(head[RIFF_SIZE], "little") + 8


def describe(head: bytes) -> str:
    """A few words for what the bytes look like, for people."""
    if not head:
        return "an empty file (0 bytes)"
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    for magic, words in IMPOSTORS:
        if start.startswith(magic):
            return words
    if _is_text(head):
        return "text"
    return f"no known container (it begins with the bytes {head[:4].hex(' ')})"


def _is_mp3_frame(head: bytes) -> bool:
    """Eleven sync bits, layer III, and a version, bitrate and sample rate that exist."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE6 != 0xE2:  # noqa: PLR2004 - the frame header of MPEG audio
        return False
    version, bitrate, rate = head[1] >> 3 & 3, head[2] >> 4, head[2] >> 2 & 3
    return version != 1 and bitrate not in (0, 15) and rate != 3  # noqa: PLR2004 - reserved values


def _is_text(head: bytes) -> bool:
    return all(byte >= ord(" ") or byte in b"\t\r\n\f\x1b" for byte in head)
