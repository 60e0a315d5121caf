"""Ways to ask: questions about what is stored, and about what to do next."""

from __future__ import annotations

from agents.understanding.text.patterns.pattern import CALENDAR, TASK, Pattern, way

PATTERNS: tuple[Pattern, ...] = (
    *way(
        "small_talk",
        r"(?P<howto>(?:how (?:do|can|would|should) (?:i|we|you)|what do i do to|what is the (?:process|way) to|"
        r"what's the way to|"
        r"show me how to|tell me how to)\s+(?:set up|schedule|book|add|create|make|delete|remove|move|cancel|undo|"
        r"tick|complete|use)\b"
        r".{0,30}\b(?:meetings?|events?|appointments?|tasks?|lists?|notes?|reminders?|items?|calendar|this|"
        r"you)\b).{0,60}",
    ),
    *way(
        "profile_query",
        r"(?:what's|whats|what is|tell me|do you (?:know|remember))\s+(?:what\s+)?my\s+(?P<field>name|job|"
        r"profession|work|location|city|"
        r"college|university|school|course|major|degree|interests|hobbies|profile)\b(?: is| are)?",
        r"(?:do you (?:know|remember)|can you tell me|tell me|remind me)\s+where i (?P<field>live|work|study)\b",
        r"(?:do you (?:know|remember)|can you tell me|tell me)\s+what i (?P<field>do for (?:a living|work)|study)\b",
        r"(?P<field>who) am i$",
        r"where do i (?P<field>live|work|study)\b",
        r"what do i (?P<field>do for (?:a living|work)|study)\b",
        r"what (?:have i told|did i tell) you about (?:my (?P<field>job|profession|work|location|city|college|university|school|course|major|degree|interests|hobbies)|where i (?P<where>live|work|study))\b",
        r"what (?P<field>am i into|do you know about me|have i told you about (?:me|myself))",
    ),
    *way(
        "focus",
        r"(?:what|which)\b.{0,30}\bshould i\s+(?:do|focus on|work on|tackle|start|pick|be doing|"
        r"begin)\b(?P<rest>.{0,200})",
        r"(?:what|which)\b.{0,60}\b(?:could|can|might)\s+i\s+(?:\w+\s+)?(?:do|knock out|tackle|get done|finish|"
        r"squeeze in|manage)\b(?P<rest>.{0,200})",
        r"(?:is there |got |have i got |do i have )?(?:anything|something)\s+(?:that\s+)?i\s+(?:can|could)\s+(?:\w+\s+)?(?:do|knock out|tackle|get done|finish|squeeze in|manage|crack on with|get on with|be getting on with|fit in|blast through|tick off)\b(?P<rest>.{0,200})",
        r"(?:what's|whats|what is)\s+(?:the\s+)?(?:best|most important|most urgent|most pressing|top|next|one)\s+(?:thing|task|"
        r"action)\b(?!.{0,30}\b(?:calendar|agenda|schedule|diary|be at|go to|turn up)\b)(?P<rest>.{0,200})",
        r"(?:throw|hit me with|give me|got|i want|i'd like)\s+(?:me\s+)?(?:something|anything)\s+(?:really |very |a bit )?(?:hard|easy|challenging|difficult|quick|small|short|big|light|simple|useful|meaty|tough)(?:er)?\b(?P<rest>.{0,60})$",
        r"(?:pick|choose|suggest|give me|find me)\s+(?:one\s+|a\s+|some|(?:the|my)\s+(?:single\s+)?(?:least|smallest|easiest|quickest|biggest|hardest|toughest|simplest|shortest|most important)\s+)?(?:thing|task|something|"
        r"one)\b(?P<rest>.{0,200})",
        r"(?:what's|whats|what is)\s+the\s+(?:least|smallest|easiest|quickest|biggest|simplest|shortest)\s+(?:thing\s+)?(?:that\s+)?(?:i can|i could|to)\s+(?:do|get done|finish)\b(?P<rest>.{0,200})",
        r"help me\s+(?:focus|choose|decide|prioriti[sz]e|get started|start)\b(?P<rest>.{0,200})",
        r"where (?:do|should) i (?:start|begin)\b(?P<rest>.{0,200})",
        r"(?:what|anything|something)(?:'s| is)?\s+(?:(?:best|most)\s+)?(?:worth|useful to) (?:doing|do|tackling|starting|getting done)\b(?P<rest>.{0,80})$",
        r"(?:i(?:'ve)?\s+)?(?:have|got|have got)\s+(?:only\s+|just\s+|about\s+|maybe\s+)*(?P<rest>(?:\d{1,3}|five|ten|fifteen|twenty|thirty|half an|an?|two)\s*(?:minutes?|mins?|hours?|hrs?)(?:\s+(?:free|spare|to spare|to kill|now|right now))*)$",
        r"(?:i'm|im|i am)\s+(?:so\s+|really\s+|a bit\s+)*(?:bored|stuck|at a loose end|lost for what to do)(?P<rest>)$",
        r"(?:i\s+)?(?:really\s+|just\s+)*(?:don't|do not|dunno|can't|cannot)\s+(?:know|decide|figure out|think)?\s*(?:what|where)\s+(?:i should |i could |i ought )?(?:to )?(?:do|start|begin|tackle)\b(?P<rest>.{0,60})$",
        r"(?:i have|i've got|i got|there's|there is|there are|got|so)?\s*(?:way\s+|just\s+|far\s+)*too (?:many (?:things|tasks)|much(?: stuff| work)?)\s+(?:to do|on my plate|going on|on my list)\b(?P<rest>.{0,60})$",
        r"i\s+(?:just\s+)?(?:keep|can't stop|am always|'m always)\s+(?:putting off|postponing|avoiding|procrastinating on)\s+(?P<rest>.{2,100})$",
        r"(?:an?\s+|one\s+|some\s+|any\s+)?(?:tiny|small|easy|quick|little|simple|low[- ]effort)\s+(?:task|thing|one|win|job)s?(?:\s+(?:please|pls|for me|to do|then))?$",
        r"(?:just\s+)?(?:give|tell|hand|throw) me (?:just\s+)?(?:one|an?|something|anything)\s*(?:thing|task|easy|small|tiny|quick|little|to do|to work on)\b(?P<rest>.{0,200})",
        r"(?:so |okay )?what (?:do|should|can|could) (?:i|we) do(?: now| next| first| with it)?$",
        r"(?:i|we) (?:(?:really|just|still|do) )?(?:need|have|want|should|ought|gotta|got)(?: to)? (?:do|get) (?:something|one thing|anything) (?:useful|productive|done|small|easy)\b(?P<rest>.{0,60})$",
        r"what now$|what next$|what's next to do",
        r"(?:(?:i(?:'ve)?|we(?:'ve)?)\s+)?(?:only\s+|just\s+)?(?:got|have)?\s*(?:about\s+|maybe\s+|like\s+|around\s+)?(?P<rest>[\w -]{1,20}?(?:min(?:ute)?s?|hours?|time)\s+to\s+(?:kill|fill|spare)(?:\s(?:before|until|till|now|today)\b.{0,40})?)$",
    ),
    *way(
        "focus",
        r"\b(?:anything|something|what's|one thing) (?:quick|easy|small|short|tiny)\b(?P<rest>.{0,100})",
        anywhere=True,
    ),
    *way("focus", r"(?:.{0,60}\s)?(?:just )?tell me what to (?:do|start with|tackle)\b(?P<rest>.{0,100})"),
    *way(
        "focus",
        r"\bwhat\b(?:\s+\w+){0,5}?\s+(?:could|should|can)\s+i\s+(?:\w+\s+)?(?:do|knock out|tackle|get done|crack on with|get on with|be getting on with|fit in|tick off|work "
        r"on|focus on|finish|start with)\b(?P<rest>.{0,200})",
        anywhere=True,
    ),
    *way(
        "free",
        r"(?:is there |do i have |got )?any (?:free )?(?:time|slots?|room|gaps?|space)\b(?P<rest>.{0,200})",
        r"(?:am i|are we|will i be|i'm)\s+(?:\w+\s+)?(?:free|available|busy|booked|open)\b(?P<rest>.{0,200})",
        r"(?:do i have|have i got)\s+(?:any(?:thing)?|some|enough|the)?\s*(?:free )?(?:time|room|space|availability|"
        r"slot)\b(?P<rest>.{0,200})",
        r"when am i\s+(?:\w+\s+)?free\b(?P<rest>.{0,200})",
        r"is\s+(?P<rest>(?:(?:(?:this|next)\s+)?\w+day|tomorrow|today|tonight)\b.{0,40}?\s(?:open|free|clear|available)\b.{0,60})$",
        r"(?:can|could) i (?:fit|squeeze)\b(?P<rest>.{0,200})",
        r"(?:free|busy|available)\s+(?P<rest>(?:on|at|this|next|tomorrow|today|tonight|mon|tue|wed|thu|fri|sat|sun|"
        r"later)\w*\b.{0,60})$",
    ),
    *way(
        "query_tasks",
        r"what(?:'s| is)? else(?:'s| is| are| have i got| do i have)?\s+(?:open|left|outstanding|to (?:do|get done)|on (?:my|the) list|there(?: to do)?)\b(?P<rest>.{0,60})$",
        r"(?:what|which)(?:'s| is| are)?\s+(?:(?:the|my|of my)\s+)?(?:tasks?\s+(?:is|are)\s+(?:the\s+)?)?(?:very\s+)?(?:hardest|easiest|most (?:difficult|urgent|important|pressing))(?:\s+(?:thing|task|one|job|item)s?)?(?P<rest>(?:\s+(?:on|in|of)\s.{2,30})?)$",
        r"(?:is there |do i have |have i got |got )?any(?:thing)?\s+(?:else\s+)?(?:really |super |very |that's |still )*(?:urgent|important|pressing|overdue|high[\s-]prio\w*|top[\s-]prio\w*|due)\b(?P<rest>.{0,60})$",
        r"what (?:was|am|were|have) (?:i|we) (?:been )?(?:currently |already )?(?:working on|in the middle of|busy with|started|begun)\b(?P<rest>.{0,80})$",
        r"what (?:did|have) i (?:get done|gotten done|got done|finish(?:ed)?|complete[d]?|accomplish(?:ed)?|done)\b(?P<rest>.{0,80})$",
        r"(?:show|list|see|what's|which|any|all|give)(?: me)?(?: are| is)?(?: all)?(?: of)?(?: my| the)?\s+(?:high|low|medium|top|urgent|important|overdue|open)[\s-]*(?:prio(?:rity|rities)?)?(?: ones| stuff| things| items)?(?P<rest>)$",
        r"(?:what|how (?:much|many)|how's|what's|whats)\b.{0,40}\bon my plate\b(?P<rest>.{0,60})",
        r"(?:is there |do i have |have i got )?(?:anything|something|what(?: else)?(?: is| do i have)?)\b.{0,20}\b(?:i (?:need|have|'ve got|must)|left|still|needs?) to (?:get done|do|be done|finish|handle|take care of)\b(?P<rest>.{0,80})",
        rf"(?:what|which|how many|show|list|give me|read|tell|do i|have i|any|anything|are there|what's|whats|is there|check|"
        rf"display)\b.{{0,40}}\b(?:{TASK}|todo list|to-do list|"
        rf"task list|due|deadlines?|overdue|reminders)\b(?P<rest>.{{0,200}})",
        r"is (?:there )?(?:anything|something|any of (?:it|them|these))\s+(?:\w+\s+){0,3}?(?:due|overdue|late|urgent|pressing)\b(?P<rest>.{0,100})",
        r"(?:what|how much) (?:do i|have i)\b.{0,20}\b(?:to do|left|to finish|open)\b(?P<rest>.{0,200})",
        r"(?:what's|whats|what is)\s+(?:still\s+)?(?:open|left|outstanding|pending|on (?:my|the) (?:list$|list |"
        r"plate))\b(?P<rest>.{0,200})",
        r"(?:what(?:'s| are| is)|list|show|tell me)(?: me)?\s+(?:my|the)\s+(?:top|main|biggest|highest|current)?\s*priorit(?:y|ies)\b(?P<rest>.{0,60})",
        r"is there (?:much|anything|a lot|lots|still much)\s*(?:left|still|else)?\s*on (?:my|the) (?:to-?do |task )?(?:list|plate)\b(?P<rest>.{0,60})",
        r"(?:my\s+)?(?:open\s+)?(?:tasks|todos|to-dos|todo list|to-do list)$",
    ),
    *way(
        "when_is",
        r"how long (?:is|are|does|will|do)\s+(?P<rest>.{2,120})",
        r"when (?:am i|are we|do i|do we)\s+(?:next|again)\s+(?:(?:on|doing|have|having|at|in|working|seeing|got|due|going to|playing)\s+)?(?P<rest>(?!free\b|off\b)[\w' -]{2,60})$",
        r"(?:which|what) (?:room|place|building|venue|address|hall|floor|ward) (?:is|are)\s+(?P<rest>.{2,80}?)(?:\s+(?:in|at|on))?$",
        r"how much time (?:do i need|will i need|does it take|should i allow) for\s+(?P<rest>.{2,120})",
        r"(?:when|what time|where)(?:'s| is| are|s)?\s+(?:that|this|it)$(?P<rest>)",
        r"(?P<next>next)\s+(?P<rest>(?!week|month|year|weekend|mon|tue|wed|thu|fri|sat|sun)[\w' -]{3,60})$",
        r"(?:when|what time|where|at what time)\s+(?:am i|are we|do i|do we|will i|will we)\s+(?:seeing|meeting|see|meet|having|have|visiting|talking to|speaking (?:to|with)|doing|going to|playing)\s+(?:with\s+)?(?P<rest>(?!time\b|free\b|to\b|an?\s+free\b)[\w' ]{2,80})$",
        r"(?:when|what time)\s+(?:do|are|will|am)\s+(?:i|we)\s+(?:leave|leaving|fly|flying|go|going|head|heading|off|set off|depart)(?:\s+off)?\s+(?:for|to|on)\s+(?P<rest>[\w' ]{2,60})$",
        r"(?:when and where|where and when|what time and where|where and what time)(?:'s| is| are)\s+(?P<rest>.{2,200})",
        r"(?:when's|whens|when is|when are|when does|when do|what time (?:do|am|are)|what time is|what time does|what time's|at what "
        r"time|where is|where's|wheres|"
        r"what day is|(?:on )?wh(?:ich|at) (?:day|date)(?:'s| is)|how long until|how long till)\s+(?P<rest>.{2,200})",
        r"(?:what's|whats|what is)\s+(?:coming\s+)?(?:up\s+)?(?P<next>next)(?: up)?(?: on (?:my|the) \w+)?$",
        r"(?:what's|whats|what is)\s+(?:my|the)\s+(?P<next>next)\s+thing\s+i(?:'ve got|'m| have| need| am)\b.{0,30}(?:be at|go to|turn up to|going to)$",
        r"(?:what's|whats|what is|when is|when's)\s+(?:my|the)\s+next\s+(?P<next>event|appointment|meeting|"
        r"thing)?(?: on my (?:calendar|agenda|schedule))?\b(?P<rest>.{0,80})",
    ),
    *way(
        "ask_memory",
        r"how (?:much|many|big|tall|heavy|old|far)(?:\s[\w']+)?\s+(?:did|was|were|had)\s+(?!i\b|we\b|on\b|left\b|due\b|my (?:day|week|calendar)\b|there\b)(?P<rest>.{3,120})$",
    ),
    *way(
        "query_calendar",
        r"(?:what's|whats|what is|when's|when is)\s+(?:my|the)\s+(?:very\s+)?(?:first|last|next|earliest|latest)\s+(?:thing|event|meeting|appointment|class|call)\s+(?P<rest>(?:on|today|tomorrow|tonight|this|next week|next month|mon|tue|wed|thu|fri|sat|sun|in).{0,60})$",
        r"who(?:'s| is) (?:coming|visiting|here)\b(?P<rest>.{0,60})$",
        r"(?:(?:is there|do i have|have i got|and|so)\s+)?(?:anything|something|any plans|plans|what)(?:\s+else)?\s+(?P<rest>(?:on\s+|for\s+|before\s+|after\s+|later\s+)?(?:today|tonight|tomorrow|tmrw|tmr|tom|this|next|later|mon|tue|wed|thu|fri|sat|sun|the weekend|noon|lunch)\w*\b.{0,60})$",
        r"(?:what's|whats|what is)\s+(?:the|my|our) plan\b(?P<rest>.{0,80})",
        r"(?:am i|are we) (?:doing|up to) (?:anything|something|much)\b(?P<rest>.{0,80})",
        r"(?:which|what) [\w' -]{3,40} (?:have i got|do i have|do we have|are there)\b(?P<rest>\s.{2,60})$",
        r"who (?:am i|are we) (?:having|meeting|seeing|talking to|visiting)\b(?P<rest>.{0,80})",
        r"how(?:'s| is| does| are)\s+(?:my|the|our|things)\s(?P<rest>.{2,40}?)\s(?:look|looking|shaping up|going|coming along|looking like)$",
        r"how busy\b(?P<rest>.{0,100})",
        rf"(?:what's|whats|what is|what've|what have|what do|what does|what|show|list|read|tell|how|do i|have i|"
        rf"is there|anything|any)\b.{{0,40}}\b(?:on|i got|i have|"
        rf"i've got|happening|planned|scheduled|coming up|{CALENDAR}|events?|meetings?|appointments?|going on|up|"
        rf"look(?:s|ing)? like|anything)\b(?P<rest>.{{0,200}})",
        rf"my\s+(?:{CALENDAR}|day|week)(?:\s+(?:for|on))?\b(?P<rest>.{{0,100}})$",
    ),
    *way(
        "when_is",
        r"\b(?:at what time|what time|when)\s+(?P<rest>(?:my|the|our)\s+.{2,60}?)\s+(?:leaves|starts|is|begins|"
        r"opens|departs|ends)\b",
        anywhere=True,
    ),
    *way(
        "ask_memory",
        r"(?:is|are|was|were|has|have)\s+(?P<rest>(?:the|my|our)\s.{2,80}?\s(?:been\s+)?(?:\w+ed|done|paid|sent|bought|off)(?:\s+(?:yet|already))?)$",
        r"(?:what|when|where|who|which|why|how)\s+(?:did|had|was|were)\s+(?:i|we|he|she|they|\w+)\b(?P<rest>.{0,300})",
        r"(?:did|have|do)\s+i\s+(?:\w+\s+)?(?:mention|say|tell|note|write|record|decide|settle|"
        r"ever)\b(?P<rest>.{0,300})",
        r"(?:did|have)\s+i\s+(?P<rest>.{3,300})",
        r"which\s+.{1,60}\bdid i\b(?P<rest>.{0,300})",
        r"(?:do you )?remember (?:what|when|where|who|which)\b(?P<rest>.{0,300})",
        r"what do my (?:notes|memos) say\b(?P<rest>.{0,300})",
    ),
)
