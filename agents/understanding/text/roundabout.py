"""Requests in roundabout forms as plain ones: "would you mind moving it", "my shopping list, add milk"."""

from __future__ import annotations

import re

from agents.time.prefilter import Prefiltered
from agents.understanding.text.inflection import base_of_gerund
from agents.understanding.text.loose_forms import LOOSE_FORMS
from agents.understanding.text.verbs import is_verb

DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight)"
CLOCK = r"(?:\d{1,2}(?::\d\d)?(?:\s?[ap]m)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon)"
POLITE = re.compile(r"\b(?:would|do) you mind\s+(?P<verb>[a-z]{2,20}ing)\b", re.IGNORECASE)
TO_LIST = re.compile(
    r"^(?P<what>[^\n]{2,200}?)\s*(?:->|=>|→)\s*(?:my\s+)?(?:to-?dos?|tasks?|(?:to-?do |task )?list)\s*$", re.IGNORECASE
)
TOPIC_LIST = re.compile(
    r"^(?:(?:okay|ok|so|hey|right|um|for the|my|the|on the|on my)\s+)*(?P<list>(?!to-?do\b|task\b|a\b|new\b|add\b|start\b|make\b|put\b|delete\b)(?:[\w'-]+\s){1,2})list[\s,:]+(?:please\s+)?"
    r"(?:(?:(?:(?:and|also)\s+)*(?:(?:we|i)(?:'re|'ll|'ve)?\s+)?(?:also\s+|still\s+)*(?:needs?|want|are out of|out of|should get|could do with)\s+(?!to\b)|add\s+)(?P<items>[^.?!\n]{2,300})|(?<=shopping list )(?P<bought>(?!is\b|was\b|has\b|for\b|and\b|please\b)[^.?!\n]{2,200}\sand\s[^.?!\n]{2,60}))$",
    re.IGNORECASE,
)
NOT_THERE = re.compile(
    r"\b(?P<what>(?:the|my|our)\s[\w' -]{2,40}?)\s(?:isn't|is not|won't be|is no longer)\s(?:at|in|on)\s[\w' ]{2,50}?[\s,]+(?:it's|it'll be|but)\s"
    r"(?P<new>(?:at|in|on)\s[\w' ]{2,50})$",
    re.IGNORECASE,
)
NOT_THEN = re.compile(
    r"\b(?P<what>[\w' -]{2,60}?)\s(?:isn't|is not|is no longer|ain't|isnt)\s(?:(?:due|on|at)\s)?[\w: ]{2,20}?(?:\s(?:any ?more|now))?(?:[\s,]+(?:but|it's|its|it is|now)){1,2}\s"
    rf"(?P<new>(?:(?:on|at|due)\s)?(?:{DAY}|(?:mon|tues?|wed|thurs?|fri|sat|sun)\b|{CLOCK})(?:\s\w+){{0,2}})$",
    re.IGNORECASE,
)
TO_LEVEL = re.compile(
    r"\b(?:bring|take|knock|turn|put|bump|move|push|crank|drop)\s(?P<what>it|that|this|that one)\s(?:back\s)?(?:down|up)\sto\s(?P<level>low|medium|high)\b(?:\spriority)?",
    re.IGNORECASE,
)
INSTEAD = re.compile(
    rf"\bmake\s(?P<what>(?:the|my|our)\s[\w' -]{{2,30}}?)\s(?P<new>(?:(?:at|on|for)\s)?(?:{CLOCK}|{DAY}|the\s(?:twenty[ -]|thirty[ -])?\w+(?:st|nd|rd|th))(?:\s\w+){{0,2}}?)\sinstead\b(?:\sof\s[^.,]{{2,30}})?",
    re.IGNORECASE,
)
WANTED_LIST = re.compile(
    r"^(?:[\w']+\s){0,5}?(?:i need|i want|i'd like|we need|can i have)\s+a\s+(?:new\s+)?(?P<list>[\w'-]{2,20}\slist)(?=\s+(?:with|of|containing)\s)",
    re.IGNORECASE,
)
WHEN_ITS = re.compile(
    r"\bremind me when (?:it's|it is|it gets to|i get to|we get to|it hits) (?=(?:ten|quarter|half|twenty|five|noon|one|two|three|four|six|seven|eight|nine|\d)\b)",
    re.IGNORECASE,
)
DID_I_SAY = re.compile(
    r"\b(?:what time|when) did (?:you|i|we) say (?P<what>.{3,60}?) (?:was|is|starts)(?: again)?\??$", re.IGNORECASE
)
IN_TOWN = re.compile(
    r"\b(?P<what>(?!it's|he's|she's|that's|there's|who's)[a-z]{3,20})'s been(?=\s(?:moved|pushed|cancelled|canceled|postponed|brought|put|shifted|bumped|delayed|changed)\b)",
    re.IGNORECASE,
)
FROM_TO = re.compile(
    r"\b(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\s(?P<hours>(?:one|two|three|four|six|seven|eight|nine|eleven|twelve)\s(?:to|till|until)\s"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon))\b",
    re.IGNORECASE,
)
THIS_DOWN = re.compile(
    r"^(?:(?:okay|so|hey|right|oh)\s+)*(?:i (?:just )?(?:want|need|have) to |let me |i should |i'd better )(?:write|jot|get|note) (?:this|that) down"
    r"(?: (?:quickly|before i (?:lose|forget) it))?[\s,:]+(?=\w+ \w+)",
    re.IGNORECASE,
)
DONE_THEN = re.compile(
    r"(?:\b(?:can|could) (?:we|i)|^(?:[\w']+\s){1,3}(?:asked|asks|wondered|wonders|wants to know|was asking|is asking) (?:me )?if (?:we|i) (?:can|could)) (?:do|have|make) (?P<what>it|that|(?!an?\b|something\b)[\w' -]{3,40}?)(?=\s+(?:on|at|next|tomorrow|for)\b[^.?!]{2,60}\binstead\b)",
    re.IGNORECASE,
)
OFF_CALENDAR = re.compile(
    r"\btake (?P<what>it|that|this|them) off (?:of )?(?:my|the|our) (?:calendar|diary|schedule)\b", re.IGNORECASE
)
ARROW = re.compile(r"^(?P<what>[^\n]{2,120}?)\s*(?:->|=>|→)\s*(?P<to>[^\n]{2,60})$")


