"""What a clause wants: ordered patterns with a confidence each, and an explicit class for what Summit does not do."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Name = Literal[
    "add_task",
    "complete",
    "reopen",
    "start",
    "update",
    "delete",
    "delete_all",
    "archive",
    "snooze",
    "schedule",
    "move",
    "remind",
    "note",
    "list_create",
    "list_add",
    "list_remove",
    "list_query",
    "note_query",
    "profile",
    "profile_query",
    "instruction",
    "instruction_drop",
    "instruction_query",
    "query_tasks",
    "query_calendar",
    "free",
    "when_is",
    "ask_memory",
    "focus",
    "undo",
    "redo",
    "small_talk",
    "out_of_scope",
    "statement",
    "unknown",
]


@dataclass(frozen=True, slots=True)
class Intent:
    """What is wanted, how sure that is, and the words the pattern caught by name."""

    name: Name
    sure: float
    parts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to ask for something."""

    name: Name
    words: re.Pattern[str]
    sure: float = 0.9
    anywhere: bool = False


def way(name: Name, *alternatives: str, sure: float = 0.9, anywhere: bool = False) -> list[Pattern]:
    """Patterns of one intent; each alternative begins the clause unless ``anywhere``."""
    return [Pattern(name, re.compile(words, re.IGNORECASE), sure, anywhere) for words in alternatives]


LIST_NAME = r"(?P<list>[^,.;]{2,40}?\s)?lists?(?:\s+(?:called|named)\s+(?P<named>[^,.;:]{1,40}))?"
TASK = r"(?:task|todo|to-do|to do|chore|habit)s?"
CALENDAR = r"(?:calendar|diary|agenda|schedule|planner)"
THING = r"(?P<rest>.+)"
NEGATION = r"\b(?:not|isn't|ain't|haven't|hasn't|never)\b"

