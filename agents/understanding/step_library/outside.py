"""Steps for the garden, vehicles, travel and sport."""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str], ...] = (
    (
        "prune|trim|cut back",
        "X",
        (
            "Look up when {x} may be cut | Clean and sharpen the shears for {x} | Cut dead wood of {x} first | "
            "Shape the rest of {x} | Clear away what fell from {x}"
        ),
    ),
    (
        "repot|transplant",
        "X",
        (
            "Get a bigger pot and soil for {x} | Water {x} an hour before | Loosen the roots of {x} | "
            "Settle {x} in fresh soil | Water {x} again"
        ),
    ),
    (
        "mulch|fertilise|fertilize|compost|dig",
        "X",
        ("Pull the weeds of {x} | Loosen the soil of {x} | Spread a layer over {x} | Water {x}"),
    ),
    (
        "harvest|pick",
        "X(apples|tomatoes|berries|olives|grapes|pears|vegetables|herbs|plums)",
        ("Get baskets for {x} | Pick the ripe ones of {x} | Sort out bruised ones of {x} | Store or share {x}"),
    ),
    (
        "build|dig|lay",
        "X(deck|patio|pond|path|shed|raised bed|raised beds|greenhouse|coop|treehouse)",
        (
            "Measure the place for {x} | Draw {x} with sizes | List material for {x} | "
            "Order the material for {x} | Mark out {x} and begin with the ground"
        ),
    ),
    (
        "install|put up|hang|mount",
        "X(shelf|shelves|curtains|blinds|tv|mirror|picture|pictures|lamp|light|swing|hammock)",
        (
            "Measure the place for {x} | Check for pipes and cables behind {x} | Drill and plug the holes for {x} | "
            "Put up {x} and check the level"
        ),
    ),
    (
        "replace|change|swap",
        "X(tyres|tires|brakes|brake pads|oil|battery|wiper blades|filter|spark plugs|chain)",
        (
            "Look up the right type of {x} | Buy {x} | Lay out the tools for {x} | Take the old {y} out | "
            "Fit {x} and test"
        ),
    ),
    (
        "replace|change",
        "X(tap|faucet|toilet|lock|door|window|windows|light fixture|thermostat|showerhead|carpet|flooring)",
        (
            "Measure the old {y} | Buy the new {y} | Turn off water or power for {x} | Take the old {y} out | "
            "Fit {x} and test it"
        ),
    ),
    (
        "unclog|unblock|clear",
        "X(drain|sink|toilet|gutter|gutters|pipe)",
        (
            "Put gloves and a bucket beside {x} | Take out what blocks {x} by hand | Flush {x} with hot water | "
            "Check that {x} runs freely"
        ),
    ),
    (
        "sand|varnish|oil|stain|strip",
        "X",
        (
            "Clear and clean {x} | Sand {x} along the grain | Wipe the dust off {x} | Put a thin coat on {x} | "
            "Let {x} dry and repeat"
        ),
    ),
    (
        "insulate|seal|caulk|waterproof",
        "X",
        ("Find the gaps of {x} | Clean and dry the edges of {x} | Fill the gaps of {x} | Check {x} after a day"),
    ),
    (
        "pressure wash|power wash|hose down",
        "X",
        (
            "Move things away from {x} | Sweep loose dirt off {x} | Wash {x} from the top | "
            "Let {x} dry and put things back"
        ),
    ),
    (
        "winterise|winterize|prepare",
        "X(garden|pool|boat|car|camper|caravan|pipes)(?: for winter)?",
        ("Drain the water of {x} | Clean {x} | Cover or store {x} | Note when {x} has to be opened again"),
    ),
    (
        "service|detail|inspect",
        "X",
        (
            "Note what bothers you about {x} | Find the papers of {x} | Book a slot for {x} | "
            "Ask for a price for {x} before they begin"
        ),
    ),
    (
        "buy|get|lease",
        "(?:a |an )(?P<x>(?:used |new )?(?:car|van|motorbike|camper|boat|house|flat|apartment))",
        (
            "Fix the budget for the {x} | List what the {x} must have | Compare three offers for the {x} | "
            "Look at the {x} yourself | Have somebody check the {x} before paying"
        ),
    ),
    (
        "plan|map|map out",
        "X(route|hike|tour|road trip|ride|walk|camping trip)",
        (
            "Choose start and end of {x} | Check length and height of {x} | Look up food and water on {x} | "
            "Save the map of {x} offline | Tell someone about {x}"
        ),
    ),
    (
        "pack|get ready|prepare",
        "(?:for )?X(camping|hike|beach|festival|flight|weekend|hospital)",
        (
            "Check the weather for {x} | List clothes and gear for {x} | Lay everything out for {x} | "
            "Pack {x} heavy things first | Charge phone and lamp for {x}"
        ),
    ),
    (
        "plan|prepare|organise|organize",
        "X(move|moving|relocation)",
        (
            "Fix the day of {x} | Book a van or movers for {x} | Collect boxes for {x} | "
            "Tell bank, post and work about {x} | Pack one room after the other for {x}"
        ),
    ),
    (
        "book|reserve|find",
        "(?:a |an )?(?P<x>.{0,40}?\\b(?:campsite|campground|cabin|venue|hall|studio|holiday home|airbnb)\\b.{0,40})",
        (
            "Fix dates and people for the {x} | Compare three offers for the {x} | Check how to cancel the {x} | "
            "Book the {x} | Save the confirmation of the {x}"
        ),
    ),
    (
        "organise|organize|plan|run",
        "X(tournament|match|race|game|season|league|field trip|outing|excursion)",
        (
            "Fix date and place of {x} | Collect names for {x} | Arrange transport for {x} | "
            "Send everybody the plan for {x} | Prepare first aid and water for {x}"
        ),
    ),
)
