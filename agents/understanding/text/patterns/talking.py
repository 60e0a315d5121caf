"""Ways to ask: what Summit does not do, small talk, and new tasks as the widest net."""

from __future__ import annotations

from agents.understanding.text.patterns.pattern import TASK, THING, Pattern, way

STATE = (
    r"be\b(?:(?<=should be)|(?!\s(?:at|in|home|back|up|out|ready|dressed|over|down)\b.{0,60}(?:\b(?:by|at|before|for)\s"
    r"(?:half|quarter|noon|midnight|\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)|\b(?:hours?|minutes?)\s(?:before|early)\b)))"
)
"""What one should be is nothing to do, unless it is somewhere by an hour: "i have to be at the airport by eleven"."""
PATTERNS: tuple[Pattern, ...] = (
    *way(
        "out_of_scope",
        r"are you (?:any )?good (?:at|with)\b.{0,60}",
        r".{0,60}\b(?:weather|forecast|rain|snow|sunny|temperature|degrees outside|joke|news|headlines|stock "
        r"price|exchange rate|bitcoin|"
        r"play (?:some |the |me )?(?:music|song|radio|playlist)|lights?\b.{0,10}\b(?:on|off)|translate|define|"
        r"recipe|traffic|"
        r"capital of|who won|score of|uber|taxi|pizza|order me|volume|thermostat|wikipedia|meaning of|spell|"
        r"what's \d|how far|"
        r"how tall|how old is|who is the|who was the|flip a coin|roll a di|sing|alarm clock|phone "
        r"calls?\b(?=.{0,30}\b(?:me|you)\b)|make calls|or is that (?:not )?something you)\b",
        sure=0.8,
    ),
    *way(
        "small_talk",
        r"(?P<howto>how (?:do|can) i (?:undo|add|delete|move|change|cancel|use|talk|book|schedule|make|start)\b.{0,60})$",
        r"(?P<greeting>hi|hello|hey|good (?:morning|afternoon|evening)|morning|evening|hiya|howdy)\b.{0,30}$",
        r"(?P<thanks>thanks|thank you|thank (?:god|heavens|goodness)|thx|cheers|ta|much appreciated|nice one)\b.{0,60}$",
        r"(?P<who>who are you|what are you|what can you do|what do you do|how do you work|are you (?:a |an "
        r")?(?:robot|ai|bot|human|real)|"
        r"help|can you make|do you make|what's your name|whats your name|is that not something you do)\b.{0,80}$",
        r"(?P<how>are you (?:there|listening|awake|still there|ok|okay)|how are you|how's it going|how are things|what's up|how do you do|how(?:'s| is| was) your (?:day|week|morning|evening|weekend)|how(?:'s| is) life)\b.{0,40}$",
        r"(?P<bye>bye|goodbye|see you|good night|later|talk (?:to you )?later)\b.{0,40}$",
        r"(?P<fine>tell me|let me know|great|cool|nice|perfect|awesome|lovely|brilliant|fantastic|amazing|excellent|super|wonderful|good|sounds good|got it|never "
        r"?mind|no worries|that's all|thats all|all good|fine|yes|yep|no|nope|okay|ok|sure|lol|haha+|"
        r"wow)\W*(?:then|thanks|i'm good|bot|one)?$",
    ),
    *way(
        "update",
        r"(?:add|put|attach)\s+(?P<rest>(?:a|an|the)\s+(?:deadline|due date)\b.{2,200}\b(?:to|on|for)\s+(?:my|the|that|it)\b.{0,100})",
    ),
    *way(
        "add_task",
        r"(?:i|we)(?:'ve got| have got| have|'ve| got)\s+(?P<rest>(?:an?|this|another)\s[\w' -]{2,60}?\s(?:that's |which is )?(?:due|to (?:hand in|finish|submit|write|send in))\s+(?:on|by|for|in|before|tomorrow|today|this|next|\w+day)\b.{0,60})$",
        rf"(?:add|create|make|put|new|enter|set up|start)(?:\s+me)?(?:\s+down)?\s+(?:(?:a|an|another|the|"
        rf"my)\s+)?(?P<hint>(?:[\w-]{{1,30}}[\s-]){{0,3}}?)"
        rf"{TASK}\b(?:\s+(?:for me|to my list))?(?:\s*(?:to|called|named|for|that says|:|-|,))?\s*{THING}",
        r"(?:add|new)\s*:\s*(?P<rest>.+)",
        r"(?:please\s+)?(?:don't|do not)\s+(?:let me\s+)?forget\s+(?:about\s+)?(?P<rest>(?!to\b|that\b|it\b|this\b|about\b|the\b(?=.*\b(?:is|are|was|were|has|have|will)\b)|i\b|me\b|what\b|how\b|where\b|when\b)\w.{2,200})",
        r"(?:(?:and|oh|here's|just)\s+)*(?:another|one|one more|something)\s+(?:more\s+)?for\s+(?:the|my)\s+(?:to-?do |todo |to do |task )?list\s*[:,-]\s*(?P<rest>.+)",
        r"(?:put|pop|stick|slot)\s+(?P<rest>\w+\s(?:the|my|our|a|an|his|her|their|up|out|off|back)\s.{2,100}?)\s+(?:in|down)(?=\s+(?:for|on|by|before|at|tomorrow|today|tonight|next|this)\b)(?P<lead>.{2,80})$",
        r"(?P<rest>(?:get\s+(?:(?:the|my|our)\s+)?|have\s+(?:the|my|our)\s+)[\w' -]{2,40}\s+\w{3,}ed)$",
        rf"(?:{TASK})\s*(?::|-|to)\s*{THING}",
        r"(?:put|stick|throw|pop)\s+(?P<rest>.{1,300}?\s+(?:on|onto|in|to)\s+(?:my|the)\s+(?:(?:todo|to-do|to "
        r"do|task)s?\s+)?list\b.{0,200})",
        r"(?:need to|have to|got to|gotta|must|remember to|don't forget to|do not forget to|make sure to|make "
        r"sure i|be sure to)\s+(?P<rest>.{2,300})",
    ),
    *way(
        "need",
        r"(?:i|we)(?:'re|\s+are|'m|\s+am|'ve|\s+have)?\s+(?:(?:also|still|really|just|all|nearly|almost|"
        r"running|run)\s+)*(?:need(?:\s+(?:more|some))?|"
        r"(?:out|low)\s+(?:of|on))\s+(?P<rest>(?!to\b|you\b|help\b|it\b|that\b|this\b|a (?:break|rest|minute|second|"
        r"hand|"
        r"hug|drink|nap|holiday|vacation)\b|time\b|sleep\b|your?\b|him\b|her\b|them\b|advice\b|space\b|"
        r"info)[\w' ,-]{2,60})$",
        sure=0.7,
    ),
    *way(
        "add_task",
        r"add\s+(?P<rest>.+)",
        r"(?P<lead>(?:in|on|at|by|before|after|over|every|each|tomorrow|today|tonight|next|this|first thing|sometime|later|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
        r"(?:\s(?!(?:i|we|he|she|they|you|it|that|said|says|if|when)\b)[\w':]+){0,6}?)[\s,]+(?:i|we)(?:'ve|'ll)?\s+(?:(?:still|really|also|just|definitely|probably)\s+)*"
        rf"(?:(?:need|have|got|ought|want|'d like|would like)\s+to|gotta|must|should)\s+(?P<rest>(?!(?:really |probably |actually |maybe )*(?:have\b|{STATE})|know\b|say\b|go to bed\b|do (?:it|that|this)\b).{{2,300}})",
        r"(?:also\s+)?(?:i|we)(?:'ve|'ll)?\s*(?:(?:still|really|also|just)\s+)?(?:(?:need|have|got|ought|want|'d "
        r"like|would like|am supposed|'m supposed)\s+to|"
        rf"gotta|must|should)\s+(?:(?:probably|really|maybe|actually|just|definitely)\s+)*(?:get\s+to\s+)?(?P<rest>(?!(?:really |probably |actually |maybe )*(?:have\b|{STATE})|know\b|say\b|go to bed\b|do (?:it|that|this)\b|remember (?:something|what|how|this|that)\b|tell you\b).{{2,300}})",
        sure=0.7,
    ),
)