LEVELS = r"(?:high|medium|low|top)"
TOPIC_FIRST = re.compile(
    r"(?P<lead>^|[.!?]\s+|\b(?:so|and|also|okay|oh|well|yeah|right|um)\s+)(?P<what>(?:the|my|our)\s(?:(?!(?:is|are|was|that|and|to|can|i|we|you|\w+ed)\b)[\w'-]+(?![\w'-])\s?){1,5}?),?\s"
    r"(?P<verb>it's|that's|it is|it has been|it's been|it starts|it needs|it takes|they're)(?=\s(?!(?:now\s|all\s|already\s)?(?:done|finished|sorted)\b)\w)",
    re.IGNORECASE,
)
SUBJECTS = {"it's": "is", "that's": "is", "it is": "is", "they're": "are", "it's been": "has been"}
TO_DO = re.compile(
    r"\b(?:put|stick|get|pop|write)\s+(?:it\s+|that\s+)?(?:(?:down\s+)?on\s+(?:my|the)\s+(?:to-?do\s+|task\s+)?list\s+|(?<=put )down\s+|(?<=stick )down\s+|(?<=get )down\s+)(?:that\s+)?(?:i|we)(?:'ve)?\s+(?:(?:need|have|got|should|ought|must)\s+(?:to\s+)?)",
    re.IGNORECASE,
)
FOR_A_PLACE = re.compile(
    r"^(?P<head>(?:[\w']+\s){0,6}?(?:make|start|create|begin|do)\s(?:me\s)?)(?:a|an|another|the)\s(?:new\s)?list\s(?:for|of)\s(?:the\s|my\s|our\s|a\s)?"
    r"(?P<list>(?:[\w'-]+\s){0,5}?(?:store|shop|shops|market|supermarket|trip|party|barbecue|bbq|picnic|weekend|holiday|vacation|camping|christmas|"
    r"birthday|wedding|pharmacy|chemist|butcher|butcher's|bakery|garden centre|garden center|depot|school|move|baby|house|kitchen|office|costco|ikea|target|walmart|aldi|lidl|tesco))"
    r"[\s,:.-]+(?:with\s|so\s|like\s|and put\s|and add\s|i need\s|we need\s)?(?=\w)",
    re.IGNORECASE,
)
LONE_KIND = re.compile(
    r"(?P<lead>^|[.!?]\s+)(?:(?:here's|here is|i've got|i had)\s+an?\s+)?(?:(?:little|short|small|tiny|just a|okay|so|um|oh)[\s,]+){0,6}(?P<kind>(?:(?:new|quick|random|another|okay|so|um|oh)[\s,]+){0,6}(?:idea|thought|note to self|note|question|reminder))\s?[.]\s+(?:(?:um|uh|so|okay|well)[\s,]+)*(?=\w+ \w)",
    re.IGNORECASE,
)
WHEN_ITS_FIRST = re.compile(
    r"\bwhen (?:it's|it is|it gets to|i get to|we get to|it hits) (?P<when>[\w' ]{3,40}?),? (?=(?:please |can you |could you )*remind me\b)",
    re.IGNORECASE,
)
WHAT_I_NEED = re.compile(
    r"(?P<lead>^|[.!?,]\s+|\b(?:so|and|okay|then|also|right)\s+)(?:what|all|the thing|one thing|the one thing|another thing|the other thing|the first thing|the next thing|something)\s(?:that\s)?(?P<who>i|we)(?:'ve|'d)?\s"
    r"(?:really\s|still\s|also\s|just\s|actually\s)*(?:need|have|want|got|like|gotta|must|should|ought)(?:\sto)?(?:\s(?:do|get done|remember|sort|sort out))?(?P<when>(?:\s(?:today|tomorrow|this week|tonight|now))?)"
    r"(?:\sis|'s)(?:\sto)?\s(?=(?!it\b|that\b|a\b|the\b|my\b)\w+\s\w)",
    re.IGNORECASE,
)
THEY_WANT = re.compile(
    r"(?P<lead>^|[.!?,]\s+|\b(?:so|and|okay|um|hey|yeah)\s+)(?:(?:my|the|our)\s\w+|he|she|they|(?!i\b|we\b|you\b)[\w']+)\s(?:just\s)?(?:wants|want|needs|need|asked|has asked|would like|'d like)\s(?:me\s|us\s)?to\s"
    r"(?P<verb>move|push|shift|reschedule|change|postpone|bring|delay|bump)\s(?=(?!it\b|that\b|this\b)\w+\s\w)",
    re.IGNORECASE,
)
TOPIC_THEN_DEED = re.compile(
    r"(?P<lead>^|[.!?]\s+|\b(?:so|and|also|okay|oh|well|yeah|right|um|you know)[\s,]+)(?P<what>(?:the|my|our|that)\s(?:(?!(?:is|are|was|that|and|to|can|i|we|you|so|half|nearly|almost|\w+ed)\b)[\w'-]+(?![\w'-])\s?){1,5}?),?\s"
    r"(?:(?:can|could|would|will) you\s|please\s|just\s|let's\s|go ahead and\s)*(?P<verb>set|mark|move|push|bump|cancel|delete|scrap|drop|reschedule|postpone|snooze|archive|rename|make(?=\s\w+\s(?:urgent|high|low|medium|top|important|due|easy|hard|priority)\b))\s(?:it|that|that one|this|those|them)\b",
    re.IGNORECASE,
)
THEY_WANT_AT = re.compile(
    r"(?P<lead>^|[.!?,]\s+|\b(?:so|and|okay|hey|yeah)\s+)(?:(?:my|the|our)\s\w+|he|she|they|(?!i\b|we\b|you\b)[\w']+)\s(?:just\s)?(?:wants|needs|would like|'d like|asked for|is asking for)\s(?:to\s(?:do|have|make|meet for)\s)?"
    r"(?P<what>(?!to\b|me\b)(?:(?:the|our|my)\s)?[\w' -]{2,40}?)\s(?:at|on|for)\s(?=[^.,]{2,40}\b(?:instead|rather)\b)",
    re.IGNORECASE,
)
I_PENCIL = re.compile(
    r"\b(?:i|we)(?:'d like| would like| need| want|'ve got| have| should|'ll)?(?:\s(?:to|just|probably))*\s(?=(?:pencil in|block (?:off|out)|pop in)\s)",
    re.IGNORECASE,
)
TOLD_WHEN = re.compile(
    r"\bremind me (?P<asked>when|where|what time|what day) (?P<what>(?:the|my|our)\s[\w' -]{2,50}?) (?P<verb>is|are|was|starts|begins|ends|finishes)(?: on)?(?: again)?\s*[?.!]*$",
    re.IGNORECASE,
)
ANOTHER_FOR = re.compile(
    r"^(?:[\w']+\s){0,2}?(?:i've|i have|i)\s(?:just\s)?(?:thought of|got|have|found)\s(?:another|one more|a new|some more)(?:\s(?:one|name|thing|item|idea))?\sfor\s(?:my|the|our)\s(?P<list>[\w' -]{2,30}?)\slist\s*[.:,]+\s*"
    r"(?P<items>[^.?!\n]{2,100})[.!]*$",
    re.IGNORECASE,
)
MOVED_ME = re.compile(
    r"(?P<lead>^|[.!?,]\s+|\b(?:so|and|okay|um)\s+)(?:(?:the|my)\s)?(?P<what>[\w-]+)(?:'s| has| have)?\s(?:just\s)?(?:moved|pushed|bumped|rescheduled|shifted|changed|put)\s(?:me|us|my appointment)\s(?:back\s|forward\s)?to\s",
    re.IGNORECASE,
)
TICK_TOPIC = re.compile(
    r"(?P<lead>^|[.!?]\s+|(?:^|(?<![\s,])[\s,]+)(?:so|and|okay|oh|well|yeah|right|also)[\s,]+)(?P<what>(?:(?!(?:i|we|you|he|she|they|i've|we've|when|if|is|are|was|so|and|to|can)\b)[\w'-]+\s){2,6}?)"
    r"(?:tick|cross|check)\s(?:that|it)(?:\sone)?\soff\b",
    re.IGNORECASE,
)
IN_ITS_PLACE = re.compile(r"\s(?:in (?:its|that|their) (?:place|slot|spot)|in place of (?:it|that))\b", re.IGNORECASE)
LIST_THEN = re.compile(
    r"(?P<head>\b(?:make|start|create|begin)\s(?:me\s)?a\s)(?:new\s)?list\s(?:for|of|called)\s(?:the\s|my\s|our\s)?(?P<list>[\w']+(?:\s[\w']+){0,3})(?:,? please)?[?:.]\s+(?=[^.?!\n]{2,60},)",
    re.IGNORECASE,
)
TASK_THEN = re.compile(
    r"(?P<add>\b(?:add|make|create)\s(?:a|another)\s(?:new\s)?(?:task|to-?do))(?:\sfor me)?(?:,? please)?[?.]\s+(?:it's|it is)\sto\s",
    re.IGNORECASE,
)
UNTIL_FOR = re.compile(
    r"\b(?:give|allow)\sme\s(?:until|till)\s(?P<when>[\w ]{3,40}?)\s(?:for|on|to (?:do|finish|complete))\s(?P<what>(?:the|my|that)\s[\w' -]{2,40})(?:,[^.?!]*)?",
    re.IGNORECASE,
)
THAN_THOUGHT = re.compile(
    r"\b(?:longer|shorter|more|less)(?: time)? than (?:i|we)(?:'d| had)? (?:thought|expected|planned)[\s,]+(?=(?:more like|about|maybe|probably|around)\b)",
    re.IGNORECASE,
)
DONE_TOPIC = re.compile(
    r"(?P<lead>^|[.!?]\s+|(?:^|(?<![\s,])[\s,]+)(?:so|and|okay|oh|well|yeah|right|also)[\s,]+|(?:^|[.!?]\s+)(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|next),\s+)(?P<what>(?:(?!(?:i|we|you|he|she|they|i've|we've|when|if|once|until|after|before|is|are|was|glad|so|know|thing|stuff|something|everything)\b)[\w'-]+(?![\w'-])\s?){2,6}?),?\s(?:that's|that is|that one's)\s(?:all\s|now\s|finally\s|already\s)?"
    r"(?P<done>done|finished|sorted|taken care of)(?:\s(?:now|already))?(?=\s|$|[,.])",
    re.IGNORECASE,
)
BROKEN_OFF = re.compile(
    r"[.,]\s+(?:(?:um|uh|er|erm|hmm|so|yeah)[.,…]+\s+)+(?=(?:to|for|at|on|by|with|about|in|from|until|because)\s)|"
    r"(?<=\w)(?<!again)\.\s+(?=to\s\w+\s\w)",
    re.IGNORECASE,
)
MINUTES_TO = re.compile(
    r"\b(?P<before>at|by|around|about|before|make it|like|is|it's)\s(?P<minutes>five|ten|twenty|twenty[ -]five)\sto\s"
    r"(?=(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)\b)",
    re.IGNORECASE,
)
MEND_IT = re.compile(
    r"(?<![\s,.])[\s,.]+(?:(?:so|and|please|can you|could you|would you|will you|you can|just|you'd better|maybe)[\s,]+){1,4}(?:change|fix|update|adjust|correct|sort|amend|alter)\s(?:that|it|this)"
    r"(?:\s(?:for me|please|accordingly|in (?:there|the calendar|my calendar|the diary)|then|will you|would you|thanks))*[.!?]*$",
    re.IGNORECASE,
)
RANG_THEN = re.compile(
    r"^(?P<what>(?!(?:i|we|you)\b)[\w' ]{2,40}?) (?:just )?(?:rang|called|phoned|texted|emailed|messaged|got in touch|been in touch)[\s,.;-]+(?:(?:and|to say|says|said|saying)[\s,]+)?(?:(?:they|he|she|it)(?:'s|'re|'ll| is| are| will| can)? )?"
    r"(?:now |only )?(?:coming|be here|be coming|arriving|come|can come|can do|can only do|can make it|can only make|do|make) (?:at |by )?(?=\d|half|quarter|noon|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?P<when>[^,.]{1,30})$",
    re.IGNORECASE,
)
CANT_THEN = re.compile(
    r"^(?P<what>(?!(?:i|we|you|it|that|this)\b)[\w' ]{2,30}?) (?:can't|cannot) (?:do|make)(?: it)?(?: at| on)? (?:\d[\d:.]*(?:[ap]m)?|\w+day|mon|tues?|wed|thurs?|fri|sat|sun|tomorrow|today)[\s,;.-]+"
    r"(?:but |so )?(?:can (?:we|you) (?:do|make it)|how about|what about|let's do|let's say|make it|can do|could do|does|is)?\s*(?P<when>(?:at |on )?(?:\d[\d:.]*(?:[ap]m)?|half \d+|\w+day|mon|tues?|wed|thurs?|fri|sat|sun|tomorrow)(?: at \d[\d:.]*(?:[ap]m)?)?)"
    r"(?: (?:ok|okay|instead|works|is ok|is fine|fine|better|is better|alright))*\s*\??$",
    re.IGNORECASE,
)
TOPIC_COLON = re.compile(
    r"^(?P<what>(?!(?:i|we|you|note|idea|todo|task|reminder)\b)[\w'& -]{2,60}?)\s*(?::|\s-)\s+(?P<verb>delete|scrap|bin|drop|cancel|archive|forget|tick off|move|push|snooze|postpone|bump|ditch) (?:it|that|this|them)\b",
    re.IGNORECASE,
)
GO_AWAY = re.compile(
    r"^(?P<what>(?!(?:i|we|you|it|that|this)\b)[\w'& -]{2,60}?) can (?:go away|disappear|sleep|rest|hide|be hidden|stay hidden|vanish) (?=(?:until|till|til|for)\s)",
    re.IGNORECASE,
)
MOVE_TO = re.compile(
    r"(?P<lead>[,.;]\s+|\b(?:so|and|please|can you|can we|let's)\s+)(?P<verb>move|push|shift|reschedule|bump)\s+(?=(?:to|back|forward|until|till)\s)",
    re.IGNORECASE,
)
ENTER_IT = re.compile(
    r"(?<![\s,.])[\s,.]+(?:(?:so|and|please|can you|could you)\s+){0,6}(?:enter|diari[sz]e|pencil in) (?:it|that|this)(?: down| in)?(?:,? please)?\W*$",
    re.IGNORECASE,
)
DO_BY = re.compile(
    r"(?P<lead>[,.;!]\s+|\b(?:and|so|please|also)\s+)(?:get |do |have )(?P<what>it|that|them|this)(?: done| finished| in| ready)?\s(?P<by>(?:by|before)\s)",
    re.IGNORECASE,
)
NEW_LIST = re.compile(
    r"^(?:a\s+)?new\s+list\s*:\s*(?P<list>[\w' ]{2,40}?)(?:\s+list)?(?:\s*:\s*|\s+[-–—]\s+)(?=\S)", re.IGNORECASE
)
SHAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    *LOOSE_FORMS,
    (OFF_CALENDAR, r"delete \g<what>"),
    (DONE_THEN, r"move \g<what> to"),
    (THIS_DOWN, "note that "),
    (DID_I_SAY, r"what time is \g<what>"),
    (WHEN_ITS, "remind me at "),
    (WHEN_ITS_FIRST, r"at \g<when> "),
    (WHAT_I_NEED, r"\g<lead>\g<who> need to\g<when> "),
    (THEY_WANT, r"\g<lead>\g<verb> "),
    (THEY_WANT_AT, r"\g<lead>move \g<what> to "),
    (I_PENCIL, ""),
    (TOLD_WHEN, r"\g<asked> \g<verb> \g<what>?"),
    (ANOTHER_FOR, r"add \g<items> to my \g<list> list"),
    (MOVED_ME, r"\g<lead>move the \g<what> to "),
    (TICK_TOPIC, r"\g<lead>tick off \g<what>."),
    (IN_ITS_PLACE, " in there instead"),
    (NEW_LIST, r"make a list called \g<list>: "),
    (LIST_THEN, r"\g<head>list called \g<list>: "),
    (TASK_THEN, r"\g<add> to "),
    (UNTIL_FOR, r"move \g<what> to \g<when>"),
    (THAN_THOUGHT, ""),
    (TOPIC_THEN_DEED, r"\g<lead>\g<verb> \g<what>"),
    (BROKEN_OFF, " "),
    (MINUTES_TO, r"\g<before> \g<minutes> minutes to "),
    (MEND_IT, ""),
    (IN_TOWN, r"\g<what> has been"),
    (FROM_TO, r"\g<day> from \g<hours>"),
    (NOT_THERE, r"\g<what> is \g<new> now"),
    (TO_LEVEL, r"set \g<what> to \g<level> priority"),
    (NOT_THEN, r"\g<what> is \g<new> now"),
    (INSTEAD, r"move \g<what> to \g<new>"),
    (WANTED_LIST, r"make a \g<list>"),
    (FOR_A_PLACE, r"\g<head>a \g<list> list: "),
    (LONE_KIND, r"\g<lead>\g<kind>: "),
    (TO_DO, "add task: "),
    (RANG_THEN, r"\g<what> is now at \g<when>"),
    (CANT_THEN, r"move \g<what> to \g<when>"),
    (TOPIC_COLON, r"\g<verb> \g<what>"),
    (GO_AWAY, r"snooze \g<what> "),
    (MOVE_TO, r"\g<lead>\g<verb> it "),
    (ENTER_IT, ". put that in my calendar"),
    (DO_BY, r"\g<lead>make \g<what> due \g<by>"),
)
TRIED = tuple((Prefiltered(shape), form) for shape, form in SHAPES)
TOPIC_DONE, TOPIC_SUBJECT, ASKED_POLITELY = Prefiltered(DONE_TOPIC), Prefiltered(TOPIC_FIRST), Prefiltered(POLITE)


