"""Instructions about how replies sound: short or detailed, with or without emojis."""

from __future__ import annotations

import re

from agents.policies.rules import Rule, Tone

REPLIES = r"(?:answers?|repl(?:y|ies)|responses?|messages?|confirmations?|sentences?|explanations?)"
SHORT = r"(?:short(?:er)?|brief(?:er)?|concise|terse|succinct|crisp|snappy|minimal|to the point|one[\s-](?:line|sentence)|one[\s-]liners?)"
LONG = r"(?:long(?:er)?|detailed|thorough|verbose|elaborate|full(?:er)?|complete)"
GIVE = r"(?:keep|make|give|use|write|send|prefer|want|like|need|have|only|with)"
YOURS = r"(?:(?:me|to|all|of|your|the|my|only|very|really|more|always|as|nice|and)\s+){0,4}"
FEW = r"(?:in|with|using)\s+(?:at most\s+)?(?:one|a single|1|two|2|a couple of|a few|few|as few|fewer)\s+(?:short\s+)?(?:sentences?|lines?|words?)"
SPEAK = r"(?:answer|reply|respond|talk|speak|confirm|explain)"


def _forms(style: str, adverb: str) -> tuple[re.Pattern[str], ...]:
    """The ways to ask for replies of a length."""
    return (
        re.compile(rf"\b{GIVE}\s+{YOURS}{style}\s+{REPLIES}\b"),
        re.compile(rf"\b(?:keep|make)\s+{YOURS}{REPLIES}\s+(?:(?:very|really|more|as|nice|and)\s+){{0,3}}{style}\b"),
        re.compile(
            rf"^(?:always keep it|(?:always\s+)?(?:be|stay))\s+(?:(?:very|really|more|always)\s+){{0,2}}{style}(?:\s+with me)?$"
        ),
        re.compile(rf"\b{SPEAK}\s+(?:(?:me|to me|with|always)\s+){{0,2}}{adverb}\b"),
        re.compile(rf"^{style}\s+{REPLIES}(?:\s+only)?$"),
    )


BRIEF = (
    *_forms(SHORT, r"(?:briefly|concisely|shortly|tersely|succinctly)"),
    re.compile(rf"\b{SPEAK}\s+(?:(?:me|to me|always|only)\s+){{0,2}}{FEW}"),
    re.compile(
        r"\b(?:no|skip the|without|less|cut the|drop the)\s+(?:small ?talk|chit-?chat|chatter|waffle|fluff|pleasantries)\b"
    ),
    re.compile(r"^(?:just|only|stick to|give me (?:just|only))\s+the facts$"),
    re.compile(
        r"\b(?:don't|do not|stop|never)\s+(?:be(?:ing)?\s+)?(?:so\s+|too\s+)?(?:ramble|rambling|waffl\w+|chatty|wordy|verbose)\b"
    ),
    re.compile(r"\bbe (?:less (?:chatty|wordy|verbose))\b"),
)
DETAILED = (*_forms(LONG, r"(?:in (?:more )?detail|at length|thoroughly)"),)
EMOJI = r"(?:emojis?|emoticons?|smileys?)"
PLAIN = re.compile(
    rf"\b(?:no|without|never use|don't use|do not use|stop using|avoid|skip|leave out|drop)\s+(?:the |any |your |all )?{EMOJI}\b"
)


def tone(text: str) -> list[Rule]:
    """How replies sound."""
    plain = PLAIN.search(text) is not None
    rest = re.sub(r"(?:\s*,|\s+and)*\s*$", "", PLAIN.sub(" ", text)).strip()
    if any(form.search(rest) for form in BRIEF):
        return [Tone(length="short", plain=plain)]
    if any(form.search(rest) for form in DETAILED):
        return [Tone(length="long", plain=plain)]
    return [Tone(plain=True)] if plain else []
