"""Steps for things made, shown and set up."""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str], ...] = (
    (
        "pitch|present",
        "X",
        (
            "Write the one thing {x} should leave behind | Make five slides for {x} | Practise {x} aloud twice | "
            "Check the room for {x}"
        ),
    ),
    (
        "plan|prepare|run",
        "X(campaign|launch|event|fundraiser|sale|exhibition|show|fair|open day)",
        (
            "Write the goal of {x} | Fix date and budget of {x} | List who does what for {x} | Announce {x} | "
            "Check everything a day before {x}"
        ),
    ),
    (
        "edit|cut|mix|master",
        "X(video|footage|track|tracks|album|photos|episode|audio|recording|reel|trailer)",
        (
            "Copy the raw material of {x} | Choose the best parts of {x} | Make a rough cut of {x} | "
            "Fix sound and colour of {x} | Export {x}"
        ),
    ),
    (
        "knit|sew|crochet|quilt|embroider",
        "X",
        (
            "Choose the pattern for {x} | Get yarn or fabric for {x} | Make a test piece for {x} | "
            "Work on {x} row by row | Finish the edges of {x}"
        ),
    ),
    (
        "hem|alter|tailor",
        "X",
        (
            "Try {x} on and pin it | Measure {x} twice | Sew {x} with a loose stitch | Try {x} on again | "
            "Finish and iron {x}"
        ),
    ),
    (
        "restore|refinish|upcycle|reupholster",
        "X",
        (
            "Take a picture of {x} | Take {x} apart | Clean every part of {x} | Repair what is broken on {x} | "
            "Put {x} together again"
        ),
    ),
    (
        "frame|print",
        "X(photos|pictures|poster|posters|portfolio|artwork|invitations|programmes|flyers)",
        ("Choose size and paper for {x} | Check the files of {x} | Make one proof of {x} | Print or order {x}"),
    ),
    (
        "compose|arrange|produce",
        "X(song|track|piece|music|score|album|beat)",
        ("Hum or play the main line of {x} | Sketch the parts of {x} | Record a rough {x} | Listen to {x} tomorrow"),
    ),
    (
        "catalogue|index|label|tag",
        "X",
        ("Decide on the names for {x} | Try them on ten of {x} | Go through the rest of {x} | Check {x} for doubles"),
    ),
    (
        "migrate|move|transfer",
        "X(data|server|database|domain|email|emails|website|blog|phone number|contacts|photos|files)",
        (
            "List what belongs to {x} | Back up {x} | Move a small part of {x} first | Move the rest of {x} | "
            "Check {x} and switch over"
        ),
    ),
    (
        "secure|lock down|harden",
        "X",
        (
            "List who can reach {x} | Change the passwords of {x} | Turn on two-step login for {x} | "
            "Remove old access to {x}"
        ),
    ),
    (
        "reset|recover|restore",
        "X(password|account|phone|laptop|backup|computer|tablet)",
        (
            "Find mail and number tied to {x} | Save what is on {x} | Follow the steps for {x} | "
            "Test {x} and note the new login"
        ),
    ),
    (
        "switch",
        "(?:to |over to )X",
        (
            "Write why {x} is better | Try {x} on one small thing | Bring your data to {x} | "
            "Leave the old one once {x} works"
        ),
    ),
    (
        "decorate|furnish|redecorate",
        "X",
        (
            "Collect three pictures for {x} | Measure {x} | List what {x} needs | "
            "Buy the big things for {x} first | Put everything up in {x}"
        ),
    ),
    (
        "rearrange|reorganise|reorganize|set up",
        "X(room|bedroom|office|studio|kitchen|workspace|desk|workshop|classroom|nursery)",
        ("Measure {x} | Draw {x} from above | Move the biggest thing in {x} first | Sort cables and lamps of {x}"),
    ),
    (
        "brew|ferment|pickle|preserve|can",
        "X",
        (
            "Clean jars and tools for {x} | Weigh out everything for {x} | Cook or mix {x} | "
            "Fill and label {x} | Note when {x} is ready"
        ),
    ),
)
