"""Steps for tasks at the desk and with other people; the first row that fits wins, so what names its object stands before what takes any."""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str], ...] = (
    (
        "write|draft|compose",
        r"(?:a |an |the |my )?(?P<x>(?:thank[- ]you )?(?:card|cards|note|notes|letter|letters)\b.{0,80})",
        (
            "Decide who {x} goes to and why | Write two or three personal sentences for {x} | Sign {x} and "
            "address the envelope | Post or hand over {x}"
        ),
    ),
    (
        "write|draft|compose",
        "X(report|essay|paper|article|thesis|chapter|proposal|post|section|module|story)",
        (
            "Collect the facts and sources for {x} | List the points {x} has to make, in order | Write a rough "
            "version of {x} without stopping | Cut what {x} does not need | Read {x} aloud and correct it"
        ),
    ),
    (
        "write|draft|compose|prepare",
        "X(email|mail|message|reply)",
        (
            "Note the one thing {x} must achieve | Write {x} in a few short lines | Check names, dates and "
            "attachments in {x} | Send {x}"
        ),
    ),
    (
        "write|draft",
        "X",
        "List what {x} must say | Write a rough version of {x} | Cut and order {x} | Read {x} aloud and correct it",
    ),
    (
        "finish|complete|finalise|finalize|wrap up",
        "X",
        (
            "List what is still missing in {x} | Do the smallest missing piece of {x} first | Work through the "
            "rest of {x} | Check {x} once from start to end"
        ),
    ),
    (
        "prepare|prep",
        "(?:for )?X(presentation|talk|slides|deck|pitch|demo|speech)",
        (
            "Write the one sentence people should keep from {x} | Sketch the order of {x} on paper | Make the "
            "slides or notes for {x} | Rehearse {x} aloud with a timer | Pack charger, adapter and a copy of {x}"
        ),
    ),
    (
        "prepare|prep",
        "(?:for )?X(interview)",
        (
            "Read the job and the people behind {x} | Write down three stories to tell in {x} | Practise answers "
            "for {x} aloud | Plan clothes and route for {x}"
        ),
    ),
    (
        "prepare|prep",
        "(?:for )?X(exam|test|quiz|midterm|final|finals)",
        (
            "List the topics of {x} | Do one old question for each topic of {x} | Mark what went wrong and redo "
            "it for {x} | Put the things needed for {x} in the bag"
        ),
    ),
    (
        "prepare|prep",
        "(?:for )?X(meeting|call|sync|review|retro|workshop|session|conference|appointment)",
        (
            "Write the outcome you want from {x} | Collect the papers and numbers for {x} | List your questions "
            "for {x} | Send the agenda or material for {x}"
        ),
    ),
    (
        "prepare|prep",
        "X(dinner|lunch|breakfast|meal|food)",
        (
            "Choose the dishes for {x} | Check the kitchen and list what to buy for {x} | Do the shopping for {x} "
            "| Cook {x} in order of cooking time"
        ),
    ),
    (
        "prepare|prep|get ready for",
        "(?:for )?X",
        "List everything {x} needs | Get what is missing for {x} | Set it all out for {x} | Check {x} against the list",
    ),
    (
        "plan|organise|organize",
        "X(party|birthday|wedding|shower|barbecue|bbq|celebration)",
        (
            "Fix date, place and budget for {x} | Write the guest list for {x} and invite people | Choose food, "
            "drinks and music for {x} | Make a timetable for the day of {x}"
        ),
    ),
    (
        "plan|organise|organize",
        "X(trip|holiday|vacation|travel|journey|getaway|visit)",
        (
            "Fix the dates and the budget of {x} | Compare how to get there for {x} | Book transport and a place "
            "to stay for {x} | List papers and things to pack for {x}"
        ),
    ),
    (
        "plan",
        "X(week|month|day|sprint|quarter)",
        (
            "Write down everything that waits in {x} | Choose the three things that matter most in {x} | Give "
            "each a place in {x} | Leave free time in {x} for surprises"
        ),
    ),
    (
        "plan",
        "X(meal|meals|menu|dinners)",
        "Check what is in the fridge for {x} | Choose dishes for {x} | Write the shopping list for {x}",
    ),
    (
        "plan",
        "X",
        (
            "Write down what {x} must achieve | List the steps of {x} in order | Put a date on each step of {x} | "
            "Start the first step of {x}"
        ),
    ),
    (
        "apply",
        "for X",
        (
            "Read what {x} asks for | Collect papers for {x} | Fill in the form for {x} | Have someone check {x} "
            "| Send {x} and note the date"
        ),
    ),
    (
        "register|sign up|enroll|enrol",
        "(?:for |in )?X",
        "Check dates and price of {x} | Fill in the form for {x} | Pay for {x} | Put the dates of {x} in the calendar",
    ),
    (
        "submit|hand in|turn in",
        "X",
        "Check that {x} is complete | Save {x} in the form that is asked for | Submit {x} | Keep the receipt for {x}",
    ),
    (
        "study|revise|learn",
        "(?:for |about )?X",
        (
            "Choose one topic of {x} | Read it for 25 minutes with the phone away | Write from memory what you "
            "know about {x} | Check and fix the gaps in {x}"
        ),
    ),
    (
        "read",
        "X(paper|article|book|report|chapter|thesis)",
        "Skim headings and summary of {x} | Read the key part of {x} | Note three points from {x}",
    ),
    (
        "research|investigate|compare|look into",
        "X",
        (
            "Write the question about {x} in one sentence | Find three good sources on {x} | Note what they say "
            "about {x} | Decide what to do about {x}"
        ),
    ),
    (
        "choose|pick|decide on|decide",
        "(?!up )X",
        "Write what matters most for {x} | List three options for {x} | Compare them and choose {x}",
    ),
    (
        "design|redesign|sketch",
        "X",
        (
            "Collect three examples you like for {x} | Sketch three rough ideas for {x} | Work out the best idea "
            "for {x} | Show {x} to someone and note what they say"
        ),
    ),
    (
        "install|set up|configure",
        "X",
        "Read what {x} needs | Back up what is there | Install {x} step by step | Test {x}",
    ),
    (
        "update|upgrade|migrate|refactor",
        "X",
        (
            "Back up {x} | Read what changes in {x} | Make the change to {x} in a small part first | Check that "
            "everything around {x} still works"
        ),
    ),
    (
        "back up|backup",
        "X",
        "Plug in the disk or open the cloud for {x} | Copy {x} | Open one copied file of {x} to check it",
    ),
    (
        "review|proofread|edit|check",
        (
            "X(paper|report|essay|contract|proposal|document|thesis|chapter|chapters|manuscript|code|pull "
            "request|pr|draft)"
        ),
        (
            "Read {x} once without a pen | Go through {x} line by line and mark problems | Sum up the three main "
            "points on {x} | Send back {x} with comments"
        ),
    ),
    (
        "grade|mark|assess",
        "X",
        (
            "Write the key for {x} | Do five of {x} to settle the scale | Grade the rest of {x} in blocks of ten "
            "| Enter the marks of {x}"
        ),
    ),
    (
        "analyse|analyze|evaluate|run",
        "X(data|results|analysis|survey|numbers|experiment|study)",
        (
            "Write down the question for {x} | Check {x} for missing values | Make one plain chart of {x} | Write "
            "what {x} shows in three sentences"
        ),
    ),
    (
        "translate",
        "X",
        "Read {x} once through | Translate {x} roughly | Look up the hard words of {x} | Read the result of {x} aloud",
    ),
    (
        "record|film|shoot|edit",
        "X(video|podcast|episode|song|film|clip|reel)",
        "Write the outline of {x} | Set up light and sound for {x} | Record {x} in short takes | Cut and export {x}",
    ),
    (
        "photograph|shoot",
        "X",
        (
            "Choose place and light for {x} | Charge batteries and empty the card | Take {x} from several sides | "
            "Choose and edit the best of {x}"
        ),
    ),
    (
        "find|look for|search for",
        (
            "(?:for )?(?:a |an |new "
            ")(?P<x>.{0,60}?(?:apartment|flat|house|room|job|doctor|dentist|daycare|nanny|plumber|electrician|"
            "gym|school))"
        ),
        (
            "Write down what {x} must have | Ask two people who know about {x} | List the three best for {x} | "
            "Contact the first of them"
        ),
    ),
    (
        "hire|interview",
        "X",
        "Write what {x} has to do | Publish the ad for {x} | Choose three people for {x} | Talk to them about {x}",
    ),
    (
        "book|arrange|organise|organize",
        "X(flight|flights|hotel|train|trip|travel|accommodation|airbnb)",
        (
            "Fix the dates for {x} | Compare three offers for {x} | Check names and baggage for {x} | Book {x} "
            "and save the confirmation"
        ),
    ),
    (
        "practise|practice|rehearse",
        "X",
        (
            "Warm up for {x} | Play through the hardest part of {x} slowly | Repeat it until it is right | Go "
            "through all of {x} once"
        ),
    ),
    (
        "negotiate|discuss|talk about",
        "X",
        (
            "Write what you want from {x} | Write what the other side wants from {x} | Choose a time to talk "
            "about {x} | Note what was agreed on {x}"
        ),
    ),
    (
        "chase|follow up|follow up on|follow up with",
        "(?:up )?(?:on |with )?X",
        (
            "Look up the last message about {x} | Write a short friendly reminder for {x} | Note when to ask "
            "again about {x}"
        ),
    ),
    (
        "invoice|bill",
        "X",
        (
            "Add up hours and costs for {x} | Fill in the invoice for {x} | Check bank details and due date | "
            "Send it to {x} and note the date"
        ),
    ),
    (
        "reconcile|balance|budget|sort out",
        "X(accounts|account|finances|expenses|receipts|bills|budget|bank statements|money)",
        (
            "Collect all papers of {x} | Enter {x} line by line | Mark what does not fit in {x} | Write down the "
            "total of {x}"
        ),
    ),
    (
        "organise|organize|sort|sort out|reorganise|reorganize|rearrange",
        "(?:out )?X",
        (
            "Take stock of {x} | Sort {x} into a few groups | Throw out what {x} does not need | Give each group "
            "of {x} its place"
        ),
    ),
    (
        "set up|start|launch|open",
        "X(business|shop|store|company|blog|newsletter|channel|account|project|campaign)",
        (
            "Write who {x} is for | Choose a name and a place for {x} | Make the first small version of {x} | "
            "Tell five people about {x}"
        ),
    ),
    (
        "close|cancel|transfer|switch",
        "X(account|bank|provider|phone|internet|broadband|electricity|gas)",
        (
            "Look up the terms for {x} | Write or call about {x} | Move payments that depend on {x} | Keep the "
            "confirmation of {x}"
        ),
    ),
)
