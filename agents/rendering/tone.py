"""How a reply sounds, by the user's instructions: only the facts, or the details as well, and with no emojis."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.contract import Change, FocusSuggestion
from agents.languages import say
from agents.policies import Standing, Tone

EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\u20e3\U000e0020-\U000e007f]+")
QUOTED = re.compile(r"(“[^”]*”)")
SENTENCE = re.compile(r"[^.!?]+[.!?]*\s*")


class ReplyStyle:
    """What the instructions in force want of a reply; the one given last decides."""

    def __init__(self, standing: Sequence[Standing] = ()) -> None:
        tones = [rule for known in standing if known.until is None for rule in known.rules if isinstance(rule, Tone)]
        lengths = [tone.length for tone in tones if tone.length]
        self.brief = lengths[-1:] == ["short"]
        self.detailed = lengths[-1:] == ["long"]
        self.plain = any(tone.plain for tone in tones)

    def strip_emojis(self, text: str) -> str:
        """Words that are not the user's own: without emojis where they are not wanted, titles left as they are."""
        if not self.plain:
            return text
        parts = [part if part.startswith("“") else EMOJI.sub("", part) for part in QUOTED.split(text)]
        return re.sub(r"[ \t]{2,}", " ", "".join(parts)).strip(" ")

    def lead_in(self, text: str, *, alone: bool) -> str:
        """Small talk or a lead-in; brief, it is left out beside facts, and one sentence by itself."""
        if not self.brief:
            return self.strip_emojis(text)
        first = SENTENCE.match(text)
        return self.strip_emojis(first[0].strip() if first else text) if alone else ""

    def shorten_change(self, change: Change) -> Change:
        """The change in this style; a brief style leaves out the alternatives."""
        return change.model_copy(update={"alternatives": []}) if self.brief else change

    def details(self, change: Change, *, steps: bool = False) -> str:
        """What else there is to say about a change when details are wanted, or its ``steps``: those of a new task."""
        made = (change.after or {}).get("solutions") if change.kind == "todo" and change.op == "create" else None
        wanted = self.detailed or (steps and not self.brief)
        if not (wanted and made and change.status == "applied"):
            return ""
        return say("Steps: {steps}.", steps="; ".join(step.rstrip(".") for step in made))

    def shorten_suggestion(self, suggestion: FocusSuggestion) -> FocusSuggestion:
        """A suggestion; brief, without encouragement."""
        return suggestion.model_copy(update={"encouragement": ""}) if self.brief else suggestion
