"""What only reacts to the last reply: "that's fine", "no problem", "oh great, thanks", "not today".

Read as a correction it would put these words into what was just changed.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agents.understanding.dialogue import complaints, smalltalk
from agents.understanding.grammar import patterns_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import read

LEAD = (
    r"(?:(?:oh|ah|um|uh|er|hmm+|ok|okay|well|no|nope|nah|yes|yeah|yep|sorry|oops|whoops|wait|actually|but|and|haha|"
    r"lol|hey)\s+)*"
)
THING = (
    r"(?:(?:that|it|this|everything|you|i|we)(?:'?s|'?re|'m| is| are| am| was| were| sounds| looks| seems| will be|'ll be|"
    r" should be| would be)?\s+)?(?:(?:so|really|very|quite|pretty|just|all|totally|absolutely|not|still)\s+)*"
)
MOOD = (
    r"(?:fine|ok|okay|good|great|perfect|lovely|nice|cool|brilliant|amazing|awesome|wonderful|excellent|fantastic|sweet|"
    r"alright|all right|right|correct|enough|all|it|weird|odd|strange|funny|hilarious|sad|unfair|fair|too bad|a shame|"
    r"a pity|interesting|wow|dear|well|lol|haha|sorry|thanks|thank you|busy|kidding|joking|too (?:late|expensive|much)|"
    r"cold|freezing|raining|snowing|pouring|what s?he said)"
)
TAIL = (
    r"(?:\s+(?:thanks|thank you|cheers|then|now|for now|too|really|lol|haha|sorry|man|mate|sir|very much|so much|a lot|"
    r"(?:with|by|for) me|though|indeed|already|at all))*"
)
NOTHING = (
    r"no (?:problems?|worries|way|idea|need|comment|clue|kidding|(?:big )?deal|luck|chance|good|sir|biggie|matter|harm done|"
    r"offen[cs]e|doubt|stress|pressure|bother|more|nothing)"
)
PAUSE = (
    r"(?:wait|hang on|hold on|just|give me|gimme)(?:\s+(?:a|one|half a)\s+(?:second|sec|minute|min|moment|tick|bit))?"
)
SAID = (
    r"what|huh|really|seriously|leave me alone|please don't|not (?:at all|really|sure)|rather not|nothing|fair enough|"
    r"sounds good|works for me|(?:good|nice) (?:job|work|one|idea|point)|(?:well|nicely) done|love it|my bad|"
    r"(?:actually|sorry|i mean|no) (?:yes|yeah|yep|thanks)|"
    r"i (?:can't|cannot|don't think so|don't know|see|know|understand|agree|mean it|guess(?: so)?|suppose so|hope so)|"
    r"you too|same(?: here| to you)?|(?:that's |it's )?(?:the one|life|a (?:lot|good idea|great idea|relief|start))|at (?:last|least)|"
    r"that's good (?:news|to (?:know|hear))|oh (?:my (?:god|gosh|goodness)|boy|man|dear|come on)|see you(?: later| soon| then)?|"
    r"sorry (?:to (?:bother|trouble) you|for the (?:trouble|confusion|mess|bother|noise)|about (?:that|this|it)|i'm late)|"
    r"(?:s?he|they|we|you|it) (?:did|does|do|can't|won't|isn't|wasn't)(?: me| come)?|"
    r"no stop|make it (?:stop|so|happen|good|quick)|wrong (?:thread|chat|window|number|button)"
)
REACTION = re.compile(rf"{LEAD}(?:{THING}{MOOD}|{NOTHING}|{PAUSE}|{SAID}){TAIL}", re.IGNORECASE)
P = patterns_of(__name__)
NOT_THEN = re.compile(
    rf"{LEAD}not (?:(?:on|at|in|this|the|next) )*(?:now|today|tonight|tomorrow|week|weekend|morning|afternoon|evening|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)",
    re.IGNORECASE,
)
ENDS = P.ENDS
SUGGESTED = "Next: "
WHEN_INSTEAD = "When instead? Tell me the day or the time, and I'll change it."


def reaction_answer(said: str, scene: Scene) -> Share | None:
    """The reply to a message that only reacts to what was done; None where it asks for anything."""
    complained = complaints.all_of(said, scene)
    if complained is not None:
        return complained
    last, recent = scene.last_change(), scene.ask.recent
    if last is None or (recent and SUGGESTED in recent[-1].replied):
        return None
    parts = [part for part in ENDS.split(said.strip().replace("’", "'")) if part]
    told = [part for part in parts if not P.BESIDE.fullmatch(part)]
    if len(told) == 1 and NOT_THEN.fullmatch(told[0]):
        return Share(note=WHEN_INSTEAD)
    if not told or not all(REACTION.fullmatch(part) for part in told):
        return None
    talk = next((intent for intent in read(trim(said)) if intent.name == "small_talk"), None)
    reply = smalltalk.small_talk(talk, said, scene) if talk else smalltalk.small_talk_answer(said)
    return replace(reply, filler=False)
