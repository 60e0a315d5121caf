"""Ways to ask: what is kept: undo, instructions, reminders, lists and notes."""

from __future__ import annotations

from agents.understanding.text.patterns.pattern import LIST_NAME, THING, Pattern, way

PATTERNS: tuple[Pattern, ...] = (
    *way(
        "small_talk",
        r"(?P<clock>what time is it|what's the time|whats the time|what day is it|what(?:'s| is) the date|what "
        r"date is it|"
        r"what(?:'s| is) today's date)\b.{0,20}$",
    ),
    *way(
        "undo",
        r"(?:that|it) was (?:a |my |all )?(?:mistake|wrong|an accident|accidental|my bad)(?P<rest>)\W*$",
        r"(?:(?:ah|oh|no|nah|actually|wait|ok|just)[\s,]+)*(?:leave|keep|have) (?:it|that|them) (?:back\s+)?(?:where|as|how|like|at what|the way) (?:it|they|that) (?:was|were|is)(?P<rest>)\W*$",
        r"(?:(?:scratch|scrap|forget|undo|no|cancel) (?:that|it)[\s,]+)?(?:and\s+)?(?:(?:put|change|move|set) (?:it|that) )?back to (?:how|what|where|the way) (?:it|they) (?:was|were)(?P<rest>)\W*$",
        r"(?:oh no |oops )?i didn't mean to (?:do )?(?:that|it|this)(?P<rest>)\W*$",
        sure=0.97,
    ),
    *way(
        "undo",
        r"(?P<soft>scrap|scratch|forget|never ?mind|disregard|strike|ignore)\s+(?P<rest>(?:that|this|it|that last (?:one|bit|thing)|the last (?:one|bit|thing))"
        r"(?:\s+(?:last one|one|please|actually|then))?)(?:[\s,]*[,.;-]\s*(?:i|i'm|it|it's|there's|still|we|he|she|they|one|not|got)\b[^,.;]{3,60})?$",
        sure=0.97,
    ),
    *way("undo", r"(?:restore|undelete|un-delete|unarchive|un-archive|bring back)\b(?P<rest>.{0,80})", sure=0.97),
    *way(
        "undo",
        r"(?:.{0,40}[\s,])?(?:put|bring|get|change|set)\s+(?P<rest>(?:it|that|them|this|those|both)\s+back)(?: (?:again|please|(?:to )?(?:how|where|what) it was(?: before)?|(?:the way|as|like) it was(?: before)?|on there|on (?:my|the) (?:to-?do )?list)| (?:we|i|they)(?:'ll|'ve)? (?:do |still |actually )*(?:need|want|have)\b.{0,40})?$",
        sure=0.97,
    ),
    *way(
        "note",
        r"(?P<rest>(?!(?:this|that|here)\b)(?:[\w'&-]+\s+){1,3}(?P<category>idea|thought)\s*[:–]\s*.{5,500})",
        r"(?:(?:new|an|another|one more)\s+)?(?P<category>idea|thought)\s+(?P<rest>(?:for|about)\s+.{5,500})",
        r"(?P<category>idea|thought)\s+(?P<rest>(?:we could|we should|i could|what if|maybe|how about|why not|why don't we|perhaps)\s.{5,400})",
        r"(?P<category>question)\s+(?P<rest>(?:for|to)\s+(?:(?:the|my|our)\s+)?[\w' -]{2,30}?\s(?:should|is|are|can|could|do|does|did|will|would|when|why|how|what|which|if|whether|about)\b.{5,400})",
        rf"(?:new|another|random|quick|song|lyric|story|gift|present|book|blog|video|recipe|business|app|design|garden)\s+(?P<category>idea|thought)\b[\s,:-]*{THING}",
    ),
    *way("undo", r"(?:undo|revert|(?:i )?take (?:that|it|them|this) back|un-?do)\b(?P<rest>.{0,80})", sure=0.99),
    *way(
        "undo",
        r"take\s+(?P<rest>(?:just |only )?(?:the|that|my)\s+(?:first|second|third|last|latest|other)(?:\s+(?:one|two|change|bit|thing))?)\s+back$",
        sure=0.97,
    ),
    *way("redo", r"redo\b(?P<rest>.{0,80})", r"undo the undo"),
    *way(
        "instruction_drop",
        rf"(?:forget|drop|remove|delete|cancel|scrap|stop following|ignore|lose)\s+(?:the|my|that|this|"
        rf"your)\s+(?:standing\s+)?"
        rf"(?:rule|instruction|policy)\b(?:\s+(?:about|abt|that|on|for|of|to|saying))?\s*{THING}?",
        r"(?:forget|drop|remove|delete|scrap|ditch|lose|cancel|get rid of)\s+(?P<rest>.{1,100})\s(?:rule|instruction)$",
        r"(?:forget|drop|remove|delete|clear|cancel)\s+(?P<all>all|every(?: one)?)\s+(?:of\s+)?(?:the|my|your|these|those)?\s*(?:standing\s+)?(?:rules?|instructions?)$",
        r"(?:forget|ignore|disregard|never ?mind|scrap|drop)\s+(?:what|everything|anything)\s+i\s+(?:said|told you|asked)\s+(?:about|on)\s+(?P<rest>.{2,100})$",
        r"(?:stop|quit)\s+(?P<rest>(?:asking|checking with|confirming with)\b.{2,100})",
        r"(?:you\s+)?(?:don't|do not|no longer|needn't)\s+(?:need to |have to )?(?P<rest>(?:ask|check with|confirm with)(?: me)?\b.{2,100}?)(?:\s+any\s?(?:more|longer))?$",
        r"you\s+(?:don't|do not|no longer|needn't)\s+(?:need to |have to )(?P<rest>.{3,150}?)(?:\s+any\s?(?:more|longer))?$",
        r"you\s+(?:can|may)\s+(?:now\s+|again\s+)?(?P<rest>.{3,80}\bwithout (?:asking|checking|confirming)\b.{0,40})$",
    ),
    *way(
        "instruction_change",
        r"(?:change|update|edit|replace|rewrite|amend)\s+(?:the|my|that|this|your)\s+(?:standing\s+)?(?:rule|instruction)\b(?:\s+(?:about|abt|on|for|of|saying|that says))?"
        r"\s*(?P<rest>.{0,100}?)\s+(?:to|into|with|so that)\s+(?P<new>.{1,300})",
    ),
    *way(
        "instruction_query",
        r"(?:what|which|list|show|tell)\b.{0,30}\b(?:instructions|rules|standing (?:orders|wishes))",
        r"(?:do|have) i .{0,30}\b(?:instructions|rules)",
    ),
    *way(
        "instruction",
        rf"(?:from now on|from here on|from today on|in (?:the )?future|going forward|henceforth|as a (?:general "
        rf")?rule|"
        rf"as a rule of thumb|by default|for future reference|new rule|standing instruction|rule)\b[\s,:]*{THING}",
        rf"(?:always|never)\s+(?!mind\b){THING}",
        rf"(?:whenever|every time|each time|any time|anytime)\s+(?:i|you|we)\b(?!\s+(?:get|can|have time|feel)){THING}",
        rf"(?:don't|do not)\s+ever\s+{THING}",
        r"(?:if|when)\s+(?:i|you)\s+(?:add|create|book|schedule|ask|say|mention|write|move|delete|plan)\b(?P<rest>.{3,150},\s*(?:please\s+|always\s+)*(?:ask|tell|warn|remind|mark|set|add|use|give|keep|check|put|don't|do not)\b.+)",
        rf"(?:keep|make)\s+(?:your|the)\s+(?:answers?|repl(?:y|ies)|responses?|messages?)\b{THING}",
        r"be\s+(?:more\s+|less\s+|very\s+)?(?:brief|concise|formal|casual|polite|short|funny|serious|chatty|direct)\b(?P<rest>.{0,100})$",
        rf"(?:answer|reply|respond|talk|speak|write)\s+(?:to me\s+)?(?:in|with|like|using|only)\b{THING}",
        r"(?P<rest>.{8,300})\s(?:from now on|in (?:the )?future|going forward|by default)$",
        rf"(?:stop|quit|avoid|no more)\s+(?:using|saying|calling me|sending me|asking me|reminding me|suggesting|scheduling|putting|adding)\s+{THING}",
        rf"(?:i want|i'd like|i would like|i need) you to (?:always|never)\s+{THING}",
        rf"(?:don't|do not)\s+(?:use|say|call me|suggest|schedule anything|book anything|plan anything)\s+{THING}",
        rf"(?:remember|make sure)\s+to\s+always\s+{THING}",
    ),
    *way(
        "remind",
        rf"(?:remind|ping|nudge|bug|poke|prod|pester)\s+me\b{THING}",
        rf"remind\s+(?=(?:to|about|of)\s){THING}",
        rf"tell me to\s+{THING}",
        rf"tell me\s+(?P<lead>(?:on|at|in|tomorrow|tonight|next|this|every)\b.{{0,40}}?)\s+to\s+{THING}",
        rf"(?:set|create|make|add|schedule)\s+(?:up\s+)?(?:an?|and)\s+(?:[\w'-]+\s+){{0,2}}(?:event|alarm|alert|notification)\b(?P<lead>.{{0,60}}?)"
        rf"\s+to\s+remind\s+me\s+(?:to\s+|of\s+|about\s+)?{THING}",
        rf"(?:just\s+)?(?:set|add|create|make|send|give|put)\s+(?:up\s+)?(?:me\s+)?reminders\s+(?:to|for|that|about|of)\s+{THING}",
        r"remind me$|(?:i\s+(?:need|want)\s+(?:to\s+)?)?(?:set|create|make|add)?\s*(?:up\s+)?(?:me\s+)?(?:a|an|"
        r"another|my)?\s*"
        r"(?:new\s+)?(?:reminder|alarm)$",
        rf"(?P<lead>(?:in|on|at|every|tomorrow|tonight|next|this|first thing|later|early|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b.{{0,40}}?)[\s,]+remind\s+me\b{THING}",
        rf"(?P<lead>(?:half an hour|an hour|[\w-]+ (?:minutes|hours|days)|the (?:day|night|evening|morning)) before\b.{{2,60}}?)[\s,]+remind\s+me\b{THING}",
        rf"(?:(?:i|we)(?:'d like| would like| need| want| have to)?\s+(?:to\s+)?)?(?:set|add|create|make|send|get|give|text|email|message|drop|shoot|"
        rf"need|want|put)?\s*(?:up\s+)?(?:me\s+)?(?:a|an|another|my|the)?\s*(?:(?:new|repeating|recurring|event|"
        rf"quick|daily|weekly|monthly|yearly|annual|regular)\s+){{0,2}}(?:reminder|remainder)\b(?:\s+(?:to|for|that|about|of))?\s*"
        rf"(?:me\s+(?:to|of|about)\s+)?{THING}",
        rf"(?:i\s+(?:need|want|would like|'d like)|i'd like)\s+to be reminded\b(?:\s+(?:to|for|that|about|"
        rf"of))?\s*{THING}",
        rf"(?:be sure to|don't forget to|do not forget to|make sure to|make sure you|remember to)\s+remind me\b{THING}",
        rf"(?:(?:set|send|give|create|activate)\s+)?(?:me\s+)?(?:a\s+|new\s+)*(?:notification|notice)\s+(?=(?:for|of|about|on|before)\s){THING}",
        r"let me know (?:of|about)\s+(?:the|my|our)\s+(?P<rest>.{3,200}\b(?:on|at|in|tomorrow|tonight|today)\b.{0,60})",
        rf"remember me to\b{THING}",
        rf"(?:notify|alert|warn)\s+me\b(?!\s+with)(?:\s+(?:to|that|about|of))?\s*{THING}",
        r"let me know\s+(?P<rest>(?:on\s+)?the (?:morning|day|evening|night) (?:of|before)\s+(?:the|my|our)\s.{3,200})",
        r"(?P<rest>.{4,200}?)(?<![\s,])[\s,]+(?:so\s+|and\s+|please\s+|can you\s+){0,4}remind me(?: please)?$",
        rf"reminder(?:\s+to|\s*:)\s*{THING}",
        r"(?:set|create|add|make|put|start|i need|i want|i'd like|i would like)\s+(?:me\s+)?(?:up\s+|on\s+)?(?:an?\s+|"
        r"my\s+|the\s+)?(?P<rest>(?:wake[- ]up )?(?:alarms?|call\b(?= (?:at|for)\b))(?: set)?\b.{1,100})",
        r"(?P<rest>alarms?\s+(?:for\s+|at\s+|on\s+|in\s+|set\s+)?(?:\d|noon|midnight|half|quarter|tomorrow|every|mon|tue|wed|thu|fri|sat|sun|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve).{0,80})$",
        r"(?:i(?:'ve got| want| need| have| must)(?: to)?\s+)?(?:wake|get) up\b(?! to\b)(?P<wake>(?=.*\d|.*\b(?:at|by|for|o'clock|half|quarter)\b).{1,80})$",
        r"wake me(?: up)?\b(?P<wake>.{1,80})",
        rf"don't let me forget\b{THING}",
        rf"give me a (?:shout|nudge|reminder)\b{THING}",
        sure=0.97,
    ),
    *way(
        "reopen",
        r"(?:put|stick|get|bring|pop)\s+(?P<rest>.{2,80}?)\s+back\s+(?:up\s+)?(?:on|onto|in|into)\s+(?:my|the)\s+(?:(?:to-?do|to do|task)s?\s+)?(?:list|tasks|to-?dos)$",
        sure=0.95,
    ),
    *way(
        "list_query",
        r"(?:so\s+|and\s+)?what(?:'s| is| was)?(?: else)?(?: (?:do|did|should|must|have) (?:i|we)(?: still)?(?: need| have| want| got)?| left| still(?: left)?| there(?: still)?)*(?: to| should i| shall i| must i| should we) "
        r"(?P<buying>buy|get|pick up|grab)(?: (?:at|from|in) the (?:shops?|stores?|supermarket|market))?(?: today| now| again| tonight| still)*$",
        r"what (?:else )?(?:do|did) (?:i|we) (?:still )?(?:need|want|have)(?: to (?:get|buy|pick up|grab|pack|bring|take))? (?:from|at|for)\s+(?:the |my )?(?P<list>[\w' -]{2,40})$",
        rf"(?:what's|whats|what is|what was|what were|what are|what (?:have|do|did) (?:i|we)(?: got| have| put)?|what've (?:i|we) got|show(?: me)?|read(?: me)?|tell me|check)\b.{{0,20}}\b(?:on|"
        rf"in)\s+(?:my|the|our)\s+"
        rf"(?!todo|to-do|to do|task|list\b){LIST_NAME}(?:\s+(?:so far|already|again|now|at the moment|right now))?$",
        r"(?:show|read|open|list|check|display|give)(?: me| out| back)?\s+(?:my|the|our)\s+(?P<list>(?!todo|"
        r"to-do|to do|task)[^,.;]{2,30}\s)list$",
    ),
    *way(
        "list_remove",
        rf"(?:remove|take|delete|cross|strike|scratch|tick|untick|uncheck|drop|scrap|ditch|lose|pull|bin|nix|erase|kill|get rid of|"
        rf"check|cancel)\s+(?:off\s+|out\s+)?(?P<items>.{{1,200}}?)\s+(?:off(?: of)?|from|on)\s+"
        rf"(?:my|the|our)\s+(?!todo|to-do|to do|task){LIST_NAME}$",
    ),
    *way(
        "list_remove",
        r"(?:take|cross|scratch|strike|tick|check)\s+(?P<items>.{1,60}?)\s+off(?:\s+(?:it|there|that))?(?:,\s+(?:i |we )?(?:already |just )?(?:got|have|bought|found|don't need)\b.{0,30})?$",
        r"(?:remove|take off|cross off)\s+(?P<items>(?!.*\b(?:from|on|off)\b)[\w' -]{2,60})$",
    ),
    *way(
        "list_create",
        r"(?:start|make|create|begin|add|set up|write)(?:\s+me)?\s+(?:(?:a|an|my|the)\s+|(?!(?:a|an|my|the)\s))(?:new\s+|(?!new\s))(?P<title>(?!todo|to-do|to do|task)(?:[\w'-]+\s){1,3}list\s+for\s+[\w' ]{2,30}?)\s*(?::|\s-)\s*(?P<items>.+)$",
        r"(?:start|make|create|new|add)\s+(?:(?:a|the|new)\s+){0,2}list\s+(?:called\s+|named\s+)?[\"“'](?P<list>[^\"”']{2,40})[\"”']\s*[:,-]?\s*(?:with\s+)?(?P<items>.+)$",
        r"(?:start|make|create|begin|new|add|set up)(?:\s+me)?\s+(?:(?:a|the|new)\s+){0,2}list\s+(?:called\s+|named\s+|of\s+|for\s+)?(?:(?:the|my|our)\s+)?"
        r"(?P<list>[\w' -]{2,40}?)\s*:\s*(?P<items>.+)$",
        rf"(?:start|make|create|begin|add|new|set up)(?:\s+me)?\s+(?:(?:a|an|my|the)\s+)?(?:new\s+)?(?!todo|"
        rf"to-do|to do|task)(?!.{{0,60}}\b(?:to|on|onto)\s+(?:my|the|our)\b){LIST_NAME}"
        rf"(?:\s*:\s*|\s+(?:with|of|for|containing|that has)\s+|\s+-\s+)(?P<items>.+)$",
        r"(?:put|add|write)\s+(?P<items>.{1,300}?)\s+(?:on|to|onto|in)\s+(?:a|an)\s+(?:new\s+)?(?P<list>(?!todo|to-do|task)[\w' -]{2,30}\s)list$",
        r"(?P<list>(?!todo|to-do|to do|task|my\b|the\b|one\b|another\b|here's\b)[\w' -]{2,30}\s)list\s*:\s*(?P<items>.+)$",
        r"(?P<title>(?!todo|to-do|to do|task|my\b|the\b|one\b|another\b)(?:[\w'-]+\s){1,3}list\s+for\s+[\w' ]{2,30}?)\s*(?::|\s-)\s*(?P<items>.+)$",
        r"(?P<list>(?!todo|to-do|to do|task|my\b|the\b|one\b|another\b|here's\b)(?:[\w'-]+\s){1,3})list\s+-\s+(?P<items>.+,.+)$",
        r"(?P<title>(?!(?:add|put|get|buy|need)\b)(?:[\w'-]+\s){0,2}(?:things|books|films|movies|shows|series|places|gifts|presents|songs|albums|podcasts|recipes|games|people|guests|"
        r"restaurants|stuff|ingredients|supplies|bits)(?:\s(?:to|for|i|we|from|at)\s[\w' ]{2,30})?)\s*(?::|\s-)\s*(?P<items>.+,.+)$",
    ),
    *way(
        "list_add",
        rf"(?:add|put|throw|stick|chuck|pop)\s+(?P<items>.{{1,500}}?)\s+(?:to|on|onto|in|into)\s+(?:my|the|our)\s+"
        rf"(?!todo|to-do|to do|task|calendar){LIST_NAME}(?:\s+please)?$",
    ),
    *way(
        "note",
        rf"(?:make|take|add|save|create|leave|jot down|jot|write|write down|record|"
        rf"keep)(?:\s+me)?(?:\s+down)?\s+(?:this\s+(?:down\s+)?as\s+)?"
        rf"(?:(?:a|an|another|this|my|the)\s+)?(?:quick\s+|new\s+|following\s+)?(?P<category>note|idea|thought|"
        rf"question)\b(?:\s+(?:that|about|of|saying|to self|"
        rf"for later|down|would you))*[\s,:-]*{THING}",
        rf"(?:stick|pop|put|drop|leave|get|enter)\s+(?:me\s+)?(?:a|another)\s+(?:quick\s+|little\s+)?(?P<category>note|thought)\s+(?:(?:in|down|in there)\s+)?(?:that|saying|about)\s+{THING}",
        rf"take this down(?:\s+as\s+(?:a|an)\s+(?P<category>note|idea|thought|question))?(?:,?\s*would you|"
        rf",?\s*please)?[\s,:-]*{THING}",
        rf"(?:journal|diary|log|logbook)(?:\s+entry)?\s*[:–-]\s*{THING}",
        rf"(?P<category>note|idea|thought|question)(?:\s+to self|\s+for (?:later|the future|another day|next time))?\s*[:-]\s*{THING}",
        r"(?P<rest>(?P<category>note|idea|thought|question)\s+(?:for|to|re|about|on)\s+(?!self\b)[\w' ]{2,30}\s*:\s*.{3,500})",
        rf"(?P<category>note|idea|thought|question)\s+(?:to self|for my notes|for later|for the notes)[\s,:-]*{THING}",
        rf"(?:remember|keep in mind|bear in mind|don't forget|for the record)\s+that\s+(?!time\b|one\b|i'm\b|i am\b|i live|i work|i like|i love|i study|my name){THING}",
        rf"(?:please\s+)?(?P<category>note)\s+(?:to self\b|that\b|down\b)[\s,:-]*{THING}",
        r"(?:please\s+)?(?P<category>note)\s+(?P<rest>(?:the|my|our|his|her|he|she|they|we|it|there)\b(?:\s\S+){1,12}?\s(?:is|are|was|were|has|have|had|will|can|can't|said|needs|costs)\s.+)",
        rf"(?:please\s+)?put\s+(?:it\s+)?down\s+that\s+{THING}",
        rf"(?:write|jot|scribble|scrawl|type)\s+(?:down|this down|that down)\s*[:,-]?\s*(?:that\s+)?{THING}",
        r"(?:i(?:'ve| have)? )?(?:just )?(?:had|have|got)\s+an?\s+(?P<category>idea|thought)\s+(?P<rest>(?:maybe|what if|we could|why don't we|how about|perhaps|i could)\s.{5,400})",
        rf"i(?:'ve| have)? (?:just )?(?:had|have|got)\s+an?\s+(?P<category>idea|thought)\s*[:,-]\s*{THING}",
    ),
    *way(
        "note_query",
        r"(?:what|which|show|list|read|how many|do i have|have i got|did i (?:save|write|keep)|"
        r"any)\b.{0,20}\b(?P<category>notes|ideas|thoughts|questions|"
        r"lists)\b(?P<rest>.{0,200})",
    ),
)
