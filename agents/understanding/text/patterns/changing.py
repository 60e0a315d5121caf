"""Ways to ask: changes of what is there, and appointments; what a machine in the house should do comes first."""

from __future__ import annotations

from agents.understanding.text.patterns.pattern import CALENDAR, TASK, THING, Pattern, way

OCCASION = r"(?:appointment|appt|meeting|mtg|lunch|dinner|breakfast|brunch|haircut|rehearsal|viewing)"
NAMED = (
    r"(?:appointment|appt|meeting|mtg|lunch|dinner|breakfast|brunch|coffee|interview|conference|session|haircut|"
    r"checkup|lesson|rehearsal|reservation|viewing|party|date|get-together|catch-?up|call)"
)

SPOT = (
    r"(?:room|floor|hall|hub|suite|office|park|studio|center|centre|building|school|church|library|cafe|restaurant|"
    r"field|house|clinic|gym|zoom|annex|theater|theatre|lab)"
)

PATTERNS: tuple[Pattern, ...] = (
    *way(
        "out_of_scope",
        r"(?:tell|give|find|get|read|order|bring|send|provide)\s+me\b(?!.{0,40}\b(?:task|tasks|todo|list|"
        r"calendar|schedule|agenda|meetings?|events?|appointments?|"
        r"notes?|reminders?|day|week|plan)\b)",
        r"(?:turn|switch|dim|set|increase|decrease|lower|raise|change|make|adjust|put|start|stop|play|pause|"
        r"skip)\s+.{0,40}\b(?:lights?|lamp|volume|tv|television|"
        r"speakers?|heat|heating|temperature|thermostat|tone|brightness|music|song|radio|podcast|playlist|"
        r"audiobook|vacuum|language|accent|voice|speed)\b",
        r"(?:i|we)\s*(?:need|want|would like|'d like|wanna)\s+(?:to\s+)?(?:know|hear|find out|be told|listen|watch)\b",
        r"(?:i|we)\s*(?:need|want|would like|'d like)\s+(?:you|your|info|information)\b(?! to (?:remind|add|"
        r"schedule|book|delete|mark|move|note))",
        r"(?:play|convert(?!.{0,80}\b(?:task|todo|to-do|event|note|idea|habit|reminder)\b)|calculate|compute|repeat|"
        r"translate|google|tweet|whisper|talk|speak|"
        r"sing)\b(?!.{0,60}\b(?:task|list|calendar)\b)",
        sure=0.85,
    ),
    *way(
        "delete_all",
        rf"\bjust\s+(?:delete|clear|erase|wipe|cancel)\s+(?:everything|all(?:\s+of)?\s+(?:my|"
        rf"the)\s+(?P<kind>{TASK}|events?|meetings?|notes?|lists?|reminders?))",
        anywhere=True,
    ),
    *way(
        "delete_all",
        rf"(?:just\s+)?(?:delete|remove|clear|erase|wipe|cancel|drop|trash|get rid of|throw out|dump|nuke)(?:\s+out)?\s+(?:everything|"
        rf"(?:every(?:\s+single)?(?=\s+(?:{TASK}|event|meeting|appointment|note|list|reminder)\b)|all(?:\s+of)?)\s+(?:my|the|of)?\s*(?P<kind>{TASK}|events?|"
        r"meetings?|appointments?|notes?|lists?|reminders?|stuff|things|them)?|my (?:entire|"
        r"whole)\s+(?P<whole>calendar|list|task list|schedule)|"
        r"my (?P<emptied>calendar|task list|todo list|to-do list|schedule))\b(?P<rest>.{0,80})",
    ),
    *way(
        "delete_all",
        r"(?:completely\s+)?(?:clear|wipe|empty|erase|blank)(?:\s+out)?\s+(?:my\s+|the\s+|our\s+)?(?:whole\s+|"
        r"entire\s+)?(?P<emptied>calendar|schedule|agenda|day|week|weekend|afternoon|morning|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|to-do list|todo "
        r"list|to do list|task list|tasks)\b(?P<rest>.{0,80})",
    ),
    *way(
        "delete_all",
        r"(?:clear|free up|wipe)(?:\s+(?:all of|the whole of|everything (?:on|from)))?\s+(?P<rest>(?:today|tonight|tomorrow|tmrw|this|next|on|"
        r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\b(?:\s+(?:morning|afternoon|evening|week|weekend|month|night))?)$",
    ),
    *way(
        "convert",
        r"(?:make|turn|convert|change|move)\s+(?P<rest>.{2,200}?)\s+(?:into|to|in)?\s*(?:a|an)\s+(?P<to>task|todo|"
        r"to-do|to do|"
        r"chore|habit|reminder|event|appointment|meeting|note|idea|thought|question)\b(?:[\s,]+(?P<more>.{1,100}))?$",
    ),
    *way(
        "reopen",
        r"(?:reopen|re-open|untick|uncheck|un-check|un-tick)\s+(?P<rest>.{1,200})",
        r"(?:set|put|change|mark|move|switch)\s+(?P<rest>.{1,200}?)\s+(?:back\s+)?(?:to|"
        r"as)\s+(?:not\s+(?:started|done|finished|complete)|open|undone|unfinished|to do)\b",
    ),
    *way(
        "start",
        r"(?:set|put|change|mark|move|switch)\s+(?P<rest>.{1,200}?)\s+(?:to\s+|as\s+)?(?:in[ -]progress|started|"
        r"underway|ongoing)\b",
        r"i(?:'ve| have)?\s+(?:just\s+|already\s+|finally\s+)*(?:started|begun)\s+(?!(?:work(?:ing)?\s+)?(?:as|at)\b|a (?:new )?job\b)(?:on\s+|with\s+|working on\s+)?(?P<rest>.{1,200})",
        r"(?:just\s+)?(?:started|began|begun|working)\s+on\s+(?P<rest>.{1,200})",
        r"(?!what\b|which\b|who\b)(?P<rest>[\w' -]{2,80}?)\s+(?:is|are)\s+(?:now\s+|already\s+)*(?:in[ -]progress|underway|under way)$",
        r"i(?:'m| am)\s+(?:now\s+|currently\s+)?(?:working on|in the middle of|halfway through|partway through)\s+(?P<rest>.{1,200})",
    ),
    *way(
        "complete",
        r"(?:(?:and|that's|thats|that one's|that is|it's|it is|all)\s+)*(?:done|finished|completed|sorted)(?:\s+(?:it|that|this|now|already))*(?P<rest>)$",
        r"(?:i(?:'ve)?\s+)?(?:just\s+|already\s+)?(?:did|done)\s+(?:it|that|this|that one)(?:\s+(?:now|already|just now|earlier|today))*(?P<rest>)$",
        r"(?!put\b.*\boff\b)(?:mark|check|tick|cross|set|put)\s+(?:off\s+)?(?P<rest>.{1,200}?)\s+(?:as\s+|off\s+as\s+|"
        r"to\s+)?(?:done|complete[d]?|finished|off)\b(?!\s+list)",
        r"mark\s+(?P<rest>.{1,200}?)\s+(?:as\s+)?(?:paid|sent|bought|submitted|ordered|booked|called|returned|filed|posted|handled|sorted|cleaned|picked up|taken care of)$",
        r"(?:tick|check|cross|knock|strike|scratch)\s+(?P<rest>(?:the|my|that)\s.{2,80}?)\s+off(?:\s+(?:my|the|our)\s+(?:to-?do\s+)?list)?$",
        r"(?:tick|check|cross)\s+off\s+(?P<rest>.{1,200})",
        r"(?:tick|check)\s+(?P<rest>it|that|this|them|that one|this one)$",
        r"(?:take|cross|strike|scratch|knock)\s+(?P<rest>it|that|this|them|that one|(?:(?:them|those) )?(?:both|two)|those|all (?:three|of them))\s+off\b(?:\s+(?:of\s+)?(?:my|the)\s+.{0,20}list)?$",
        r"close\s+(?:off\s+|out\s+)?(?P<rest>it|that|this|them|(?:that|this) (?:one|task))(?:\s+(?:off|out|now))*$",
        rf"complete\s+(?:the\s+|my\s+)?(?:{TASK}\s+)?(?P<rest>.{{1,200}})",
        r"i(?:'m|\s+am)\s+(?:all\s+|finally\s+|now\s+)?(?:done|finished|through)\s+with\s+(?P<rest>.{1,200})",
        r"(?:i\s+)?(?:just\s+|already\s+)?did\s+(?P<rest>(?!you\b|i\b|we\b|he\b|she\b|they\b|it\b|that\b)[\w' -]{2,40}?)(?:\s+(?:today|already|this morning|just now|earlier|last night|yesterday))+$",
        r"(?:all\s+)?(?:done|finished)\s+(?:with\s+|:\s*)?(?P<rest>.{2,200})",
        r"(?:also |already |finally |just )*(?:did|ticked off|wrapped up|knocked out|took care of|sorted|paid|sent|bought|"
        r"submitted|mailed|posted|returned|called|emailed|picked up|dropped off|cleaned|washed|fixed|filed)\s+(?P<rest>(?:the|my|that|our)\s.{2,200})",
        r"i(?:'ve|\s+have)?\s+(?!.*\bas a (?:hobby|pastime)\b)(?:just\s+|already\s+|finally\s+|now\s+|also\s+)*(?:finished|completed|done|did|sorted|"
        r"ticked off|wrapped up|knocked out|"
        r"sent|paid|bought|called|emailed|submitted|returned|booked|cleaned|washed|ordered|filed|posted|picked "
        r"up|dropped off)\s+(?P<rest>.{2,200})",
        r"(?!i'm\b|im\b|i am\b|we're\b)(?P<rest>.{2,200}?)(?:\s+(?:is|are|was|were|task is|got)|'s|"
        r",)?\s+(?:all\s+|now\s+|finally\s+|"
        r"already\s+)*(?:done|finished|complete|completed|sorted|behind me)(?:\s+now|\s+already|\s+too|\s+at last)?$",
    ),
    *way("archive", r"archive\s+(?P<rest>.{1,200})"),
    *way(
        "snooze",
        r"(?:snooze|hide)\s+(?P<rest>.{1,200})",
        r"(?:pause|park|shelve|leave)\s+(?P<rest>.{1,120}\s(?:until|till|til|for)\s.{2,40})$",
    ),
    *way(
        "move",
        r"(?:make|set|put|change)\s+(?P<rest>it|that)\s+(?:to\s+|at\s+|for\s+|on\s+)?(?P<to>(?:\d{1,2}[:.]\d\d|\d{1,2}\s?[ap]m|noon|midnight|half \w+|quarter (?:past|to) \w+|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow)\b.{0,20})$",
        r"(?:start|begin|have|hold)\s+(?P<rest>it|that|this)\s+(?:at|from)\s+(?P<to>.{1,30})$",
        r"(?:can|could)\s+(?P<rest>(?!(?:i|you|we|u|they|he|she|it|that|there)\b)[\w' ]{2,60}?)\s+(?:start|be|begin|happen)\s+(?:at|on|to|from)\s+(?P<to>.{1,40}?)(?:\s+instead)?$",
        r"(?:reschedule|rebook)\s+(?P<rest>.{2,120}?)\s+for\s+(?P<to>.{2,60})$",
        r"(?:give|allow)\s+(?P<rest>it|that|this|them|(?:the|my)\s.{2,80}?)\s+(?:until|till|til)\s+(?P<to>.{2,40})$",
        r"(?:push|postpone|delay|defer|shift)\s+(?P<rest>.{2,100}?)(?<!\bhalf)(?<!\bback)(?<!\bby)(?<!forward)(?<!\bup)(?<!\bout)(?<!\bto)\s+(?P<by>(?:an?|half an|\d+|one|two|three|four|five|a few|a couple of|another)\s+(?:hours?|minutes?|mins?|days?|weeks?|months?))$",
        r"(?:move|reschedule|push|postpone|shift|delay|bring|defer|pull)\s+(?P<rest>.{1,300})",
        r"(?:swing|slide|nudge|shunt|knock|kick|shove|scoot|slip|drag)\s+(?!.*\b(?:down|up|off)\b)(?P<rest>(?:the|my|our|it|that|this|[\w' -]{2,60}?'s)\b.{0,120}?\s(?:to|back|forward|by|until|till|on)\s.{1,60})",
        r"(?:they|he|she|we|[a-z]+)\s+(?:need|needs|want|wants|have|has|had|would like|asked)\s+(?:me\s+)?to\s+(?:move|reschedule|push|shift|postpone|change)\s+(?:me|us|my (?:appointment|slot|booking)|(?P<rest>it|that|this))(?P<when>\s.{2,80})",
        r"(?:make|do|have|start|hold)\s+(?P<rest>.{2,200}\s(?:earlier|later|sooner)(?:\s(?:today|tonight|tomorrow|this week|on \w+day))?)$",
        r"(?:make|do|have|start|hold)\s+(?P<rest>.{2,80}?)\s+(?:at|on)\s+(?P<to>.{1,40}?)\s+(?:instead|rather)(?:\s+of\b.{1,40})?$",
        r"(?P<rest>(?:(?:the|my|our)\s+)?[\w' -]{2,80}?\s+(?:is|are|starts|begins|will be|(?:is|are) coming|wants? to (?:come|start|meet)|needs? to (?:come|start|meet))\s+(?:an?|half an?|\d+|one|two|three|ten|fifteen|twenty|thirty)\s+(?:hours?|minutes?|mins?)\s+(?:earlier|later|sooner))(?:\s+(?:now|then|this time|please|today|tomorrow|on \w+day))*$",
        r"(?!(?:(?:and|so|but|now),?\s+)?(?:what\s+if|if|suppose|supposing|imagine|assuming|pretend)\s)"
        r"(?:.{0,80}\s)?(?:they|he|she|we|\w+)(?:'ve|'s|\s+have|\s+has)?\s+(?:had\s+to\s+)?(?:moved|pushed|rescheduled|shifted|changed|swapped|switched|postponed|delayed|extended|put off|put back|brought)\s+(?P<rest>(?:our|my|the|[\w-]+'s)\s.{2,120}?\s(?:to|until|by|back|forward)\s.{1,60})",
        r"bump\s+(?P<rest>.{1,200}\s(?:to|until|by|back|forward)\s(?!high|low|medium|top).{1,60})",
        r"(?P<rest>.{2,100}\s(?:got|has been|was|is being|is|has|been)\s+(?:pushed|moved|rescheduled|shifted|delayed|bumped|changed(?= to\b)|switched(?= to\b)|"
        r"brought|postponed|put (?:back|off|forward)|knocked back)\s.{1,100})",
        r"(?P<rest>.{2,60}\s(?:pushed|moved|rescheduled|shifted|delayed|brought|postponed)\s+(?:(?:back|forward|out)\s+)?(?:to|until|till|by)\s.{1,60})",
        r"(?P<rest>.{2,100}\s(?:now\s+starts|starts\s+now|is\s+now|now\s+begins|moved|starts)\s+(?:at\s+|to\s+|"
        r"it's\s+|its\s+)?.{1,100})",
    ),
    *way(
        "relocate",
        r"(?:change|set|update|make|switch|move|put)\s+(?:the\s+)?(?:location|place|venue|room|address)\s+(?:of|for)\s+(?P<rest>.{2,100}?)\s+(?:to|as|is)\s+(?P<place>.{2,80})",
        r"(?:change|set|update|make|switch)\s+(?P<rest>.{2,80}?)'s\s+(?:location|place|venue|room|address)\s+(?:to|as)\s+(?P<place>.{2,80})",
        rf"(?P<rest>(?:the|my|our)\s.{{2,80}}?|[\w'-]+(?:\s[\w'-]+){{0,4}}?)\s+(?:is|are|will be)\s+(?:now\s+)?(?:at|in|on)\s+(?P<place>(?:the\s+)?(?:[\w'-]+\s+){{0,4}}{SPOT}\b(?:\s+(?!now|instead|this|next|on|only|just|for|today|tomorrow)\w+)?)(?:\s+(?:now|instead|this week|today|tomorrow|tonight|just|only|(?:(?:on|this|next|for)\s+)+\w+(?:day|week|time)))*$",
        rf"(?:move|switch|shift|change)\s+(?P<rest>.{{2,100}}?)\s+(?:to|into|over to)\s+(?P<place>(?:the\s+)?(?:[\w'-]+\s+){{0,3}}?{SPOT}\b(?:\s+\w{{1,3}})?)(?:\s+(?:please|instead))*$",
        sure=0.95,
    ),
    *way(
        "update",
        r"(?P<rest>(?:the\s+|my\s+)?[\w' -]{2,80}?\s+(?:takes|will take|needs|should take|"
        r"is going to take)\s+(?:only\s+|just\s+|about\s+|around\s+|"
        r"roughly\s+)*(?:\d|an?\b|half|one|two|three|four|five|ten|fifteen|twenty|thirty|forty|"
        r"ninety)[\w .-]{0,30}\b(?:minutes?|mins?|m|hours?|hrs?|h|"
        r"days?))$",
        r"(?P<rest>(?:the |my )?(?:estimate|deadline|due date|priority|difficulty)\s+(?:for|of|on)\s+.{2,100}?)\s+(?:is|should be|will be|has to be)\s+(?:now\s+)?(?P<more>.{2,60})$",
        r"(?:knock|cut|bring|get|take|pull|put|bump)\s+(?P<rest>.{2,200}?)\s+(?:down|up)\s+(?=to\s+(?:\d|an?\b|half|one|two|three|high|medium|low|easy|hard))(?P<more>.{2,60})$",
        r"(?P<rest>(?:(?:the|my|our)\s+)?[\w' -]{2,80}?)\s+(?:is|are|runs|will be|will run|takes|got|gets)\s+(?:now\s+)?(?P<more>[\w ]{1,30}?(?:minutes?|mins?|hours?|hrs?)\s+(?:longer|shorter))(?:\s+(?:now|this time|today|tomorrow))?$",
        r"(?P<rest>(?:(?:the|my|our)\s+)?[\w' -]{2,60}?)\s+(?:now\s+)?(?:ends|finishes|is over|(?:runs|goes on|goes|lasts|is on) (?:until|till|til)|will (?:end|finish|run until|go on until))\s+(?:now\s+)?(?P<more>(?:at\s+)?(?:\d|noon|midnight|half|quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve).{0,24})$",
        r"(?:set(?! (?:up|aside)\b)|raise|lower|upgrade(?=.{1,80}\bto\b)|downgrade|promote|demote|bump|increase|drop|give|make|mark|change|update|edit|rename|call|extend|shorten|"
        r"lengthen|prolong|cut|trim|reduce|"
        r"rate|swap|turn|allow)\s+(?P<rest>.{1,300})",
    ),
    *way(
        "delete",
        r"(?:delete|remove|cancel|scrap|get rid of|call off|erase|trash|bin|ditch|lose|never ?mind(?: about)?(?= (?:the|my|that|our) \w+ \w)|forget about|forget|"
        r"kill|nix|axe|nuke|dump|take out|scratch|skip|drop(?! off\b))\s+(?P<rest>.{1,200})",
        r"take\s+(?P<rest>it|that|this|them|that one)\s+out$",
        rf"(?:take|get|pull|strike)\s+(?P<rest>.{{2,100}}?)\s+(?:off|out)\s+(?:of\s+)?(?:my|the|our)\s+{CALENDAR}",
        r"i (?:don't|do not|no longer) (?:need|want) (?P<rest>(?:the|my|that)\s.{2,100}?)\s+any ?more$",
        r"i (?:don't|do not) (?:need|have|want) to (?P<rest>.{2,100}?)\s+(?:any ?more|any longer)$",
        r"(?:there's |there is )?no (?:more )?need (?:for|to) (?P<rest>.{2,100}?)(?:\s+any ?more|\s+any longer|\s+now)$",
        r"i no longer (?:need|have|want) to (?P<rest>.{2,100})$",
        r"i no longer (?:need|want) (?P<rest>(?:the|my|that)\s.{2,100})$",
        r"(?P<rest>.{2,100}?)(?:\s+(?:is|are|was|has been|got)|'s)\s+(?:off|cancelled|canceled|called off)$",
        r"(?:turn|switch)\s+off\s+(?P<rest>.{0,60}\b(?:alarms?|reminders?)\b.{0,60})",
    ),
    *way(
        "schedule",
        rf"(?:schedule|set up|pencil in|lock in|"
        rf"calendar)\s+(?:in\s+)?(?:me\s+)?(?:in\s+)?(?:for\s+)?{THING}",
        r"enter\s+(?P<rest>.{3,200}\b(?:on|at|for|from)\s.{2,100})",
        r"(?:put|pop|pencil|stick|slot)\s+(?:me\s+)?(?P<rest>.{2,100}?)\s+(?:in|down)\s+(?P<lead>(?:for|on|at|from|tomorrow|today|tonight|next|this)\b.{2,80})$",
        r"(?P<lead>(?:every|each|on|tomorrow|next|this)\b.{0,40}?)[\s,]+(?:put|add|schedule|book)\s+(?P<rest>.{2,120}\b(?:calendar|diary|agenda|schedule)\b.{0,80})",
        r"(?:do|have|hold)\s+(?P<rest>(?:a|an)\s.{2,120}\s(?:on|at|tomorrow|next|this)\s.{1,80})",
        r"block(?:\s+(?:off|out))?\s+(?P<rest>.{1,300})",
        r"(?:set aside|put aside|carve out|reserve)\s+(?P<rest>(?:some\s+)?(?:time|\d|an?\b|one|two|three|four|half|thirty|forty|ninety|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|this|next).{3,200})",
        rf"(?:add|put|create|make|new|enter|stick|pop|get)\s+(?P<rest>.{{1,300}}?\s+(?:on|in|to|into|onto|"
        rf"for)\s+(?:my|the|our)\s+{CALENDAR}\b.{{0,200}})",
        rf"(?:add|put|create|make|new)\s+(?:a|an|another|the)?\s*(?:new\s+)?(?:(?:recurring|"
        rf"repeating)\s+)?(?:event|appointment|appt)\b\s*(?:to|for|called|:|with)?\s*{THING}",
        r"(?:add|put|create|make|new)\s+(?:a|an|another|the)?\s*(?:new\s+)?(?P<rest>(?:meeting|mtg)\b.{1,300})",
        r"(?:event|appointment|meeting)\s*:\s*(?P<rest>.{1,300})",
        r"put\s+(?P<rest>.{1,200}\s+in\s+there\b.{0,200})",
        rf"mark\s+(?:it\s+)?(?:on\s+|in\s+)?(?:my|the|our)\s+{CALENDAR}\s+(?:for|that|with)\s+{THING}",
        rf"(?:add|put|enter|make|create)\s+(?:a|an)\s+{CALENDAR}\s+entry\s+(?:for|that|about)\s+{THING}",
        rf"(?:add|put|enter)\s+(?:to|on|in|into)\s+(?:my|the|"
        rf"our)?\s*(?:\w+day(?:'s)?\s+)?{CALENDAR}\b(?:\s+that)?\s+{THING}",
        rf"(?:in|on)\s+(?:my|the|our)\s+{CALENDAR}\s+(?:put|add|enter|write)(?:\s+that)?\s+{THING}",
        rf"(?:add|put|create|enter|set)\s+(?P<rest>.{{2,200}}?\s+(?:on|in|to|into|"
        rf"for)\s+(?:\w+day's\s+)?{CALENDAR}\b.{{0,100}})",
        rf"(?:i|we)(?:'d like| would like| need| want| have)\s+to\s+(?:add|put|schedule|book|enter)\s+"
        rf"(?P<rest>.{{2,200}}\b{CALENDAR}\b.{{0,100}})",
        rf"(?:set|make|create|add|put|hook\s+up|fix|enter)\s+(?:up\s+)?(?:me\s+)?(?P<rest>(?:(?:a|an|"
        rf"another)\s+(?:[\w'-]+\s+){{0,3}}?{NAMED}|"
        rf"{OCCASION})\b.{{0,200}})",
        rf"(?:i|we)\s+(?:need|want|would like)\s+(?P<rest>(?:a|an)\s+(?:[\w'-]+\s+){{0,2}}?{NAMED}\s+(?:with|on|at|"
        rf"for|tomorrow|next)\b.{{0,200}})",
        r"(?P<rest>(?:i have|we have|there(?:'s| is)|my|our|it's)\s.{4,160}?)[\s,]+(?:please\s+)?(?:set|make|create|put)\s+(?:up\s+)?"
        r"(?:(?:the|an?|it as an?)\s+)?(?:event|appointment)$",
    ),
    *way(
        "schedule",
        rf"(?:book(?!\s+(?:club|fair|launch|signing|shop|group|sale|week)\b)|arrange|plan|organi[sz]e)\s+(?:in\s+)?(?:me\s+)?(?:in\s+)?(?:for\s+)?{THING}",
        sure=0.7,
    ),
)
