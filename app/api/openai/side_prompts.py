"""The extra completions that front ends ask for beside a conversation: titles, tags, follow-ups, search queries.

They are not words of the user. They are answered by rule and never act, whatever the model id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from app.api.openai.shapes import ChatMessage

TITLE = "a title"
TITLE_WORDS = 5
LONGEST_LINE = 80
# As Open WebUI, LibreChat, LobeChat and Chat UI word them; each begins its message with such words.
OPENINGS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        TITLE,
        re.compile(r"(?:please )?(?:create|generate|provide|write) an? (?:concise|short|brief)\b.{0,60}\btitle\b"),
    ),
    (TITLE, re.compile(r"you are a (?:summarization ai|professional conversation summarizer)")),
    ("tags", re.compile(r"generate \d+-\d+ broad tags")),
    ("follow_ups", re.compile(r"suggest \d+-\d+ relevant follow-up questions")),
    ("queries", re.compile(r"analyze the chat history to determine the necessity of generating search queries")),
    ("text", re.compile(r"you are an autocompletion system")),
    ("emoji", re.compile(r"your task is to reflect the speaker's likely facial expression through a fitting emoji")),
)
TASK = re.compile(r"\s*(?:#+ *task:?\s*)?", re.IGNORECASE)
FIRST_LINE = re.compile(
    r"(?:<chat_history>|conversation:|chat:)\s*(?:\*\*|\|\|>)?\s*(?:user|human)[\s:*]*(?P<said>[^\n]+)", re.IGNORECASE
)
EMPTY = {
    "tags": {"tags": ["General"]},
    "follow_ups": {"follow_ups": []},
    "queries": {"queries": []},
    "text": {"text": ""},
}


def side_answer(messages: Sequence[ChatMessage]) -> str | None:
    """The answer to a prompt that a front end made itself; None for a conversation."""
    asked = [message for message in messages if message.role in ("user", "system", "developer")]
    ends = [asked[-1], *(one for one in asked[:1] if one.role != "user")] if asked else []
    for message in ends:
        kind = _kind(message.outline)
        if kind is not None:
            return _answer(kind, messages, message.outline)
    return None


def _kind(text: str) -> str | None:
    begins = TASK.match(text)
    words = " ".join(text[begins.end() if begins else 0 :][:400].lower().split())
    return next((kind for kind, opening in OPENINGS if opening.match(words)), None)


def _answer(kind: str, messages: Sequence[ChatMessage], prompt: str) -> str:
    if kind == "emoji":
        return "🙂"
    if kind != TITLE:
        return json.dumps(EMPTY[kind])
    title = _title(_subject(messages, prompt))
    return json.dumps({"title": title}, ensure_ascii=False) if '"title"' in prompt else title


def _subject(messages: Sequence[ChatMessage], prompt: str) -> str:
    """The first thing that the user said: quoted in the prompt, or the conversation before it."""
    quoted = FIRST_LINE.search(prompt)
    said = [one.outline for one in messages if one.role == "user" and one.outline != prompt]
    return quoted["said"] if quoted else next(iter(said), "")


def _title(subject: str) -> str:
    words = subject[:LONGEST_LINE].split()[:TITLE_WORDS]
    title = " ".join(words).strip(" .,;:!?\"'*")
    return f"{title[:1].upper()}{title[1:]}" if title else "Conversation"
