"""What a client of the Agent User Interaction protocol asks for: a message, or the answer to an interrupt."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid5

from ag_ui.core import ResumeEntry, RunAgentInput, UserMessage

from agents.user_words.passed_on import join_parts
from app.errors import InvalidInput
from app.protocols.answered import goes_on
from app.protocols.forced_tools import ToolForm, forced_tool

LONGEST_NAME = 200
ANSWER = 'Send {"status": "resolved", "payload": true}, false, or words.'


class Asked(RunAgentInput):
    """The protocol's own input. Tools of the client, context and state are taken and not used, but for a forced one."""

    def thread(self, user_id: UUID) -> UUID:
        """The thread of the conversation; a client may name it as it likes."""
        if len(self.thread_id) > LONGEST_NAME or len(self.run_id) > LONGEST_NAME:
            raise InvalidInput(f"threadId and runId have at most {LONGEST_NAME} characters.")
        try:
            return UUID(self.thread_id)
        except ValueError:
            return uuid5(user_id, f"agui thread {self.thread_id}")

    @property
    def last_user_text(self) -> str:
        """The words of the last message of the user; what came before is known from the thread."""
        for message in reversed(self.messages):
            if isinstance(message, UserMessage):
                return _words(message.content)
        raise InvalidInput("messages: there is no message of the user.")

    @property
    def goes_on(self) -> bool:
        """Whether an answer or what a tool gave stands behind that message."""
        return goes_on([message.role for message in self.messages])

    @property
    def forced_tool(self) -> ToolForm | None:
        """Name and schema of the tool that has to be called: no person speaks like that. None where none is forced."""
        given = self.forwarded_props if isinstance(self.forwarded_props, dict) else {}
        return forced_tool(given.get("toolChoice") or given.get("tool_choice"), self.tools or [])

    @property
    def answer(self) -> tuple[UUID, bool | str]:
        """The turn that asked, and the answer: yes, no or words."""
        entries = self.resume or []
        if len(entries) != 1:
            raise InvalidInput("resume: a run ends with one interrupt, which is answered alone.")
        try:
            return UUID(entries[0].interrupt_id), _answer(entries[0])
        except ValueError:
            raise InvalidInput("resume: an interruptId is the id of a turn.") from None


def _answer(entry: ResumeEntry) -> bool | str:
    said: Any = entry.payload
    if entry.status == "cancelled":
        return False
    if isinstance(said, dict):
        said = next((said[name] for name in ("approved", "accept", "answer", "text") if name in said), None)
    if isinstance(said, bool) or (isinstance(said, str) and said.strip()):
        return said
    raise InvalidInput("resume: the payload answers nothing.", hint=ANSWER)


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = [getattr(part, "text", None) for part in content]
    if None in parts:
        raise InvalidInput("messages: a part that is not text cannot be read.", hint="POST /v1/turns takes clips.")
    return join_parts([*map(str, parts)])
