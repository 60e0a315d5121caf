"""Calls that come in pieces of a stream: servers number them, name them by ids, or send each whole under one number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk

from app.llm.written_calls import LONGEST_ARGUMENTS, Called, arguments_of


@dataclass
class _Piece:
    """One call as far as it came."""

    index: Any
    known: str
    name: str
    text: str


def streamed_calls(chunks: Iterable[AIMessageChunk]) -> tuple[list[Called], int]:
    """Return the calls of a stream, and how many of them cannot be read, as one that was cut off."""
    pieces: list[_Piece] = []
    for chunk in chunks:
        for part in chunk.tool_call_chunks:
            _add(pieces, part.get("index"), part.get("id") or "", part.get("name") or "", str(part.get("args") or ""))
    return _read([(piece.name, piece.text) for piece in pieces])


def whole_calls(message: AIMessage) -> tuple[list[Called], int]:
    """Return the calls of a whole answer, and how many of them cannot be read."""
    unread = [(str(call["name"] or ""), str(call["args"] or "")) for call in message.invalid_tool_calls]
    again, lost = _read(unread)
    return [*({"name": call["name"], "args": call["args"]} for call in message.tool_calls), *again], lost


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


def _read(said: Iterable[tuple[str, str]]) -> tuple[list[Called], int]:
    calls: list[Called] = []
    lost = 0
    for name, text in said:
        args = arguments_of(text or "{}") if len(text) <= LONGEST_ARGUMENTS else None
        if name and isinstance(args, dict):
            calls.append({"name": name, "args": args})
        else:
            lost += 1
    return calls, lost
