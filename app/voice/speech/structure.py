"""What has to follow a magic number: a page, a script or an archive that only begins like audio is refused."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

BRAND_BOX_BYTES = range(16, 4097)
LONGEST_CHUNK = 1024 * 1024
"""Of what a wave file says before its format."""
MOST_CHANNELS = 64
STREAM_INFO = b"\x00\x00\x00\x22"
"""FLAC's first block: stream information, 34 bytes long."""
LAST_BLOCK = 0x80
OGG_FIRST_PAGE = 0x02
OGG_CODECS = (b"OpusHead", b"\x01vorbis", b"\x7fFLAC", b"Speex   ", b"fishead\0", b"\x80theora")
DOC_TYPE = re.compile(rb"\x42\x82.{1,8}?(?:webm|matroska)", re.DOTALL)
BOX_NAME = re.compile(rb"[A-Za-z0-9 ]{4}")
CHUNK_NAME = re.compile(rb"[ -~]{4}")
ID3_HEADER = 10
ADTS_HEADER = 7
LAST_ADTS_RATE = 12
AMR = re.compile(rb"#!AMR(?:-WB)?\n[\x00-\x7f]")


def goes_on(container: str, head: bytes) -> bool:
    """Whether these first bytes go on as a file of the container does that they begin like."""
    return CHECKS[container](head)


def _wav(head: bytes) -> bool:
    """Chunks, among them the format before the sound; one that lies beyond these bytes is believed."""
    at = 12
    while at + 8 <= len(head):
        name, size = struct.unpack_from("<4sI", head, at)
        if name == b"fmt ":
            return len(head) < at + 16 or _is_format(head, at + 8)
        if name == b"data" or size > LONGEST_CHUNK or not CHUNK_NAME.fullmatch(name):
            return False
        at += 8 + size + size % 2
    return True


def _is_format(head: bytes, at: int) -> bool:
    _, channels, rate = struct.unpack_from("<HHI", head, at)
    return bool(0 < channels <= MOST_CHANNELS and rate > 0)


def _flac(head: bytes) -> bool:
    return len(head) > 8 and bytes([head[4] & ~LAST_BLOCK]) + head[5:8] == STREAM_INFO  # noqa: PLR2004 - magic, header


def _ogg(head: bytes) -> bool:
    """A first page, whose packet names a codec."""
    if len(head) < 28 or head[4] != 0 or not head[5] & OGG_FIRST_PAGE:  # noqa: PLR2004 - a page's header
        return False
    return head[27 + head[26] :].startswith(OGG_CODECS)


def _webm(head: bytes) -> bool:
    return DOC_TYPE.search(head) is not None


def _mp4(head: bytes) -> bool:
    """A short box of brands, and another box behind it."""
    size = int.from_bytes(head[:4], "big")
    if size not in BRAND_BOX_BYTES or size % 4:
        return False
    behind = head[size + 4 : size + 8]
    return len(behind) < 4 or BOX_NAME.fullmatch(behind) is not None  # noqa: PLR2004 - the name of a box


def _mp3(head: bytes) -> bool:
    """A frame, or a tag of ID3 with frames or room behind it."""
    if not head.startswith(b"ID3"):
        return True
    tag = head[:ID3_HEADER]
    if len(tag) < ID3_HEADER or tag[3] not in (2, 3, 4) or tag[5] & 0x0F or max(tag[6:]) > 0x7F:  # noqa: PLR2004 - ID3v2
        return False
    size = tag[6] << 21 | tag[7] << 14 | tag[8] << 7 | tag[9]
    behind = head[ID3_HEADER + size :][:3]
    return not behind or behind[0] in (0, 0xFF) or behind in (b"ID3", b"TAG", b"APE")


def _caf(head: bytes) -> bool:
    """Version 1, and the description of the sound as its first chunk."""
    return head[4:6] == b"\x00\x01" and head[8:12] == b"desc"


def _amr(head: bytes) -> bool:
    """The narrow band or the wide one, of one channel, and a frame."""
    return AMR.match(head) is not None


def _aiff(head: bytes) -> bool:
    """A form for sound, and a chunk in it."""
    return head[8:12] in (b"AIFF", b"AIFC") and CHUNK_NAME.match(head, 12) is not None


def _aac(head: bytes) -> bool:
    """A frame, and another behind it; one that lies beyond these bytes is believed."""
    behind = _adts_bytes(head, 0)
    return len(head) < behind + ADTS_HEADER or is_adts_frame(head, behind)


def is_adts_frame(head: bytes, at: int) -> bool:
    """Twelve sync bits, layer 0, a sample rate that exists and a length that has room for its own header."""
    frame = head[at : at + ADTS_HEADER]
    if len(frame) < ADTS_HEADER or frame[0] != 0xFF or frame[1] & 0xF6 != 0xF0:  # noqa: PLR2004 - the header of ADTS
        return False
    return frame[2] >> 2 & 15 <= LAST_ADTS_RATE and _adts_bytes(head, at) > ADTS_HEADER


def _adts_bytes(head: bytes, at: int) -> int:
    return (head[at + 3] & 3) << 11 | head[at + 4] << 3 | head[at + 5] >> 5


CHECKS: dict[str, Callable[[bytes], bool]] = {
    "wav": _wav,
    "flac": _flac,
    "ogg": _ogg,
    "webm": _webm,
    "mp4": _mp4,
    "mp3": _mp3,
    "aac": _aac,
    "caf": _caf,
    "amr": _amr,
    "aiff": _aiff,
}
