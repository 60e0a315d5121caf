"""Steps for people, animals, health and days to remember."""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str], ...] = (
    (
        "take|bring",
        "(?:the |my |our )?(?P<x>.{0,30}?\\b(?:dog|cat|puppy|kitten|rabbit|pet))(?: to the vet.{0,40})?",
        (
            "Call the vet about the {x} | Find the vaccination card of the {x} | Put the {x} in the carrier or on the lead | "
            "Write down what the vet said about the {x}"
        ),
    ),
    (
        "bathe|wash|groom",
        "X(dog|cat|puppy|pony|horse)",
        (
            "Brush {x} first | Lay out towels and shampoo for {x} | Wash and rinse {x} with warm water | "
            "Dry {x} and reward it"
        ),
    ),
    (
        "adopt|foster",
        "X",
        (
            "Read what {x} needs every day | Fill in the form for {x} | Visit {x} once | "
            "Get food and a place ready for {x}"
        ),
    ),
    (
        "baby ?proof|childproof",
        "X",
        (
            "Go through {x} at a child's height | List sockets, corners and drawers of {x} | "
            "Fit locks and covers in {x} | Test {x} once more"
        ),
    ),
    (
        "throw|host|plan|organise|organize",
        "X(baby shower|housewarming|reunion|game night|potluck|sleepover|dinner party)",
        (
            "Fix a date for {x} | Invite people to {x} | Decide on food and drinks for {x} | "
            "Tidy up before {x} | Set everything out for {x}"
        ),
    ),
    (
        "plan|arrange|organise|organize",
        "X(funeral|memorial|wake)",
        (
            "Talk to the family about {x} | Fix day and place of {x} | Tell everybody about {x} | "
            "Choose words and music for {x}"
        ),
    ),
    (
        "write|prepare|give|draft",
        "X(toast|speech|eulogy|vows)",
        (
            "Note three stories for {x} | Choose one thought for {x} | Write {x} to be said aloud | "
            "Read {x} aloud and time it"
        ),
    ),
    (
        "visit|see",
        "X(grandma|grandpa|grandmother|grandfather|parents|hospital)",
        ("Ask when it suits {x} | Check how to get to {x} | Get something small to bring to {x} | Go and see {x}"),
    ),
    (
        "interview",
        "(?!for)X",
        (
            "Read about {x} | Write five open questions for {x} | Agree time and place with {x} | "
            "Test the recorder before {x} | Note the main points after {x}"
        ),
    ),
    (
        "mentor|tutor|onboard",
        "X",
        (
            "Ask what {x} wants to reach | Pick the first topic for {x} | Fix a regular time with {x} | "
            "Note what {x} should try next"
        ),
    ),
    (
        "arrange|find|organise|organize|get",
        "(?:a |an )?(?P<x>.{0,40}?\\b(?:babysitter|sitter|childcare|carer|cleaner|tutor|dog walker)\\b.{0,40})",
        (
            "Write down when the {x} is needed | Ask two people you trust for a {x} | Call the best {x} | "
            "Agree price and time with the {x}"
        ),
    ),
    (
        "schedule|book|arrange|make",
        "(?:a |an |the |my )?(?P<x>.{0,40}?\\b(?:checkup|check-up|physical|vaccination|vaccinations|scan|surgery)\\b.{0,40})",
        (
            "Look up the number for the {x} | Check two free days for the {x} | Call and fix the {x} | "
            "Put the papers for the {x} ready"
        ),
    ),
    (
        "start|begin|stick to|keep up",
        "X(diet|workout|workouts|exercise|exercises|routine|training|journal|habit)",
        (
            "Choose the smallest form of {x} | Fix a time of day for {x} | Lay out what {x} needs | "
            "Do {x} once and tick it off"
        ),
    ),
    (
        "train",
        "for X",
        (
            "Note the day of {x} | Make a plan of weeks until {x} | Put the training for {x} in the calendar | "
            "Check shoes and kit for {x} | Rest two days before {x}"
        ),
    ),
    (
        "quit|stop|cut down on|give up",
        "X(smoking|sugar|drinking|caffeine|coffee|alcohol)",
        (
            "Write down why {x} has to go | Note when {x} tempts most | Choose what to do instead of {x} | "
            "Tell someone about {x}"
        ),
    ),
    (
        "meal prep|cook",
        "(?:for )?X(week|family|freezer|guests|party|holidays)",
        (
            "Choose two dishes for {x} | Write what to buy for {x} | Shop for {x} | "
            "Cook the longest dish for {x} first | Portion and label everything for {x}"
        ),
    ),
    (
        "make|create|put together|compile",
        "X(photo album|album|scrapbook|photobook|photo book|slideshow)",
        (
            "Gather the pictures for {x} | Choose the fifty best for {x} | Put them in order for {x} | "
            "Add captions to {x} | Order or save {x}"
        ),
    ),
    (
        "celebrate",
        "X",
        (
            "Ask who should be there for {x} | Choose a place for {x} | Get a small gift or cake for {x} | "
            "Take a picture at {x}"
        ),
    ),
    (
        "apologise|apologize|make up",
        "(?:to |with )X",
        (
            "Write down what went wrong with {x} | Think of what would help {x} | Ask {x} for a moment | "
            "Say sorry to {x} without a but"
        ),
    ),
    (
        "plan|write|make",
        "X(will|testament)",
        (
            "List what {x} has to cover | Choose who carries out {x} | Have a lawyer look at {x} | "
            "Sign {x} before witnesses | Tell someone where {x} is"
        ),
    ),
)
