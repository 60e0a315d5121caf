"""Stand-ins for the world outside: they speak real HTTP on loopback and do as they are told."""

from tests.support.fakes.chat import Call, Spent, chat, embeddings, tools_of
from tests.support.fakes.server import RecordedRequest, Reply, Script, ScriptedModelServer

__all__ = [
    "Call",
    "RecordedRequest",
    "Reply",
    "Script",
    "ScriptedModelServer",
    "Spent",
    "chat",
    "embeddings",
    "tools_of",
]
