"""Loose forms of speech, and what they say plainly: "after school at four", "and say it's due friday", "i've to ring Jo"."""

from __future__ import annotations

import re

WAS_AGAIN = re.compile(
    r"\b(?P<ask>what time|what day|when|where) (?:was|were) (?P<what>(?:the|my|our)\s[\w' -]{3,60}?) again\b",
    re.IGNORECASE,
)
HAVE_TO = re.compile(r"\b(?P<who>i|we)'ve (?:to|gotta|got to) (?=[a-z])", re.IGNORECASE)
AFTER_SCHOOL = re.compile(
    r"\s(?:before|after|at) (?:school|work|lunch|dinner|breakfast|class)(?=(?:\s(?:today|tomorrow|on \w+day))?\s(?:at|around|about)\s(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter)\b)",
    re.IGNORECASE,
)
"""A part of the day that a clock time makes exact: "after school at four"."""
SAY_ITS = re.compile(
    r"(?<=\w)\s+and (?:say|put|note) (?:that )?(?=it's (?:due|urgent|important|high|low|easy|hard)\b|it'll\b|it takes\b|it will\b)",
    re.IGNORECASE,
)
LIST_FOR = re.compile(
    r"\b(?P<on>on|to|onto|off|from) (?P<whose>my|the|our) (?P<list>(?!to-?do\b|task\b)[\w']+) list for (?:the |my |our )?(?P<what>(?!me\b|us\b|to\w+\b|next\b|this\b|\w+day\b|when\b)[\w' ]{3,30}?)(?=$|[.?!])",
    re.IGNORECASE,
)
AS_REMINDER = re.compile(
    r"\b(?:put|add|set|stick)\s(?:in\s)?(?P<what>(?!it\b|that\b|this\b|them\b|an?\b)[^.?!,]{3,100}?)\s(?:in )?as a reminder\b",
    re.IGNORECASE,
)
MEAL = re.compile(
    r"(?P<lead>^|[.!?,]\s+|\b(?:and|so|okay|oh|then|also|um)\s+)(?:let's|let us|shall we|we should|we could)\s(?:do|have|grab|get)\s(?:an?\s)?(?=(?:lunch|dinner|coffee|brunch|breakfast|drinks?|supper|"
    r"catch[ -]?up|call|meeting)\b[^.?!]*\b(?:at|on|tomorrow|tonight|\w+day|next|this)\b)",
    re.IGNORECASE,
)
"""A proposal to meet: "let's do lunch tomorrow at one"."""
TOPIC_OFTEN = re.compile(
    r"(?P<lead>^|[.!?]\s+|\b(?:so|and|okay|oh|also|um|hey|right)\s+)(?P<what>(?:the|my|our)\s(?:(?!(?:is|are|was|has|that|and|to|can|could|i|we|you|it)\b)[\w'-]+(?![\w'-])\s?){1,6}?),?\s"
    r"(?:make|do|change|switch)\s(?:it|that)\s(?:to\s)?(?=(?:every|each|weekly|fortnightly|monthly|daily|once a|twice a|on weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b)",
    re.IGNORECASE,
)
"""A thing named first and then how often: "the mileage thing make that every other friday"."""
CANT_MAKE = re.compile(
    r"(?P<lead>^|[.!?]\s+|\b(?:so|and|okay|oh|um|hey|right)\s+)(?:(?:i|we)\s)?(?:can't|cannot|can not)\s(?:make|do|come to|manage)\s(?P<what>(?!(?:it|that|this|them|sense|anything)\b)[\w']+(?:\s(?!(?:can|could|shall|let's|how|what)\b)[\w']+){0,6}?)[\s,.]+"
    r"(?:(?:so|but)\s)?(?:(?:can|could|shall)\s(?:we|you)\s(?:do|make it|move it to|have it)|let's\s(?:do|say|make it)|how about|what about)\s(?:it\s)?(?:for\s|on\s)?"
    r"(?P<when>(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|next|this|the|at|half|noon|\d)[\w: ]{0,30}?)(?:\sinstead)?\s*\?*$",
    re.IGNORECASE,
)
"""A date called off for another: "can't make padel tomorrow can we do thursday"."""
LONG = r"(?:half an hour|an hour(?: and a half)?|(?:two|three|four|\d+)(?: and a half)? hours|(?:ten|fifteen|twenty|thirty|forty|forty[- ]five|ninety|\d+) (?:minutes|mins))"
BLOCK_TOO = re.compile(
    rf"\b(?P<deed>(?:set aside|block(?: out| off)?|reserve|book|schedule|keep)\s)(?P<first>{LONG}\s[^.!?,]{{5,80}}?),?\s(?:and|then|and then)\s(?:also\s)?(?={LONG}\s(?:on|at|tomorrow|today|tonight|this|next|\w+day)\b)",
    re.IGNORECASE,
)
"""Two stretches set aside in one breath: "block two hours on friday for the report and an hour on monday for emails"."""
RATHER = re.compile(
    r"\b(?:cancel|delete|scrap|drop|skip|remove)\s(?P<what>(?:(?!(?:and|no|then)\b)[\w'-]+(?![\w'-])\s){1,8}?)(?:(?:no|wait|oh|actually|hang on|sorry)[\s,.]+){1,3}"
    r"(?:(?:just|let's|can you|please|instead|you can)\s)*(?P<verb>move|push|shift|bump|snooze|postpone|reschedule)\s(?:it|that)\b",
    re.IGNORECASE,
)
"""A removal taken back for a change: "cancel the call no actually just move it to seven"."""
A_PRIORITY = re.compile(
    r"\bmake\s(?P<what>(?!it\b|that\b|this\b|them\b)[\w' -]{3,50}?)\s(?:a|an|my|the)\s(?:top\s|high\s|number one\s)?priority\b",
    re.IGNORECASE,
)
NEEDED_TIME = re.compile(
    r"(?P<lead>^|[.!?,]\s+|\b(?:and|so|okay|oh|also|um)\s+)(?:i|we)(?:'m going to|'m gonna|'ll| will)?\s(?:probably\s|also\s)?need\s(?:about\s|around\s|roughly\s|maybe\s|like\s|at least\s)*"
    r"(?P<long>(?:\w+\s){1,4}(?:minutes|hours?|mins|half))\s(?:for|on|to do|to finish)\s(?P<what>(?:the|my|our)\s[\w' -]{2,40}?)(?=$|[.,!?])",
    re.IGNORECASE,
)
TO_GO = re.compile(
    r"(?P<lead>^|[.!?,]\s+|\b(?:and|so|okay|oh|also|um)\s+)(?P<what>(?:the|my|our)\s(?:(?!(?:who|that|and|i|we|he|she|they)\b)[\w'-]+(?![\w'-])\s){1,4}?)(?:needs|has|have|need)\sto\sgo\s"
    r"(?=(?:in|back|to the|to my|off|down)\b)",
    re.IGNORECASE,
)
TOLD_TO_DO = re.compile(
    r"\bwhat did (?P<who>i|we) (?:have|need|want) to (?=do|buy|get|bring|take|ask|tell)", re.IGNORECASE
)
SLOT_OFFERED = re.compile(
    r"^(?:(?:so|okay|oh|hey|um|right)\s)*(?P<what>(?:(?:the|my|our)\s)?(?!(?:i|we|he|she|they)\b)[\w']+(?:\s(?!(?:just|rang|called|phoned)\b)[\w']+)?)\s(?:just\s)?(?:rang|called|phoned|texted|emailed)(?:\s(?:me|back))?[\s,.]+"
    r"(?:and\s)?(?:they|he|she)(?:'ve|'s| have| has)(?: got)?\san?\s(?:slot|space|opening|cancellation|appointment|gap)(?:\s(?:free|available|open))?\s"
    r"(?P<when>[\w: ]{3,60}?)[\s,.]+(?:(?:so|and|can you|could you|please)\s)+(?:book|take|grab)\s(?:it|that)\b(?:\s(?:down|in|please|for me|one|slot))*",
    re.IGNORECASE,
)
"""A slot offered and taken: "the dentist rang they've got a slot on friday at ten so book that"."""
WAITS_THEN = re.compile(
    r"(?P<what>(?:the|my|our)\s(?:(?!(?:and|so|can)\b)[\w'-]+(?![\w'-])\s){1,6}?)(?:can|could|will|must|has to|have to)\s(?:easily\s|just\s)?wait(?:\s(?:till|until)\s[^,.;]{3,40})?[,.;]\s+"
    r"(?:(?:so|and|please|just|can you|could you)\s+){0,3}(?P<verb>snooze|postpone|push|move|put)\s(?:it|that|them|those)\b(?=(?:\s(?:off|back))?\s(?:till|until|to)\s)",
    re.IGNORECASE,
)
"""What is put off is said once: "the glasses can wait till spring, so snooze them until the 2nd of March"."""
NOT_WANTED_THERE = re.compile(
    r"\b(?:i|we)\s(?:don't|do not|no longer)\s(?:need|want)\s(?P<what>it|that|this|them|(?:the|that)\s[\w' -]{2,40}?)\s(?P<where>(?:on|in)\s(?:my|the|our)\s(?:calendar|diary|agenda|schedule|planner))(?:\s(?:any ?more|any longer|now))?",
    re.IGNORECASE,
)
KEEP_LENGTH = re.compile(
    r"(?:,\s*|\s+and\s+)keep(?:ing)?\s(?:it|that)\s(?:at\s|to\s)?(?=(?:\d|half an|an hour|one hour|two hours)[\w ]{0,12}$)",
    re.IGNORECASE,
)
"""The length beside a new time: "the call to thursday at 4, keep it 45 min"."""
BY_HEARSAY = re.compile(
    r"(?P<lead>^|[.!?]\s+|,\s+)(?:i'm told|i am told|i've been told|i hear|i gather|it seems|it turns out|they tell me)\s(?:that\s)?(?=(?:the|my|our)\s)",
    re.IGNORECASE,
)
TO_LIST_FIRST = re.compile(
    r"\b(?:add|put)\s(?:to|onto|on)\s(?P<list>(?:my|the|our)\s(?!to-?do\b|task\b)[\w']+(?:\s[\w']+)?\slist)[:,]?\s(?P<items>(?!that\b|of\b|for\b|please\b|to\b|a (?:task|reminder)\b)[^.?!:]{2,150})$",
    re.IGNORECASE,
)
PUT_IN_THAT = re.compile(
    r"\bput (?:it )?in that (?P<what>(?:i'm|we're|i am|we are|i've got|we've got|i have|we have)\s[^.?!]{3,150})$",
    re.IGNORECASE,
)
I_SHALL = re.compile(r"\b(?P<who>i|we) shall\b(?! (?:i|we)\b)", re.IGNORECASE)
IF_ANYTHING = re.compile(r",\s(?:if (?:anything|any|at all|possible)|please|then|now)\s*,\s", re.IGNORECASE)
NOTHING_ELSE = re.compile(
    r",\s(?:so\s|and\s)?nothing else(?:\s(?:in|at|during|on)\s(?:that|this)\s\w+)?(?=[,.;!]|$)", re.IGNORECASE
)
WHEREABOUTS = re.compile(r"\bwhereabouts (?P<be>is|are|was)\b", re.IGNORECASE)
THINGS_TO_DO = re.compile(r"\b(?P<whose>my|the|our) list of (?:things|stuff|tasks) to do\b", re.IGNORECASE)
LEVEL_WILL_DO = re.compile(
    r"(?P<lead>[,.;!]\s+(?:(?:and|so|but)\s+)?)(?P<level>low|medium|high)(?: priority)? (?:is fine|will do|would do|is enough|is okay|is ok)(?=[,.;!]|\s+(?:and|so)\b|$)",
    re.IGNORECASE,
)
DAY_WILL_DO = re.compile(
    r"(?P<lead>[,.;!]\s+(?:(?:and|so|but)\s+)?|\sand\s)(?P<day>(?:(?:next|this|on)\s)?(?:\w+day|week|month|tomorrow)(?: morning| afternoon| evening)?) (?:will do|would do|is fine|is soon enough|is early enough)(?=[,.;!]|$)",
    re.IGNORECASE,
)
DOWN_AS = re.compile(
    r"\bput (?P<what>(?:the|my|our|that)\s[\w' -]{2,40}?) down as (?:a )?(?P<level>urgent|important|high priority|low priority|easy|hard)\b(?:, (?:it|they|that)\s[^,.;]{3,40},)?",
    re.IGNORECASE,
)
SEE_TO_IT = re.compile(
    r"\b(?:see to it|make sure|be sure)(?: that)? (?:i|it|we) (?:do|get|gets|is|finish)(?: it)?(?: done| finished)? (?=(?:by|before) )",
    re.IGNORECASE,
)
HAVE_IT_LATER = re.compile(
    r"\b(?:could|can|may) (?:i|we) have (?P<what>(?:(?:the|my|our)\s|[\w-]+'s\s)[\w' -]{2,40}?) (?P<long>(?:an|half an|one|two|\d+) (?:hours?|minutes?|mins)) (?P<way>later|earlier)(?:,? (?:just )?(?:this|for) once)?",
    re.IGNORECASE,
)
MOVED_PLACE = re.compile(
    r"(?<=\w) (?:got|was|were|has been|have been|is being) (?:moved|relocated|switched) to (?=(?:room|hall|studio|lab|theatre|gate)\b|(?:the|our|my)\s[\w' ]{2,40}?(?:room|hall|building|studio|office|cent(?:re|er)|caf[eé]|library|lab|park|house|pub|church|school|gym|pool|campus|theatre)\b)",
    re.IGNORECASE,
)
WILL_RUN = re.compile(r"(?:'ll| will) (?P<go>run|last) (?=(?:until|till|from|for)\b)", re.IGNORECASE)
PER_DAY = re.compile(
    r"\b(?P<long>(?:\d+|an?|half an|one|two|three|five|ten|fifteen|twenty|thirty|forty-five|an hour and a half)\s?(?:minutes?|mins?|min|m|hours?|hrs?|h))\s(?:a|per|each)\s(?P<unit>day|week)\b",
    re.IGNORECASE,
)
PREFERABLY = re.compile(r",?\s(?:preferably|ideally)\s(?!not\b)[^,.;!?]{3,40}(?=[,.;!?]|$)", re.IGNORECASE)
PUT_INSTEAD = re.compile(
    r"\bput (?P<what>(?:(?:the|my|our)\s)?[\w' -]{2,40}?) (?:on|at|to) (?P<new>[\w: ]{2,40}?) (?:instead of|rather than) [\w: ]{2,30}?(?:,? (?:at )?(?:the )?same time)?(?=[.,!?]|$)",
    re.IGNORECASE,
)
MOVE_ITS = re.compile(
    r"\bmove (?P<what>[\w' -]{2,40}?),? (?:it's|its|it is|it should be) (?P<new>[^,.;]{3,40}?)(?:,? (?:and )?not [\w ]{3,30})?$",
    re.IGNORECASE,
)
FOR_A_DUTY = re.compile(
    r"^(?:(?:so|okay|and|oh|um)\s+)*for (?:the|my|our)\s(?:(?!i\b|we\b)[\w'-]+\s){1,4}?(?=(?:i|we)(?:'ve| have)? (?:need|have|got) to\s)",
    re.IGNORECASE,
)
START_DOING = re.compile(
    r"\b(?:i|we) (?:want|would like|'d like) to (?:start|begin|take up) (?P<what>\w{3,}ing)\b[\s,.]+(?:(?:so|and|please|can you|could you)\s+)*(?:put|add|stick) (?:that|it) (?P<where>(?:on|in|to) (?:my|the|our) (?:calendar|diary|schedule))",
    re.IGNORECASE,
)
MOVED_DAYS = re.compile(
    r"\s(?:got|was|were|is being|has been|have been|is|'s been) moved to (?=(?:mon|tues|wednes|thurs|fri|satur|sun)days\b)",
    re.IGNORECASE,
)
GONNA_BE = re.compile(r"(?<=\w) (?:is|are) (?:gonna|going to) be (?=(?:at|in|on) (?:the|a|my|our)\b)", re.IGNORECASE)
OFTEN_AFTER = re.compile(
    r",?\s(?:and\s)?(?:then\s)?(?P<often>every (?:\w+ ){0,2}?(?:days?|weeks?|months?|years?))(?: (?:after that|thereafter|from then on|from there|afterwards))(?=[.,!?]|$)|"
    r",?\sand then (?P<then>every (?:\w+ ){0,2}?(?:days?|weeks?|months?|years?))(?=[.,!?]|$)",
    re.IGNORECASE,
)
OFF_AND_OUT = re.compile(
    r"(?P<told>\b(?:isn't|is not|not|won't be)\s(?:happening|on|going ahead|taking place)\b[^;.!?]{0,80}?)[;,.]\s+(?:(?:so|and|please|can you|could you|would you)\s+){0,3}"
    r"(?:take|leave|cancel|remove|skip)\s(?:just\s|only\s)?(?:that|this)\sone(?:\s(?:out|off))?\b",
    re.IGNORECASE,
)
"""What is told to be off is taken out once: "friday's isn't happening; could you take just that one out"."""
SHOULD_LIKE = re.compile(r"\b(?P<who>i|we) should (?P<like>like|love|prefer)\b", re.IGNORECASE)
WHO_COMES = re.compile(
    r"(?P<who>(?:^|[.!?]\s+|\b(?:so|and|okay|oh|yes|um)\s)(?:the|my|our)\s(?:(?!(?:and|but|so|if|when|that|because)\b)[\w-]+\s){1,3}?)(?:he's|she's|they're|he is|she is|they are)\s(?=(?:now\s)?(?:coming|arriving|visiting|due|booked)\b)",
    re.IGNORECASE,
)
"""Who comes, named first: "the gas man he's coming on the twelfth"."""
NEXT_IS = re.compile(
    r"(?P<told>\bat\s(?:half\s(?:past\s)?|quarter\s(?:past|to)\s|\w+\s(?:past|to)\s)?(?:\d{1,2}(?::\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon)(?:\s(?:thirty|fifteen|am|pm))?)\s(?:and\s)?"
    r"(?=(?:(?!(?:and|so|it|that|this|which|there|i|we|he|she|they|then)\b)[\w']+\s){1,3}?(?:is|are)\s(?:on\s)?(?:the\s(?:twenty[\s-]|thirty[\s-])?(?:\d|first\b|second\b|third\b|\w+(?:st|nd|rd|th)\b)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow)(?:\s\w+){0,4}?\sat\s)",
    re.IGNORECASE,
)
"""One thing with its day and hour after another: "maths is the 17th at nine french is the 19th at two"."""
PUT_TIME = re.compile(
    rf"\b(?:put|stick)\s(?:in\s|down\s|aside\s)?(?={LONG}\s(?:aside\s)?(?:for|on|in)\b)", re.IGNORECASE
)
"""Time for something: "put two hours for that next tuesday"."""
LOOSE_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (WHO_COMES, r"\g<who>is "),
    (NEXT_IS, r"\g<told>. "),
    (PUT_TIME, "set aside "),
    (TOPIC_OFTEN, r"\g<lead>make \g<what> "),
    (CANT_MAKE, r"\g<lead>move \g<what> to \g<when>"),
    (BLOCK_TOO, r"\g<deed>\g<first>. \g<deed>"),
    (OFF_AND_OUT, r"\g<told>"),
    (I_SHALL, r"\g<who>'ll"),
    (IF_ANYTHING, " "),
    (NOTHING_ELSE, ""),
    (WHEREABOUTS, r"where \g<be>"),
    (THINGS_TO_DO, r"\g<whose> to-do list"),
    (LEVEL_WILL_DO, r"\g<lead>set it to \g<level> priority"),
    (DAY_WILL_DO, r"\g<lead>it is due \g<day>"),
    (DOWN_AS, r"set \g<what> to \g<level>"),
    (SEE_TO_IT, "it is due "),
    (HAVE_IT_LATER, r"move \g<what> \g<long> \g<way>"),
    (MOVED_PLACE, " is moved to "),
    (WILL_RUN, r" \g<go>s "),
    (PER_DAY, r"\g<long> every \g<unit>"),
    (PREFERABLY, ""),
    (PUT_INSTEAD, r"move \g<what> to \g<new>"),
    (MOVE_ITS, r"move \g<what> to \g<new>"),
    (FOR_A_DUTY, ""),
    (START_DOING, r"put \g<what> \g<where>"),
    (MOVED_DAYS, " moves to "),
    (GONNA_BE, " is "),
    (OFTEN_AFTER, r" \g<often>\g<then>"),
    (PUT_IN_THAT, r"\g<what>, put that in my calendar"),
    (TO_LIST_FIRST, r"add \g<items> to \g<list>"),
    (SHOULD_LIKE, r"\g<who> would \g<like>"),
    (BY_HEARSAY, r"\g<lead>"),
    (WAITS_THEN, r"\g<verb> \g<what>"),
    (NOT_WANTED_THERE, r"remove \g<what> from my calendar"),
    (KEEP_LENGTH, " for "),
    (A_PRIORITY, r"set \g<what> to high priority"),
    (NEEDED_TIME, r"\g<lead>\g<what> takes \g<long>"),
    (TO_GO, r"\g<lead>i need to take \g<what>"),
    (TOLD_TO_DO, r"what do \g<who> have to "),
    (SLOT_OFFERED, r"book \g<what> \g<when>"),
    (MEAL, r"\g<lead>schedule "),
    (RATHER, r"\g<verb> \g<what>"),
    (WAS_AGAIN, r"\g<ask> is \g<what>"),
    (HAVE_TO, r"\g<who> have to "),
    (AFTER_SCHOOL, ""),
    (SAY_ITS, ". "),
    (LIST_FOR, r"\g<on> \g<whose> \g<what> \g<list> list"),
    (AS_REMINDER, r"remind me to \g<what>"),
)
