"""Steps for offices, money and study."""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str], ...] = (
    (
        "launch|release|ship|publish",
        "X",
        (
            "List what is missing for {x} | Test {x} from start to end | Write the note for {x} | Put {x} out | "
            "Watch the first hour of {x}"
        ),
    ),
    (
        "deploy|roll out",
        "X",
        (
            "Read what changed in {x} | Back up before {x} | Put {x} on the test system | Roll out {x} | "
            "Check logs after {x}"
        ),
    ),
    (
        "test|qa|try out",
        "X(app|site|website|feature|release|flow|form|checkout|build|prototype|login)",
        ("Write five cases for {x} | Try {x} the usual way | Try to break {x} | Note every fault of {x} with steps"),
    ),
    (
        "document|write up",
        "X",
        (
            "List what a stranger asks about {x} | Write the shortest way to use {x} | Add an example to {x} | "
            "Have somebody follow {x}"
        ),
    ),
    (
        "automate|script",
        "X",
        (
            "Do {x} once by hand and note the steps | Script the longest step of {x} | Run {x} on a copy | "
            "Put {x} on a schedule"
        ),
    ),
    (
        "audit|map|inventory|catalogue|catalog",
        "X",
        (
            "Decide what counts in {x} | Make a sheet for {x} | Go through {x} part by part | "
            "Mark the gaps of {x} | Sum up {x} on one page"
        ),
    ),
    (
        "digitise|digitize|scan|archive",
        "X(papers|documents|photos|letters|files|records|slides|receipts|contracts|tapes)",
        (
            "Sort {x} into piles | Scan {x} pile by pile | Name the files of {x} | Back up {x} | "
            "Store or shred the originals of {x}"
        ),
    ),
    (
        "transcribe|annotate|code|subtitle|caption",
        "X",
        (
            "Set up player and document for {x} | Do the first ten minutes of {x} | "
            "Go on with {x} in blocks of 25 minutes | Check names and numbers in {x} | Save {x} twice"
        ),
    ),
    (
        "outline|storyboard|structure",
        "X",
        (
            "Write the one sentence that {x} says | List the points of {x} | Put them in order for {x} | "
            "Note an example for each point of {x}"
        ),
    ),
    (
        "summarise|summarize|condense",
        "X",
        (
            "Skim {x} once | Mark five sentences of {x} | Write {x} in ten lines | "
            "Cut it to the half and check against {x}"
        ),
    ),
    (
        "memorise|memorize|learn by heart",
        "X",
        (
            "Divide {x} into small parts | Say the first part of {x} aloud | "
            "Add one part of {x} after the other | Repeat {x} tomorrow"
        ),
    ),
    (
        "apply|reapply",
        "(?:for )?X(grant|scholarship|loan|mortgage|visa|citizenship|funding|residency|permit)",
        (
            "Read the conditions of {x} | List the papers for {x} | Ask for letters for {x} | "
            "Fill in the form of {x} | Send {x} and keep a copy"
        ),
    ),
    (
        "claim|dispute|appeal|contest|request",
        "X(refund|claim|insurance|ticket|fine|charge|bill|fee|expenses|reimbursement|deposit)",
        (
            "Find the receipt for {x} | Note what happened with {x} | Fill in the form for {x} | "
            "Send {x} with copies | Note when to ask about {x}"
        ),
    ),
    (
        "file|open|report",
        "X(claim|complaint|case|report|dispute)",
        (
            "Collect dates and papers for {x} | Write {x} in order of time | Have someone read {x} | "
            "Send {x} and keep the number"
        ),
    ),
    (
        "calculate|work out|estimate|forecast",
        "X",
        (
            "Collect the numbers for {x} | Put them in a sheet for {x} | Check {x} against last time | "
            "Write down the result of {x}"
        ),
    ),
    (
        "pay off|reduce|consolidate",
        "X(debt|debts|loan|loans|credit card|card|mortgage|overdraft)",
        (
            "List what is owed on {x} | Sort {x} by interest | Fix what to pay on {x} each month | "
            "Set up the payment for {x}"
        ),
    ),
    (
        "save|save up",
        "for X",
        (
            "Look up what {x} costs | Fix a date for {x} | Divide {x} by the months left | "
            "Set up a standing order for {x}"
        ),
    ),
    (
        "open|set up",
        "X(savings account|bank account|pension|isa|ira|brokerage account)",
        (
            "Compare three offers for {x} | Have the papers for {x} ready | Fill in the form for {x} | "
            "Transfer a first sum to {x}"
        ),
    ),
    (
        "find|get|look for",
        "(?:a |an )?(?P<x>.{0,30}?\\b(?:internship|placement|supervisor|investor|sponsor|publisher|agent|mentor|co-founder|roommate|flatmate|tenant)\\b.{0,40})",
        (
            "Write what the {x} should offer | List ten names for the {x} | "
            "Write to the first five about the {x} | Follow up on the {x} after a week"
        ),
    ),
    (
        "recruit|hire",
        "X",
        (
            "Write what {x} will do | Post the ad for {x} | Read the answers for {x} | "
            "Talk to three people for {x} | Decide on {x} and tell everyone"
        ),
    ),
    (
        "run|lead|facilitate|chair|moderate",
        "X(workshop|meeting|session|retro|standup|discussion|panel|class|seminar|training)",
        (
            "Write the goal of {x} | Divide the time of {x} | Prepare the material for {x} | "
            "Send the plan of {x} | Note the decisions of {x}"
        ),
    ),
    (
        "teach",
        "X(class|course|lesson|seminar|workshop|module)",
        (
            "Write what they can do after {x} | Divide {x} into three parts | Prepare one exercise for {x} | "
            "Copy the material for {x}"
        ),
    ),
    (
        "grade|mark|correct",
        "X(exams|papers|essays|homework|assignments|quizzes|tests|reports)",
        (
            "Write the points for {x} on one page | Grade three of {x} to test it | Go on with {x} in blocks | "
            "Check the doubtful ones of {x} | Enter the results of {x}"
        ),
    ),
    (
        "prepare|write|make",
        "X(syllabus|curriculum|lesson plan|exam|quiz|handout|worksheet)",
        (
            "Write the goals of {x} | Collect last year's {x} | Draft {x} | Solve or read {x} yourself | "
            "Print or upload {x}"
        ),
    ),
)
