"""How a request begins in the middle of a message, and what looks like a beginning and is none."""

from __future__ import annotations

import re

STRONG = re.compile(
    r"(?:(?:please|also|just|then|now|do|like|maybe|can you|could you|would you|will you|(?:i )?(?:want|need) you to|you need to|go ahead and|olly|hey|alexa|siri|um|uh|oh)[\s,]+)*"
    r"(?:remind me|add|schedule|book|cancel|delete|remove|archive|scrap|drop|call off|mark|tick|move|push|postpone|reschedule|bump|snooze|shift (?=the|my|our|it|that)|"
    r"erase|eliminate|disable|deactivate|make an? (?:[\w'-]+\s){0,2}(?:reminder|alarm|event|list|appointment|meeting)|undo|restore|bring back|reopen|untick|tick off|note that|make a note|take a note|put|block|start a|create|set up|set|raise|show|"
    r"what|when|am i|how "
    r"many|which|"
    r"make (?:the|my|it|that|sure)|change|from now on|always|never|my name is|i live|i work|i'm done with|rename|"
    r"(?:so )?(?:that|it|that one|this one)(?:'s| is) (?:all |now |finally )?(?:done|finished|sorted|off|cancelled)|"
    r"don'?t let me forget|remember to|in future|in the future|going forward|as a (?:general )?rule|allow|(?:i|we)(?:'ve)? (?:gotta|got to)|(?:i|we) (?:also |still |just |only |"
    r"really )?(?:need|have) to|"
    r"(?:i|we) must|write down|(?:every|each|on|at|in|by|for|tomorrow|tonight|next)\b[^,.]{0,40}?,?\s(?:remind me|put|add|book|schedule|create an?|make an?|cancel|"
    r"(?:i|we) (?:need|have|want) (?:to|an?)))\b|(?:new |another )?(?:idea|note|thought|question|todo|task|reminder|new|add|also)\s*:",
    re.IGNORECASE,
)
FAIRLY_STRONG = re.compile(
    r"(?:(?:please|also|just|then|like|maybe|olly|hey|ok|completely|kindly|can you|could you|would you|will you|i want you to|i'd like you to|"
    r"you can|"
    r"you need to)[\s,]+)*(?:"
    r"(?:is|are|was|were|do|does|did|have|has|can|could|will|should|am)\s+(?:i|we|you|there|my|the|any|our|"
    r"[\w' ]{2,30} on (?:my|the)|this|today|tomorrow|calendar|anything|anyone|everyone)\b|"
    r"at what time|how (?:long|far|much) (?:is|are|do|does|did|will)\b|(?:who|where|when|which|whose|what)(?:'?s\b|\s+(?:is|are|was|do|does|did|have|has|will|time|day|tasks|events|"
    r"meetings)\b)|"
    r"(?:erase|clear|wipe|empty|read|find|check|list|open|cross|take|get rid of|call off|alert|reset|review|repeat|look at|"
    r"turn off)\s+(?:me\s+)?(?:out\s+|off\s+)?"
    r"(?:my|all|everything|the (?:list|whole|entire|next|last|items|reminders?|tasks?|alarms?))\b|alert me|"
    r"(?:take|cross)\s+[\w' ]{2,30}?\s+off\b|(?:take|cross|tick)\s+off\s+(?:the|my)\b|check (?:what|if|whether|my|on)|tell me|give me|let me know|notify me|alert me|wake me|arrange an?|"
    r"i (?:don't|do not|no longer) (?:want|need) (?:this|that|the|my)\b|make (?:an?|the) \w+|"
    r"i(?:'m| am) (?:out of|done|finished|free|busy)|i ran out of|i (?:need|want) (?:an?|to|you|my)\b|(?:on|in) my (?:calendar|list|schedule)\b|i'd like|i (?:need|want|have) (?:alarms?|reminders?|an?)\b|repeat (?:an?|the|my)\b|you can (?:delete|"
    r"remove|cancel|close|tick|cross|mark|check|archive))",
    re.IGNORECASE,
)
TOLD_CHANGE = re.compile(
    r"(?:(?:the|my|our)\s+)?[\w' ]{2,60}?\b(?:(?:(?<=')s|is|are|got|was|has been|now|starts)\s+(?:off|done|finished|"
    r"cancel+ed|now|moved|pushed|starts)\b|now starts\b|(?:all )?(?:done|finished)(?=\s*(?:$|,|and\b)))",
    re.IGNORECASE,
)
ABOUT_BEFORE = re.compile(
    r"(?:put|add) (?:(?:them|those)\b|(?:on|to) (?:my |the |a )?list\b)|(?:put|make|set|add|call) (?:it|that|this)\b(?! (?:one )?(?:back )?(?:to|as) (?:not|done|in progress|"
    r"started|easy|hard|high|medium|low)\b)",
    re.IGNORECASE,
)
OF_BEFORE = re.compile(
    r"(?:\w+ (?:it|that|this|them)|back|return|leave|end|finish|start|bring|take|run|meet|work|call|stay)\b",
    re.IGNORECASE,
)
"""Verbs that go on about an appointment instead of asking for something else: "trip from friday at 5, back sunday"."""
PLACED_AT = re.compile(
    r"(?:it's|it is|it'll be|it will be)\s+(?:now\s+)?(?:in|at|on)\s+(?:the\s+)?[a-z]|"
    r"it\s+(?:now\s+)?(?:starts|begins|ends|finishes|runs|lasts)\s+(?:at\s+)?(?:\d|half|quarter|noon|[a-z]+\b)|"
    r"it(?:'ll|\s+will)\s+(?:now\s+)?(?:run|last|go on|end|finish|start|begin)\b",
    re.IGNORECASE,
)
TOLD_AT = re.compile(
    r"(?:the|my|our)\s+[\w' ]{2,40}?(?:'s|\s(?:is|are|got|has been|was))\s+(?:now\s+)?(?:at|on|moved|pushed|off|cancel+ed|due)\b",
    re.IGNORECASE,
)
MAKE_IT = re.compile(
    r"(?:so\s+|can you\s+|please\s+)*(?:make|move|push|change|set|put) (?:it|that) (?:to |at |on )?[\w:]+",
    re.IGNORECASE,
)
NEEDS = re.compile(
    r"\bneeds? to (?:be |get )?(?:later|earlier|sooner|moved|changed|shorter|longer)$|\b(?:clashes|conflicts|overlaps) (?:with|w/?)(?=\s)|"
    r"\b(?:doesn't|does not|won't) work\b|\bis too (?:early|late)\b",
    re.IGNORECASE,
)
NEW_STATE = re.compile(r"\b(?:should be|is now|are now|will be|has been|got|moved|now)\b", re.IGNORECASE)
COMMAND = re.compile(
    r"(?:mark|add|remind me|cancel|delete|move|push|schedule(?=\s+(?:an?|the|my)\b)|archive|snooze|check off|cross off|reschedule|postpone)\s+"
    r"(?!(?:fee|fees|policy|order|date|time)\b)\w",
    re.IGNORECASE,
)
LAST_WORDS = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight morning afternoon evening noon week
    weekend month am pm done priority urgent list minutes hours hour calendar okay ok please off oclock o'clock
    one two three four five six seven eight nine ten eleven twelve thirty fifteen forty-five
    """.split()
)
CHANGES = re.compile(
    r"(?:bump|move|push|set|change|mark|reschedule|rename|raise|lower|postpone|update|snooze|shift|delay)\b",
    re.IGNORECASE,
)
LEVELLED = re.compile(
    r"(?:make|set|mark|call|rate) (?:it|that) (?:to |as )?(?:a )?(?:(?:high|low|medium|urgent|easy|hard)\b|"
    r"\d+(?:\.\d)?\s?(?:h|hrs?|hours?|m|mins?|minutes?)\b)",
    re.IGNORECASE,
)
PASSIVE = re.compile(
    r"(?:the |my |our )?[\w' -]{2,40}\s(?:is|are|got)\s(?:all |now |finally )?(?:\w{3,}ed|paid|sent|bought|done|made|sold|built|hung|cut|fed|written|sorted)\b",
    re.IGNORECASE,
)
MENDING = re.compile(
    r"(?:fix|change|update|adjust|do|double check|check|sort|handle|note|correct|reflect|remember|take care of)\s+(?:it|that|this)\b|"
    r"(?:update|adjust|change|amend)(?:\s+(?:my|the)\s+(?:calendar|diary|schedule))?(?:\s+accordingly)?$",
    re.IGNORECASE,
)
DID = re.compile(
    r"(?:i(?:'ve| have)?\s+|we(?:'ve| have)?\s+)?(?:also |just |already |finally |even )*(?:[a-z]{2,12}ed|paid|sent|bought|did|"
    r"got|made|took|wrote|read|sold|found|brought|swept|fed|cut|hung|gave|rang|met|done with|finished with)\s+"
    r"(?!me\b|it\b|at\b|up\b|in\b|on\b)\w",
    re.IGNORECASE,
)
POINTING = re.compile(
    r"(?:(?:so|please|just|you can|can you)\s+)*(?:(?:remove|delete|cancel|close|tick|cross|drop|scrap|archive|get rid of|skip)\s+"
    r"(?:off\s+)?(?:it|that|this|them|those)\b|(?:mark|check|set|put|push|reopen|snooze|move)\s+(?:it|that|this|them|those)\s+(?:as|to|back|off|until)\b|(?:untick|uncheck|reopen|undo|unarchive)\s+(?:it|that|this|them|those)\b|"
    r"(?:take|cross|strike|knock|scratch)\s+(?:just\s+|only\s+)?(?:it|that|this|them)(?:\s+one)?\s+(?:off|out)\b|(?:put|get|stick)\s+(?:it|that|this|them|that one)\s+back\b)",
    re.IGNORECASE,
)
AFTER_NOUNS = frozenset("with w w/ at on for from to in of and or".split())
TOLD_DONE = re.compile(r"[\w'&# -]{2,50}\s(?:is |are |all |now )*(?:done|finished|sorted|completed|✓)", re.IGNORECASE)
UNFINISHED = re.compile(
    r"\b(?:the|go ahead|find|try|would|could|should|to|and|can|will|might|must|can't|won't|don't|not|(?<!am )i|you|we|they|he|she|somebody|someone)$",
    re.IGNORECASE,
)
ONLY_TIME = re.compile(
    r"(?:(?:in|on|at|by|every|each|this|next|the|first|of|and|am|pm|noon|midnight|tomorrow|tonight|today|morning|afternoon|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter|past|thirty|fifteen|other|last|evening|night|days?|week|weekdays?|weekend|month|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|"
    r"\d[\d:.]*(?:am|pm|h|st|nd|rd|th)?|o'clock)(?:\s+|$))+",
    re.IGNORECASE,
)
RELATIVE = re.compile(
    r"which\s+(?:is|are|was|were|will be|starts?|begins?|ends?|takes place|falls|happens)\b", re.IGNORECASE
)
"""Goes on about the thing before: "a card for Theo's birthday, which is on Sunday"."""
ASKED_BACK = re.compile(
    r"(?:(?:what|where|when|who|which) (?:was|is|were|are) (?:it|that|this|they|those)|(?:double[- ])?check|confirm)\W*$",
    re.IGNORECASE,
)
"""A question about what the words before it tell: "i meant to buy something, what was it"."""
DATED_QUESTION = re.compile(
    r"(?:in|on|at|by|for|over|this|next|last)\s+(?!(?:what|when|how)\b)[\w' ]{2,30}?\s(?:what|when|where|who|which|how|do|did|am|is|are)\s",
    re.IGNORECASE,
)
LEADING_TIME = re.compile(
    r"(?:in|on|at|by|for|every|each|tomorrow|tonight|this|next|before|after|first thing|later|early|(?:half an hour|an hour|\w+ (?:minutes|hours|days)|the (?:day|night|evening|morning)) before|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
LEADING = re.compile(
    r"(?:in (?:the )?future|from (?:now|here|today) on|as a (?:general )?rule|going forward|by default|(?:and |so |but )*"
    r"(?:first|second|third|finally|lastly))",
    re.IGNORECASE,
)
SHORT_TIME = 2
CONDITION = re.compile(
    r"(?:whenever|every time|each time|any ?time|if|unless|as soon as|when (?:i|you|we|there))\b", re.IGNORECASE
)
UNFULFILLED = re.compile(
    r"(?:(?:from now on|from here on|in (?:the )?future|going forward|as a rule|always|okay|so)[\s,]+)*(?:whenever|every time|each time|any ?time|if|when|unless)\s",
    re.IGNORECASE,
)
"""A condition whose consequence is still to come: what follows is no request of its own."""
NOTE_HEAD = re.compile(
    r"(?:(?:make|take|save|jot|write|note|idea|thought|question|remember|record)\b.{0,40}\b)?"
    r"(?:note|notes|idea|thought|question|down|that)\b",
    re.IGNORECASE,
)
ASKING = re.compile(
    r"(?:what|when|where|who|which|how|is|are|do|does|did|am|can|could|will|should|have|has|i need|i want|i'd like|"
    r"we need)\b",
    re.IGNORECASE,
)
ONLY_POLITE = re.compile(r"(?:(?:please|pls|plz|would you|could you|ok(?:ay)?|oh|um|uh|and)[\s,.!]*)", re.IGNORECASE)
REMINDS = re.compile(r"(?:(?:please|can you|could you|also|and|so|okay|oh)\s+)*remind me\b", re.IGNORECASE)
