"""Steps for making, checking, finding and settling; what names its object stands before what takes any."""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str], ...] = (
    (
        "choose|pick|decide on|decide",
        "(?!up )(?!.* up$)X",
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
