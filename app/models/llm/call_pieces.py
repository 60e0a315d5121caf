"""Calls that come in pieces of a stream: servers number them, name them by ids, or send each whole under one number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessageChunk

from app.models.llm.written_calls import LONGEST_ARGUMENTS, Called, arguments_of


@dataclass
class _Piece:
    """One call as far as it came."""

    index: Any
    known: str
    name: str
    text: str


def calls_in(chunks: Iterable[AIMessageChunk]) -> tuple[list[Called], list[str]]:
    """Return the calls of a stream, and the names of those that cannot be read, as one that was cut off."""
    pieces: list[_Piece] = []
    for chunk in chunks:
        for part in chunk.tool_call_chunks:
            _add(pieces, part.get("index"), part.get("id") or "", part.get("name") or "", str(part.get("args") or ""))
    calls, unreadable = list[Called](), list[str]()
    for piece in pieces:
        args = arguments_of(piece.text or "{}") if len(piece.text) <= LONGEST_ARGUMENTS else None
        if piece.name and isinstance(args, dict):
            calls.append({"name": piece.name, "args": args})
        else:
            unreadable.append(piece.name)
    return calls, unreadable


def _add(pieces: list[_Piece], index: Any, known: str, name: str, text: str) -> None:
    last = next((one for one in reversed(pieces) if index is None or one.index == index), None)
    begins = last is None or (known and last.known and known != last.known) or (name and _is_whole(last))
    if begins or last is None:
        pieces.append(_Piece(index, known, name, text))
        return
    last.known, last.text = last.known or known, last.text + text
    last.name += "" if name == last.name else name


def _is_whole(piece: _Piece) -> bool:
    return isinstance(arguments_of(piece.text), dict)
