"""Steps for tasks at home and out and about; what names its object stands before what takes any."""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str], ...] = (
    (
        "clean|tidy|scrub|deep clean|clean up|tidy up|clear out|clean out",
        "(?:up |out )?X(kitchen|bathroom|fridge|oven|stove|shower|toilet)",
        (
            "Clear everything out of {x} | Put cleaner on {x} and let it work | Scrub {x} from top to bottom | "
            "Wipe {x} dry and put things back"
        ),
    ),
    (
        "clean|tidy|deep clean|clean up|tidy up|clear out|clean out|declutter",
        "(?:up |out )?X(garage|attic|basement|shed|closet|wardrobe|cupboard|drawer|drawers|storage|pantry)",
        (
            "Take everything out of {x} | Sort it into keep, give away and throw away | Wipe {x} clean | Put back "
            "only what belongs in {x} | Take the rest away"
        ),
    ),
    (
        "clean|tidy|clean up|tidy up|clear|clear out|declutter|sort out|sort",
        (
            "(?:up |out "
            ")?X(inbox|email|emails|mail|desktop|downloads|photos|files|folder|folders|drive|library|collections|"
            "dropbox)"
        ),
        (
            "Delete the obvious rubbish in {x} | Make a few folders or labels for {x} | Move the newest things of "
            "{x} first | Set a rule so that {x} stays clean"
        ),
    ),
    (
        "clean|tidy|clean up|tidy up|declutter|dust|vacuum|sweep|mop",
        "(?:up )?X",
        "Put away what lies around in {x} | Dust {x} from top to bottom | Vacuum or mop {x} | Take out the rubbish",
    ),
    (
        "wash",
        "X(car|van|bike|windows)",
        "Get bucket, sponge and cloths for {x} | Rinse {x} | Wash {x} from top to bottom | Dry {x} with a cloth",
    ),
    (
        "do|fold|sort|wash",
        "X(laundry|washing|clothes)",
        "Sort {x} by colour | Run the machine with {x} | Hang or dry {x} | Fold {x} and put it away",
    ),
    (
        "do|file|prepare|finish|start",
        "X(taxes|tax return|tax)",
        (
            "Collect income papers for {x} | Collect receipts and deductions for {x} | Fill in the form for {x} | "
            "Check the numbers of {x} | Submit {x} and keep a copy"
        ),
    ),
    (
        "pack|unpack",
        "X(suitcase|bag|bags|luggage|trip|holiday|boxes)",
        (
            "List what {x} needs | Lay everything for {x} out on the bed | Put heavy things into {x} first | "
            "Check papers, keys and chargers"
        ),
    ),
    (
        "pack",
        "(?:for )?X",
        "List what {x} needs | Lay everything out for {x} | Pack and check {x} against the list",
    ),
    (
        "move",
        "(?:to |into )X(apartment|flat|house|office|place)",
        (
            "Book a van and helpers for {x} | Pack room by room for {x} | Tell post, bank and utilities about {x} "
            "| Hand over the old keys"
        ),
    ),
    (
        "renew|extend",
        "X(passport|visa|licence|license|id|permit|registration|card)",
        (
            "Check what papers {x} requires | Take a photo and fill in the form for {x} | Book the appointment or "
            "apply online for {x} | Pay the fee for {x} | Note the new expiry date of {x}"
        ),
    ),
    (
        "renew|extend|cancel",
        "X(membership|subscription|contract|insurance|policy|lease|plan)",
        (
            "Find the contract number and end date of {x} | Compare with what else is offered | Send the notice "
            "or form for {x} | Keep the confirmation of {x}"
        ),
    ),
    (
        "fix|repair|mend",
        "X(bike|bicycle|car|tap|faucet|sink|toilet|door|shelf|fence|roof|washing machine|dishwasher)",
        (
            "Find out what exactly is wrong with {x} | Get the part and tools for {x} | Make the repair on {x} | "
            "Try {x} out"
        ),
    ),
    (
        "fix|repair|debug|resolve|solve",
        "X(bug|bugs|issue|issues|error|crash|test|tests|build)",
        (
            "Reproduce {x} | Find the smallest case that shows {x} | Write a test for {x} | Change the code and "
            "run all tests | Describe the cause of {x}"
        ),
    ),
    (
        "fix|repair|mend|restore",
        "X",
        (
            "Look at what is wrong with {x} | Find out what {x} needs | Get tools and parts for {x} | Repair {x} "
            "and try it out"
        ),
    ),
    (
        "build|assemble|put together",
        "X(bed|desk|shelf|shelves|table|chair|wardrobe|bookcase|crib|furniture|bunk bed)",
        (
            "Unpack {x} and count the parts | Read the instructions of {x} once through | Put the frame of {x} "
            "together loosely | Tighten everything and check that {x} stands firmly"
        ),
    ),
    (
        "build|create|make|develop|implement|code",
        "X(website|site|app|feature|page|tool|script|prototype|landing page)",
        (
            "Write in one sentence what {x} must do | Sketch {x} on paper | Build the smallest working version of "
            "{x} | Try {x} with one real case | Fix what went wrong in {x}"
        ),
    ),
    (
        "build|make|create",
        "X(budget|spreadsheet|plan|schedule|timetable)",
        "Collect the numbers for {x} | Set up rows and columns of {x} | Fill in {x} | Check the totals of {x}",
    ),
    (
        "make|create|update|edit",
        "X(cv|resume|portfolio|profile|linkedin)",
        (
            "Add the newest work to {x} | Cut what is old in {x} | Check dates and contact details in {x} | Ask "
            "someone to read {x} | Export and upload {x}"
        ),
    ),
    (
        "make|bake|cook",
        "X(cake|cookies|bread|dinner|lunch|soup|lasagna|pie|brownies|muffins|meal)",
        (
            "Choose a recipe for {x} | Check ingredients and buy what is missing for {x} | Measure everything out "
            "for {x} | Make {x} and set a timer"
        ),
    ),
    (
        "paint",
        "X(room|wall|walls|fence|door|bedroom|kitchen|ceiling|house)",
        "Clear and cover around {x} | Fill holes and sand {x} | Tape the edges of {x} | Paint {x} twice",
    ),
    (
        "paint|draw|illustrate",
        "X",
        "Find a reference for {x} | Make a small sketch of {x} | Work {x} out | Sign and photograph {x}",
    ),
    (
        "sell",
        "X",
        (
            "Clean and photograph {x} | Look up what {x} goes for | Write the ad for {x} | Answer the first "
            "messages about {x}"
        ),
    ),
    (
        "return|exchange|send back",
        "X",
        "Find the receipt for {x} | Pack {x} | Print the label for {x} | Bring {x} to the post or shop",
    ),
    (
        "donate|give away",
        "X",
        "Sort {x} | Bag {x} | Find who takes {x} | Bring {x} there",
    ),
    (
        "buy|order|get|choose",
        r"(?:a |an |the |some )?(?P<x>.{0,40}?(?:gift|gifts|present|presents)\b.{0,60})",
        "Think of what they talked about lately | Set a budget for {x} | Buy {x} | Wrap {x} and write a card",
    ),
    (
        "buy|order|get",
        (
            "(?:a |an |the |new "
            ")+(?P<x>.{0,40}?(?:laptop|computer|phone|car|sofa|couch|mattress|bike|fridge|washing "
            "machine|camera|tv))"
        ),
        (
            "Write down what {x} must do | Set a budget for {x} | Compare three models of {x} | Buy {x} and keep "
            "the receipt"
        ),
    ),
    (
        "plant|weed|mow|rake|garden",
        "X",
        "Get tools and gloves for {x} | Clear weeds around {x} | Do {x} bed by bed | Water and tidy up after {x}",
    ),
    (
        "train|teach|coach",
        "X",
        "Choose one small goal for {x} | Show {x} how it goes | Let {x} practise | Praise and note progress of {x}",
    ),
    (
        "host|throw",
        "X",
        (
            "Fix the date and invite people to {x} | Plan food and drinks for {x} | Tidy the place for {x} | Set "
            "everything out for {x}"
        ),
    ),
)
