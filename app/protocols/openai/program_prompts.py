"""The completions that programs ask for beside a conversation: titles, tags, follow-ups, queries, choices of tools.

They are not words of a user. They are told by their structure (see agents.user_words.passed_on), by a tool that is
forced or by JSON that is demanded; they are answered in the form that is asked for, and never act, whatever the model
id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import category

from agents.user_words.passed_on import Message, form_in, is_labelled_query, part_message
from app.protocols.forced_tools import ToolForm
from app.protocols.json_forms import smallest_value
from app.protocols.openai.shapes import ChatMessage, ChatRequest

TITLE_WORDS = 5
LONGEST_LINE = 80
FIRST_LINE = re.compile(r"^[ \t*|>-]{0,20}(?:user|human)[ \t:*]{1,10}(?P<said>[^\n]+)", re.IGNORECASE | re.MULTILINE)
ANSWER_END = '"""'
DEFAULTS: dict[str, Any] = {"tags": ["General"], "emoji": "🙂"}


@dataclass(frozen=True)
class ProgramAnswer:
    """What a program is answered: words, or the call of the tool that it forced, with its arguments."""

    text: str
    tool: str = ""


def program_answer(asked: ChatRequest) -> ProgramAnswer | None:
    """Return the answer to a program's own prompt; None for a conversation."""
    prompt = next((one.outline for one in reversed(asked.messages) if one.role == "user"), "")
    title = title_of(_subject(asked.messages, prompt))
    instructions = _instructions(asked.messages, "system", "developer", "user")
    if answer := demanded_answer(asked.forced_tool, asked.demanded_schema, instructions, title):
        return answer
    message, form = part_message(prompt), form_in(_instructions(asked.messages, "system", "developer"))
    if not message.machine and (form is None or not is_labelled_query(prompt)):
        return None
    form = message.form if form is None else form
    return ProgramAnswer(_in_words(message, prompt, title) if form is None else _as_json(_fill_form(form, title)))


def demanded_answer(
    tool: ToolForm | None, schema: dict[str, Any] | None, instructions: str, title: str
) -> ProgramAnswer | None:
    """Return the call of a tool that is forced, or the JSON that is demanded; None where neither is."""
    if tool is not None:
        return ProgramAnswer(_as_json(_fill_form(smallest_value(tool[1]), title)), tool[0])
    if schema is None:
        return None
    shown = smallest_value(schema) if schema else form_in(instructions)
    return ProgramAnswer(_as_json(_fill_form(shown or {}, title)))


def _in_words(message: Message, prompt: str, title: str) -> str:
    """Return an answer that is no JSON: an emoji where the prompt shows some, one of the quoted answers, a title."""
    if not message.quoted:
        return title
    shown = [sign for sign in prompt.replace(message.quoted, "") if category(sign) == "So"]
    return shown[0] if shown else message.quoted.partition(ANSWER_END)[0].strip() or title


def _instructions(messages: Sequence[ChatMessage], *roles: str) -> str:
    return "\n".join(one.outline for one in messages if one.role in roles)


def _fill_form(form: Any, title: str) -> Any:
    """Return an empty answer with what can be said by rule: a title, a tag."""
    if not isinstance(form, dict):
        return form
    return {name: title if name == "title" else DEFAULTS.get(name, value) for name, value in form.items()}


def _subject(messages: Sequence[ChatMessage], prompt: str) -> str:
    """Return the first thing that the user said: quoted in the prompt, or the conversation before it."""
    quoted = FIRST_LINE.search(prompt)
    said = [one.outline for one in messages if one.role == "user" and one.outline != prompt]
    return quoted["said"] if quoted else next(iter(said), part_message(prompt).own)


def title_of(subject: str) -> str:
    """Return the first words of what is spoken of."""
    words = subject[:LONGEST_LINE].split()[:TITLE_WORDS]
    title = " ".join(words).strip(" .,;:!?\"'*")
    return f"{title[:1].upper()}{title[1:]}" if title else "Conversation"


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
