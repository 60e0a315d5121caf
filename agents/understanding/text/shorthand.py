"""What hurried fingers leave out and hurried mouths put in, as plain words: "rmd me", "del", "im", "in like ten minutes"."""

from __future__ import annotations

import re

from agents.time.prefilter import Prefiltered
from agents.understanding.grammar import patterns_of
from agents.understanding.text.verbs import is_verb

BEGINNINGS = {
    "rmd": "remind",
    "rmnd": "remind",
    "remnd": "remind",
    "remidn": "remind",
    "rem": "remind",
    "del": "delete",
    "dlt": "delete",
    "rm": "remove",
    "canx": "cancel",
    "cxl": "cancel",
    "resched": "reschedule",
    "sched": "schedule",
    "appt": "appointment",
    "mv": "move",
    "q": "question",
}
BEGINS = re.compile(
    rf"(?P<before>^|[.;!?\n/,]\s*|\b(?:and|then|pls|please)\s+)(?P<short>{'|'.join(BEGINNINGS)})"
    r"(?P<after>\s+(?=(?:me|the|my|all|that|it|[\w'])\S*)|\s*:)",
    re.IGNORECASE,
)
SLANG = {"arvo": "afternoon", "tomoz": "tomorrow", "tomo": "tomorrow"}
CHAT = {
    "sry": "sorry",
    "srry": "sorry",
    "soz": "sorry",
    "tho": "though",
    "bc": "because",
    "cuz": "because",
    "coz": "because",
    "nvm": "never mind",
    "abt": "about",
    "ur": "your",
    "u": "you",
    "r": "are",
    "n": "and",
    "b4": "before",
    "wanna": "want to",
}
CHATTY = re.compile(rf"(?<![\w'/.+-])(?:{'|'.join(CHAT)})(?![\w'/.+-])")
SLANGY = Prefiltered(re.compile(rf"\b(?:{'|'.join(SLANG)})\b", re.IGNORECASE))
APOSTROPHES = {
    "im": "i'm",
    "ive": "i've",
    "dont": "don't",
    "doesnt": "doesn't",
    "didnt": "didn't",
    "isnt": "isn't",
    "arent": "aren't",
    "wasnt": "wasn't",
    "havent": "haven't",
    "hasnt": "hasn't",
    "cant": "can't",
    "whats": "what's",
    "whens": "when's",
    "wheres": "where's",
    "thats": "that's",
    "theyre": "they're",
    "youre": "you're",
    "lets": "let's",
    "wont": "won't",
    "couldnt": "couldn't",
    "shouldnt": "shouldn't",
    "wouldnt": "wouldn't",
    "werent": "weren't",
    "theres": "there's",
    "hows": "how's",
    "whos": "who's",
    "hes": "he's",
    "shes": "she's",
    "weve": "we've",
    "itll": "it'll",
    "thatll": "that'll",
    "theyll": "they'll",
    "youve": "you've",
    "theyve": "they've",
}
BARE = re.compile(rf"\b(?:{'|'.join(APOSTROPHES)})\b")
P = patterns_of(__name__)
LIKE = Prefiltered(
    re.compile(
        r"\b(?P<word>in|for|at|about|around|take|takes|taking|just|by|got|have|gonna|until|till|needs?|only)\s+like\s+"
        r"(?=(?:an?|the|\d+|half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|"
        r"forty|fifty|ninety|noon|midnight|next|this|tomorrow)\b)",
        re.IGNORECASE,
    )
)
GONNA = Prefiltered(
    re.compile(
        r"(?<=[a-z]{2})'s\s+(?=(?:probably |actually |definitely |now )?(?:gonna|going to)\s+(?:be|take|need|last)\b)",
        re.IGNORECASE,
    )
)
# "i live in Leeds and work as a nurse": whoever lives there works there, too.
SUBJECT = Prefiltered(
    re.compile(
        r"(?P<first>\b(?:i|i'm|i am|i've|i have) (?:now |also |currently |just |recently )*(?:live|living|moved to|work|working|study|studying|am from|from|a|an)\b"
        r"[^.,;!?\n]{2,60}?) and (?P<more>(?:now |also |currently |just )?(?:work (?:as|at|for|in)|started (?:work(?:ing)? |a (?:new )?job )?as|became|got a (?:new )?job as|live (?:in|at)|study|like|love|enjoy)\b)",
        re.IGNORECASE,
    )
)