PATTERNS: tuple[Pattern, ...] = (
    *way("undo", r"(?:undo|revert|take (?:that|it|them|this) back|un-?do)\b(?P<rest>.{0,80})", sure=0.99),
    *way("redo", r"redo\b(?P<rest>.{0,80})", r"undo the undo"),
    *way(
        "instruction_drop",
        rf"(?:forget|drop|remove|delete|cancel|scrap|stop following|ignore|lose)\s+(?:the|my|that|this|your)\s+(?:standing\s+)?"
        rf"(?:rule|instruction|policy)\b(?:\s+(?:about|abt|that|on|for|of|to|saying))?\s*{THING}?",
        r"(?:forget|drop|remove|delete)\s+(?P<rest>.{1,100})\s(?:rule|instruction)$",
    ),
    *way(
        "instruction_query",
        r"(?:what|which|list|show|tell)\b.{0,30}\b(?:instructions|rules|standing (?:orders|wishes))",
        r"(?:do|have) i .{0,30}\b(?:instructions|rules)",
    ),
    *way(
        "instruction",
        rf"(?:from now on|from here on|from today on|in (?:the )?future|going forward|henceforth|as a (?:general )?rule|"
        rf"as a rule of thumb|by default|for future reference|new rule|standing instruction|rule)\b[\s,:]*{THING}",
        rf"(?:always|never)\s+(?!mind\b){THING}",
        rf"(?:whenever|every time|each time|any time|anytime)\s+(?:i|you|we)\b(?!\s+(?:get|can|have time|feel)){THING}",
        rf"(?:don't|do not)\s+ever\s+{THING}",
        rf"(?:remember|make sure)\s+to\s+always\s+{THING}",
    ),
    *way(
        "remind",
        rf"(?:remind|ping|nudge)\s+me\b{THING}",
        rf"(?:set|add|create|make)\s+(?:me\s+)?(?:a|an|another)?\s*(?:new\s+)?reminder\b(?:\s+(?:to|for|that|about))?\s*{THING}",
        rf"reminder(?:\s+to|\s*:)\s*{THING}",
        r"(?:set|create|add|make|i need)\s+(?:me\s+)?(?:up\s+)?(?:an?\s+|my\s+)?(?P<rest>(?:wake[- ]up )?alarm\b.{1,100})",
        r"wake me(?: up)?\b(?P<wake>.{1,80})",
        rf"don't let me forget\b{THING}",
        rf"give me a (?:shout|nudge|reminder)\b{THING}",
        sure=0.97,
    ),
    *way(
        "list_query",
        rf"(?:what's|whats|what is|what are|show(?: me)?|read(?: me)?|tell me|check)\b.{{0,20}}\b(?:on|in)\s+(?:my|the|our)\s+"
        rf"(?!todo|to-do|to do|task){LIST_NAME}$",
        r"(?:show|read|open|list|check|display|give)(?: me| out| back)?\s+(?:my|the|our)\s+(?P<list>(?!todo|to-do|to do|task)[^,.;]{2,30}\s)list$",
    ),
    *way(
        "list_remove",
        rf"(?:remove|take|delete|cross|strike|scratch|tick|check)\s+(?:off\s+)?(?P<items>.{{1,200}}?)\s+(?:off(?: of)?|from|on)\s+"
        rf"(?:my|the|our)\s+(?!todo|to-do|to do|task){LIST_NAME}$",
    ),
    *way(
        "list_create",
        rf"(?:start|make|create|begin|add|new|set up)(?:\s+me)?\s+(?:(?:a|an|my|the)\s+)?(?:new\s+)?(?!todo|to-do|to do|task){LIST_NAME}"
        rf"(?:\s*:\s*|\s+(?:with|of|for|containing|that has)\s+|\s+-\s+)(?P<items>.+)$",
        r"(?P<list>(?!todo|to-do|to do|task|my\b|the\b)[\w' -]{2,30}\s)list\s*:\s*(?P<items>.+)$",
    ),
    *way(
        "list_add",
        rf"(?:add|put|throw|stick|chuck|pop)\s+(?P<items>.{{1,500}}?)\s+(?:to|on|onto|in|into)\s+(?:my|the|our)\s+"
        rf"(?!todo|to-do|to do|task|calendar){LIST_NAME}(?:\s+please)?$",
    ),
    *way(
        "note",
        rf"(?:make|take|add|save|create|leave|jot down|jot|write|write down|record|keep)(?:\s+me)?(?:\s+down)?\s+(?:this\s+(?:down\s+)?as\s+)?"
        rf"(?:(?:a|an|another|this|my|the)\s+)?(?:quick\s+|new\s+)?(?P<category>note|idea|thought|question)\b(?:\s+(?:that|about|of|saying|to self|"
        rf"for later|down|would you))*[\s,:-]*{THING}",
        rf"take this down(?:\s+as\s+(?:a|an)\s+(?P<category>note|idea|thought|question))?(?:,?\s*would you|,?\s*please)?[\s,:-]*{THING}",
        rf"(?P<category>note|idea|thought|question)(?:\s+to self)?\s*[:-]\s*{THING}",
        rf"(?:please\s+)?(?P<category>note)\s+(?:to self\b|that\b|down\b)[\s,:-]*{THING}",
        rf"(?:write|jot)\s+(?:down|this down|that down)\s*[:,-]?\s*(?:that\s+)?{THING}",
        rf"i(?:'ve| have)? (?:just )?(?:had|have|got)\s+an?\s+(?P<category>idea|thought)\s*[:,-]\s*{THING}",
    ),
    *way(
        "note_query",
        r"(?:what|which|show|list|read|how many)\b.{0,20}\b(?P<category>notes|ideas|thoughts|questions|lists)\b(?P<rest>.{0,200})",
    ),
    *way(
        "profile_query",
        r"(?:what's|whats|what is|tell me|do you (?:know|remember))\s+(?:what\s+)?my\s+(?P<field>name|job|profession|work|location|city|"
        r"college|university|school|course|major|degree|interests|hobbies|profile)\b(?: is| are)?",
        r"(?P<field>who) am i$",
        r"where do i (?P<field>live|work|study)\b",
        r"what do i (?P<field>do for (?:a living|work)|study)\b",
        r"what (?P<field>am i into|do you know about me|have i told you about (?:me|myself))",
    ),
    *way(
        "focus",
        r"(?:what|which)\b.{0,30}\bshould i\s+(?:do|focus on|work on|tackle|start|pick|be doing|begin)\b(?P<rest>.{0,200})",
        r"(?:what|which)\b.{0,60}\b(?:could|can|might)\s+i\s+(?:\w+\s+)?(?:do|knock out|tackle|get done|finish|squeeze in|manage)\b(?P<rest>.{0,200})",
        r"(?:what's|whats|what is)\s+(?:the\s+)?(?:best|most important|next|one)\s+(?:thing|task|action)\b(?P<rest>.{0,200})",
        r"(?:pick|choose|suggest|give me|find me)\s+(?:one\s+|a\s+|some)?(?:thing|task|something|one)\b(?P<rest>.{0,200})",
        r"help me\s+(?:focus|choose|decide|prioriti[sz]e|get started|start)\b(?P<rest>.{0,200})",
        r"where (?:do|should) i (?:start|begin)\b(?P<rest>.{0,200})",
        r"what now$|what next$|what's next to do",
    ),
    *way(
        "focus",
        r"\bwhat\b(?:\s+\w+){0,5}?\s+(?:could|should|can)\s+i\s+(?:\w+\s+)?(?:do|knock out|tackle|get done|work on|focus on|finish|start with)\b(?P<rest>.{0,200})",
        anywhere=True,
    ),
    *way(
        "free",
        r"(?:am i|are we|will i be|i'm)\s+(?:\w+\s+)?(?:free|available|busy|booked|open)\b(?P<rest>.{0,200})",
        r"(?:do i have|have i got)\s+(?:any(?:thing)?|some)\s*(?:free )?(?:time|room|space|availability|slot)\b(?P<rest>.{0,200})",
        r"when am i\s+(?:\w+\s+)?free\b(?P<rest>.{0,200})",
        r"(?:can|could) i (?:fit|squeeze)\b(?P<rest>.{0,200})",
    ),
    *way(
        "query_tasks",
        rf"(?:what|which|how many|show|list|give|read|tell|do i|have i|any|are there|what's|whats|is there|check|display)\b.{{0,40}}\b(?:{TASK}|todo list|to-do list|"
        rf"task list|due|deadlines?|overdue|reminders)\b(?P<rest>.{{0,200}})",
        r"(?:what|how much) (?:do i|have i)\b.{0,20}\b(?:to do|left|to finish|open)\b(?P<rest>.{0,200})",
        r"(?:what's|whats|what is)\s+(?:still\s+)?(?:open|left|outstanding|pending|on my (?:list|plate))\b(?P<rest>.{0,200})",
        r"(?:my\s+)?(?:open\s+)?(?:tasks|todos|to-dos|todo list|to-do list)$",
    ),
    *way(
        "when_is",
        r"(?:when's|whens|when is|when are|when does|when do|what time is|what time does|what time's|at what time|where is|where's|wheres|"
        r"what day is|how long until|how long till)\s+(?P<rest>.{2,200})",
        r"(?:what's|whats|what is|when is|when's)\s+(?:my|the)\s+next\s+(?P<next>event|appointment|meeting|thing)?\b(?P<rest>.{0,80})",
    ),
    *way(
        "query_calendar",
        rf"(?:what's|whats|what is|what've|what have|what do|what does|what|show|list|read|tell|how|do i|have i|is there|anything|any)\b.{{0,40}}\b(?:on|i got|i have|"
        rf"i've got|happening|planned|scheduled|coming up|{CALENDAR}|events?|meetings?|appointments?|going on|up|look(?:s|ing)? like|anything)\b(?P<rest>.{{0,200}})",
        rf"my\s+(?:{CALENDAR}|day|week)(?:\s+(?:for|on))?\b(?P<rest>.{{0,100}})$",
    ),
    *way(
        "when_is",
        r"\b(?:at what time|what time|when)\s+(?P<rest>(?:my|the|our)\s+.{2,60}?)\s+(?:leaves|starts|is|begins|opens|departs|ends)\b",
        anywhere=True,
    ),
    *way(
        "ask_memory",
        r"(?:what|when|where|who|which|why|how)\s+(?:did|had|was|were)\s+(?:i|we|he|she|they|\w+)\b(?P<rest>.{0,300})",
        r"(?:did|have|do)\s+i\s+(?:\w+\s+)?(?:mention|say|tell|note|write|record|decide|settle|ever)\b(?P<rest>.{0,300})",
        r"(?:did|have)\s+i\s+(?P<rest>.{3,300})",
        r"which\s+.{1,60}\bdid i\b(?P<rest>.{0,300})",
        r"(?:do you )?remember (?:what|when|where|who|which)\b(?P<rest>.{0,300})",
        r"what do my (?:notes|memos) say\b(?P<rest>.{0,300})",
    ),
    *way(
        "out_of_scope",
        r"(?:tell|give|find|get|read|order|bring|send|provide)\s+me\b(?!.{0,40}\b(?:task|tasks|todo|list|calendar|schedule|agenda|meetings?|events?|appointments?|"
        r"notes?|reminders?|day|week|plan)\b)",
        r"(?:turn|switch|dim|set|increase|decrease|lower|raise|change|make|adjust|put|start|stop|play|pause|skip)\s+.{0,40}\b(?:lights?|lamp|volume|tv|television|"
        r"speakers?|heat|heating|temperature|thermostat|tone|brightness|music|song|radio|podcast|playlist|audiobook|vacuum|language|accent|voice|speed)\b",
        r"(?:i|we)\s*(?:need|want|would like|'d like|wanna)\s+(?:to\s+)?(?:know|hear|find out|be told|listen|watch)\b",
        r"(?:i|we)\s*(?:need|want|would like|'d like)\s+(?:you|your|info|information)\b(?! to (?:remind|add|schedule|book|delete|mark|move|note))",
        r"(?:play|convert|calculate|compute|repeat|translate|google|tweet|whisper|talk|speak|sing)\b(?!.{0,60}\b(?:task|list|calendar)\b)",
        sure=0.85,
    ),
    *way(
        "delete_all",
        rf"\bjust\s+(?:delete|clear|erase|wipe|cancel)\s+(?:everything|all(?:\s+of)?\s+(?:my|the)\s+(?P<kind>{TASK}|events?|meetings?|notes?|lists?|reminders?))",
        anywhere=True,
    ),
    *way(
        "delete_all",
        rf"(?:just\s+)?(?:delete|remove|clear|erase|wipe|cancel|drop|trash)(?:\s+out)?\s+(?:everything|all(?:\s+of)?\s+(?:my|the|of)?\s*(?P<kind>{TASK}|events?|"
        r"meetings?|appointments?|notes?|lists?|reminders?|stuff|things|them)?|my (?:entire|whole)\s+(?P<whole>calendar|list|task list|schedule)|"
        r"my (?P<emptied>calendar|task list|todo list|to-do list|schedule))\b(?P<rest>.{0,80})",
    ),
    *way(
        "reopen",
        r"(?:reopen|re-open|untick|uncheck|un-check|un-tick)\s+(?P<rest>.{1,200})",
        r"(?:set|put|change|mark|move|switch)\s+(?P<rest>.{1,200}?)\s+(?:back\s+)?(?:to|as)\s+(?:not\s+(?:started|done|finished|complete)|open|undone|unfinished|to do)\b",
    ),
    *way(
        "start",
        r"(?:set|put|change|mark|move|switch)\s+(?P<rest>.{1,200}?)\s+(?:to|as)\s+(?:in[ -]progress|started|underway|ongoing)\b",
        r"i(?:'ve| have)?\s+(?:just\s+)?(?:started|begun)\s+(?:on\s+)?(?P<rest>.{1,200})",
    ),
    *way(
        "complete",
        r"(?:mark|check|tick|cross|set|put)\s+(?:off\s+)?(?P<rest>.{1,200}?)\s+(?:as\s+|off\s+as\s+|to\s+)?(?:done|complete[d]?|finished|off)\b(?!\s+list)",
        r"(?:tick|check|cross)\s+off\s+(?P<rest>.{1,200})",
        rf"complete\s+(?:the\s+|my\s+)?(?:{TASK}\s+)?(?P<rest>.{{1,200}})",
        r"i(?:'m|\s+am)\s+(?:all\s+|finally\s+|now\s+)?(?:done|finished|through)\s+with\s+(?P<rest>.{1,200})",
        r"(?:all\s+)?(?:done|finished)\s+(?:with\s+|:\s*)?(?P<rest>.{2,200})",
        r"i(?:'ve|\s+have)?\s+(?:just\s+|already\s+|finally\s+|now\s+)*(?:finished|completed|done|did|sorted|ticked off|wrapped up|knocked out|"
        r"sent|paid|bought|called|emailed|submitted|returned|booked|cleaned|washed|ordered|filed|posted|picked up|dropped off)\s+(?P<rest>.{2,200})",
        r"(?P<rest>.{2,200}?)(?:\s+(?:is|are|was|were|task is|got)|'s|,)?\s+(?:all\s+|now\s+|finally\s+|already\s+)*(?:done|finished|complete|completed|sorted|behind me)(?:\s+now|\s+already|\s+too|\s+at last)?$",
    ),
    *way("archive", r"archive\s+(?P<rest>.{1,200})"),
    *way("snooze", r"(?:snooze|hide)\s+(?P<rest>.{1,200})"),
    *way(
        "move",
        r"(?:move|reschedule|push|postpone|shift|delay|bring|defer|pull)\s+(?P<rest>.{1,300})",
        r"bump\s+(?P<rest>.{1,200}\s(?:to|until|by|back|forward)\s(?!high|low|medium|top).{1,60})",
        r"(?P<rest>.{2,100}\s(?:got|has been|was|is being|is|has)\s+(?:pushed|moved|rescheduled|shifted|delayed|brought|postponed)\s.{1,100})",
        r"(?P<rest>.{2,100}\s(?:now\s+starts|starts\s+now|is\s+now|now\s+begins|moved|starts)\s+(?:at\s+|to\s+|it's\s+|its\s+)?.{1,100})",
    ),
    *way(
        "update",
        r"(?:set|raise|lower|bump|increase|drop|give|make|mark|change|update|edit|rename|call|extend|shorten|rate|swap|turn|allow)\s+(?P<rest>.{1,300})",
    ),
    *way(
        "delete",
        r"(?:delete|remove|cancel|scrap|get rid of|call off|erase|trash|bin|ditch|lose|forget about|forget|kill)\s+(?P<rest>.{1,200})",
        r"(?P<rest>.{2,100}?)(?:\s+(?:is|are|was|has been|got)|'s)\s+(?:off|cancelled|canceled|called off)$",
    ),
    *way(
        "schedule",
        rf"(?:schedule|book|arrange|set up|pencil in|plan|organi[sz]e|calendar)\s+(?:in\s+)?(?:me\s+)?{THING}",
        r"block(?:\s+(?:off|out))?\s+(?P<rest>.{1,300})",
        rf"(?:add|put|create|make|new|enter|stick|pop|get)\s+(?P<rest>.{{1,300}}?\s+(?:on|in|to|into|onto|for)\s+(?:my|the|our)\s+{CALENDAR}\b.{{0,200}})",
        rf"(?:add|put|create|make|new)\s+(?:a|an|another|the)?\s*(?:new\s+)?(?:(?:recurring|repeating)\s+)?(?:event|appointment|appt|meeting|mtg)\b\s*(?:to|for|called|:|with)?\s*{THING}",
        r"(?:event|appointment|meeting)\s*:\s*(?P<rest>.{1,300})",
        r"put\s+(?P<rest>.{1,200}\s+in\s+there\b.{0,200})",
    ),
    *way(
        "out_of_scope",
        r".{0,60}\b(?:weather|forecast|rain|snow|sunny|temperature|degrees outside|joke|news|headlines|stock price|exchange rate|bitcoin|"
        r"play (?:some |the |me )?(?:music|song|radio|playlist)|lights?\b.{0,10}\b(?:on|off)|translate|define|recipe|traffic|"
        r"capital of|who won|score of|uber|taxi|pizza|order me|volume|thermostat|wikipedia|meaning of|spell|what's \d|how far|"
        r"how tall|how old is|who is the|who was the|flip a coin|roll a di|sing|alarm clock|phone calls?\b(?=.{0,30}\b(?:me|you)\b)|make calls|or is that (?:not )?something you)\b",
        sure=0.8,
    ),
    *way(
        "small_talk",
        r"(?P<greeting>hi|hello|hey|good (?:morning|afternoon|evening|night)|morning|evening|hiya|howdy)\b.{0,30}$",
        r"(?P<thanks>thanks|thank you|thx|cheers|ta|much appreciated|nice one)\b.{0,60}$",
        r"(?P<who>who are you|what are you|what can you do|what do you do|how do you work|are you (?:a |an )?(?:robot|ai|bot|human|real)|"
        r"help|can you make|do you make|what's your name|whats your name|is that not something you do)\b.{0,80}$",
        r"(?P<how>how are you|how's it going|how are things|what's up|how do you do)\b.{0,40}$",
        r"(?P<bye>bye|goodbye|see you|good night|later|talk (?:to you )?later)\b.{0,40}$",
        r"(?P<fine>tell me|let me know|great|cool|nice|perfect|awesome|lovely|good|sounds good|got it|never ?mind|no worries|that's all|thats all|all good|fine|yes|yep|no|nope|okay|ok|sure|lol|haha+|wow)\W*(?:then|thanks|i'm good|bot|one)?$",
    ),
    *way(
        "add_task",
        rf"(?:add|create|make|put|new|enter|set up|start)(?:\s+me)?(?:\s+down)?\s+(?:(?:a|an|another|the|my)\s+)?(?P<hint>(?:[\w-]+[\s-]){{0,3}}?)"
        rf"{TASK}\b(?:\s+(?:for me|to my list))?(?:\s*(?:to|called|named|for|that says|:|-|,))?\s*{THING}",
        r"add\s*:?\s+(?P<rest>.+)",
        rf"(?:{TASK})\s*(?::|-|to)\s*{THING}",
        r"(?:put|stick|throw|pop)\s+(?P<rest>.{1,300}?)\s+(?:on|onto|in|to)\s+(?:my|the)\s+(?:(?:todo|to-do|to do|task)s?\s+)?list\b",
        r"(?:also\s+)?(?:i|we)(?:'ve|'ll)?\s*(?:(?:still|really|also|just)\s+)?(?:(?:need|have|got|ought|want|'d like|would like|am supposed|'m supposed)\s+to|"
        r"gotta|must|should)\s+(?:get\s+to\s+)?(?P<rest>(?!have\b|be\b|know\b|say\b|go to bed\b).{2,300})",
        r"(?:need to|have to|got to|gotta|must|remember to|don't forget to|do not forget to|make sure to|make sure i|be sure to)\s+(?P<rest>.{2,300})",
    ),
)


def read(clause: str) -> list[Intent]:
    """Every intent whose pattern fits, the most specific first."""
    found: list[Intent] = []
    for pattern in PATTERNS:
        match = pattern.words.search(clause) if pattern.anywhere else pattern.words.match(clause)
        if match and not any(intent.name == pattern.name for intent in found):
            parts = {name: value.strip() for name, value in match.groupdict().items() if value and value.strip()}
            found.append(Intent(pattern.name, pattern.sure, parts))
    return found