def imperative(text: str) -> str:
    """Requests in roundabout forms as plain ones: "would you mind moving it", "report -> high"."""
    plain = ASKED_POLITELY.sub(lambda match: base_of_gerund(match["verb"].lower()) or match["verb"], text)
    listed = TOPIC_LIST.match(plain)
    if listed:
        return f"add {listed['items'] or listed['bought']} to my {listed['list']}list"
    plain = TOPIC_DONE.sub(_done_topic, plain)
    for shape, form in TRIED:
        plain = shape.sub(form, plain)
    plain = TOPIC_SUBJECT.sub(_subject, plain)
    kept = TO_LIST.match(plain)
    if kept:
        return f"add task: {kept['what']}"
    arrow = ARROW.match(plain)
    return f"set {arrow['what']} to {arrow['to']}" if arrow and not is_verb(arrow["what"].split()[0].lower()) else plain


def _done_topic(match: re.Match[str]) -> str:
    """A thing and that it is done, as a sentence of its own: "and the slides that's done" is ". the slides is done."."""
    return f"{'. ' if match.start() else match['lead']}{match['what'].strip()} is {match['done']}."


def _subject(match: re.Match[str]) -> str:
    """A topic said first as the subject: "the tax return it's due monday" is "the tax return is due monday"."""
    verb = match["verb"].lower()
    return f"{match['lead']}{match['what'].strip()} {SUBJECTS.get(verb) or verb.removeprefix('it ')}"