# "mark a as done and b as in progress": what holds for the first verb holds for the second.
LEVEL = r"(?:under\s+#?[\w-]+|(?:as|to)\s+(?:done|finished|complete[d]?|in[ -]progress|started|not started|open|high|medium|low|easy|hard|urgent)(?:\s+priority)?)"
TWICE = Prefiltered(
    re.compile(
        rf"(?P<first>\b(?P<verb>mark|set|put|change|move|file)\s+[^.,;!?\n]{{2,60}}?\s+{LEVEL})(?:\s*,)?\s+and\s+(?!{'mark|set|put|change|move|add|remind'})"
        rf"(?P<second>[^.,;!?\n]{{2,60}}?\s+{LEVEL})",
        re.IGNORECASE,
    )
)


# "give me two more days for the tax return" puts it off by so much.
MORE_TIME = Prefiltered(
    re.compile(
        r"(?:give me|allow me|i need|i could use)\s+(?P<by>(?:\d+|an?|one|two|three|four|five|a few|a couple of)\s+)(?:more|extra|additional)\s+(?P<unit>days?|weeks?|months?)\s+"
        r"(?:for|on|to (?:do|finish|complete|submit))\s+(?P<what>(?:the|my|that)\s.{2,80})$|"
        r"(?:give me|allow me|i need)\s+another\s+(?P<one>day|week|month)\s+(?:for|on|to (?:do|finish|complete|submit))\s+(?P<that>(?:the|my|that)\s.{2,80})$",
        re.IGNORECASE,
    )
)


# "i need until friday" gives what was talked about that much time.
UNTIL = Prefiltered(
    re.compile(
        r"\b(?:i(?:'ll)? need|give me|i(?:'ll| will) have)\s+(?:it\s+|that\s+)?(?:un)?till?\s+(?=\w)(?![\w ]{3,40}?\s(?:for|on)\s(?:the|my|that)\s)",
        re.IGNORECASE,
    )
)
HEADED = Prefiltered(
    re.compile(
        r"(?P<before>^|[.;\n]\s*)(?P<kind>idea|thought|note|question|reminder|todo)\s*(?:!+|\.{2,})\s+(?=\w)",
        re.IGNORECASE,
    )
)


PRIORITISED = Prefiltered(
    re.compile(
        r"\b(?P<de>de-?)?prioriti[sz]e\s+(?=(?:the|my|it|that|this|[\w'-]+)\b)(?P<what>[^,.;!?\n]{2,60})$",
        re.IGNORECASE,
    )
)
PUT_OFF = Prefiltered(
    re.compile(
        r"\bput\s+(?P<what>(?:the|my|that|our)\s[\w' -]{2,50}?|it|that|this)\s+off\s+(?=(?:until|till|til|to|by)\b)",
        re.IGNORECASE,
    )
)


def _put_off(match: re.Match[str]) -> str:
    if match["one"]:
        return f"push {match['that']} back by one {match['one']}"
    return f"push {match['what']} back by {match['by']}{match['unit']}"


def _to(match: re.Match[str]) -> str:
    return f"{match['lead']} to {match['verb']}" if is_verb(match["verb"].lower()) else match[0]


# "rent due on the 1st of every month" is a series, not a deadline.
DUE_OFTEN = Prefiltered(
    re.compile(
        r"\bdue\s+(?=(?:on\s+)?(?:the\s+)?(?:\d{1,2}(?:st|nd|rd|th)?|first|last(?: day)?)\s+of\s+(?:every|each|the)\s+month\b)",
        re.IGNORECASE,
    )
)
# "need 2 call the bank"
TO = Prefiltered(
    re.compile(
        r"\b(?P<lead>need|want|have|got|going|remember|forget)\s+2\s+(?P<verb>[a-z]{2,})(?=\s+\w)", re.IGNORECASE
    )
)
# "don't forget: bring the keys" is a duty; without a verb it may be a fact.
DUTY = Prefiltered(
    re.compile(r"\b(?P<lead>remember|don'?t forget)\s*[:,-]\s*(?P<verb>[a-z]{2,})(?=\s+\w)", re.IGNORECASE)
)
# "the inhaler is urgent, need it by wednesday"
NEED_IT = Prefiltered(
    re.compile(
        r"(?<=\w),\s+(?:and\s+)?(?:that\s+)?(?:(?:i|we|they|he|she)\s+)?(?:need|want)s?\s+(?:it|that|them)\s+(?=(?:by|before)\s)",
        re.IGNORECASE,
    )
)
SMILEYS = Prefiltered(re.compile(r"(?<=[\w.,!?)])\s+[:;=]['-]?[()DPp|/]+(?=\s|$)"))
# "next weeks pilates", "todays standup": typed without the apostrophe.
OF_DAY = Prefiltered(
    re.compile(
        r"\b(?P<day>(?:next|this|last) (?:week|month)|today|tomorrow|tonight|(?<=cancel )\w+day|(?<=move )\w+day|(?<=skip )\w+day|(?<=push )\w+day)s(?= [a-z])",
        re.IGNORECASE,
    )
)
# "remind me to move the laundry in 20"
IN_MINUTES = Prefiltered(
    re.compile(
        r"(?P<said>\b(?:remind|ping|nudge|buzz|alert|wake)\s+me\b[^.;!?\n]{0,80}?\bin\s+(?:5|10|15|20|25|30|40|45|50|60|90))(?=\s*(?:$|[.,;!?]|to\b|please\b))",
        re.IGNORECASE,
    )
)
# "add a task for each of the following:", "add these to my to-do list:" only say that tasks follow.
TASKS_FOLLOW = Prefiltered(
    re.compile(
        r"(?P<before>^|[.!?]\s+|\b(?:please|you|and)\s+)(?:add|create|make|put|start|enter)\s+(?!(?:\w+\s)?tasks?\s*:)(?=[\w' -]{0,60}?\b(?:tasks?|to-?dos?|to do)\b)"
        r"(?:(?:a|an|the|these|this|following|new|few|couple|two|three|four|five|tasks?|to-?dos?|to do|things?|items?|each|all|on|of|to|for|as|in|my|our|list)\s+)*"
        r"(?:(?:the )?following(?: things| items| tasks)?|these(?: things| items| tasks)?|tasks|my (?:tasks|to-?dos?|to-?do list|to do list))\s*:\s*",
        re.IGNORECASE,
    )
)


def expanded(text: str) -> str:
    """The text with these written out; other words stay as they are."""
    text = TASKS_FOLLOW.sub(r"\g<before>add tasks: ", text)
    text = DUE_OFTEN.sub("", OF_DAY.sub(r"\g<day>'s", text))
    text = P.TICKED_BEFORE.sub(" done. ", P.TICKED.sub(" done", text))
    text = BEGINS.sub(lambda match: f"{match['before']}{BEGINNINGS[match['short'].lower()]}{match['after']}", text)
    text = SUBJECT.sub(r"\g<first> and i \g<more>", text)
    text = UNTIL.sub("move it to ", MORE_TIME.sub(_put_off, text))
    text = PRIORITISED.sub(
        lambda match: f"set {match['what'].strip()} to {'low' if match['de'] else 'high'} priority", text
    )
    text = PUT_OFF.sub(r"postpone \g<what> ", text)
    text = HEADED.sub(r"\g<before>\g<kind>: ", text)
    text = TWICE.sub(r"\g<first> and \g<verb> \g<second>", text)
    text = P.SOMETHING.sub("", text)
    text = P.ID.sub(r"\g<said>i'd", text)
    text = P.ITS.sub(r"\g<before>it's", BARE.sub(lambda match: APOSTROPHES[match[0]], text))
    text = IN_MINUTES.sub(r"\g<said> minutes", SMILEYS.sub("", text))
    text = NEED_IT.sub(". it is due ", text)
    text = DUTY.sub(_to, TO.sub(_to, text))
    text = CHATTY.sub(lambda match: CHAT[match[0]], text)
    text = SLANGY.sub(lambda match: SLANG[match[0].lower()], text)
    text = GONNA.sub(" is ", text)
    return LIKE.sub(lambda match: f"{match['word']} ", text)
