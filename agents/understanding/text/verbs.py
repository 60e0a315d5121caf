"""Verbs that begin a request or a task in the imperative."""

from __future__ import annotations

from agents.understanding.grammar import patterns_of

TASK_VERBS = frozenset(
    """
    apply arrange ask assemble attend back backup bake begin bring brush build buy call cancel change charge chase
    check choose clean clear close collect compare complete confirm contact cook copy cut decide declutter defrost
    deliver deposit design discuss do donate download draft draw drop dust edit email empty enroll exchange exercise
    export feed fetch file fill find finish fix fold follow get give go grab grade grocery hand hang help hire
    implement install invite invoice iron join keep learn leave lock look mail make measure meditate meet mend merge
    message mop mow move open order organise organize pack paint pay phone photograph pick plan plant post practice
    practise prepare prep print proofread publish pull purchase push put raise reach read rebook record recycle redeem
    refill refund register renew rent reorder reorganise reorganize repair replace reply report request reserve
    research resolve respond return review revise rewrite ring rotate run save scan schedule scrub search sell send
    set sew sharpen ship shop shred sign sketch skype sort speak start stop stretch study submit subscribe sweep swap
    switch take talk tell test text thank throw tidy track train transfer translate transplant trim try turn unclog
    unpack unsubscribe update upgrade upload use vacuum verify visit walk wash watch water weed wipe withdraw work
    wrap write zip polish oil repot sand bathe groom rake shovel varnish grease hem darn knit steam marinate rinse
    soak dry hoover unload load stack scrape seal caulk drill hammer hook wire reset debug deploy refactor analyse
    analyze calculate compile collate outline summarise summarize transcribe annotate cite mark invigilate rehearse
    memorise memorize warm nominate volunteer vote petition appeal dispute escalate negotiate quote bid pitch onboard
    recruit mentor coach brief debrief remind ping nudge wish congratulate apologise apologize worm vaccinate adopt
    foster harvest prune mulch fertilise fertilize compost dig sow pot lend borrow stamp address refresh restock
    replenish preheat season chop peel grind brew bottle pickle freeze label laminate taste count weigh sample tally
    brainstorm tune validate wireframe storyboard render animate trace crop retouch knead whisk thaw reupholster grout
    tighten lubricate unjam rewire reroute restring rebrand alphabetize alphabetise categorize inventory catalogue
    catalog aerate reseed deworm accept advertise advise allocate amend approve assess assign attach automate bandage
    bury clarify classify configure consolidate construct contribute convince coordinate correct crochet customise
    customize decline decorate delegate diagnose disassemble discard disinfect dismantle dispose distribute educate
    embroider encourage engrave enquire enrol establish examine expand expense explore facilitate fasten finalise
    finalize flatten furnish illustrate inform inject inquire inspect insulate insure integrate introduce investigate
    itemise itemize justify maintain manage migrate modify motivate obtain optimise optimize overhaul persuade
    prioritise prioritize procure promote provide publicise publicize purge reactivate rearrange reassemble rebuild
    recharge reclaim reconcile reconnect recover redecorate redesign redistribute reduce refinance refinish refuel
    regrout rehang reheat reimburse reinstall reject relabel relocate remodel remount renegotiate renovate repaint
    repay rephrase replant reprint reseal resell resend resize restore resubmit retest rethink retrieve retype revamp
    revisit rewash sanitise sanitize settle shorten splice straighten strengthen supervise suspend teach terminate
    triage troubleshoot unblock unfreeze uninstall unplug unscrew untangle upcycle vacate weld whitewash winterise
    winterize descale bleed reboot restart redraft prepay invest unwrap sublet haggle locate nag photocopy digitise
    digitize greet uninvite rsvp reconfirm preorder fry boil ferment neuter spay microchip rehome hydrate inflate
    deflate align tow dump burn demolish haul babysit tutor appraise countersign notarise notarize certify interpret
    subtitle import sync downgrade encrypt decrypt skim
    """.split()
)
P = patterns_of(__name__)
PARTICLE = P.PARTICLE
COMMAND_VERBS = frozenset(
    """
    add archive block book bump cancel change check complete create cross delete drop forget list make mark move
    note postpone push put raise redo remember remind remove rename reopen reschedule save schedule scrap set shift
    show snooze start swap switch take tell tick undo untick update
    """.split()
)
UNSURE_VERBS = frozenset(
    """
    tell give turn find search look speak set start stop use open read list show save change track translate talk
    get check close go increase keep leave move put report resolve respond run skype stretch switch test update
    upgrade withdraw
    """.split()
)
EVENT_NOUNS = frozenset(
    """
    appointment appt meeting mtg lunch dinner breakfast brunch coffee drinks party interview flight standup sync
    call conference webinar workshop class lesson lecture seminar exam recital concert gig show game match practice
    rehearsal dentist doctor physio haircut checkup therapy session demo review retro viva wedding birthday funeral
    ceremony barbecue bbq picnic date shift trip visit tour hike run yoga gym swim training reservation viewing
    hearing ride movie film theatre theater play potluck reunion playdate sleepover vet optician massage facial
    inspection orientation 1:1 121 one-on-one mass church mosque synagogue pilates squash tennis badminton football
    golf choir karaoke bowling assembly graduation christening baptism matinee musical screening ultrasound mri
    surgery vaccination barber hairdresser orthodontist dermatologist gp chiropractor osteopath therapist midwife
    kickoff kick-off offsite townhall all-hands catchup catch-up
    """.split()
)
WHOLE_DAY_NOUNS = frozenset(
    "trip holiday vacation birthday anniversary leave conference festival retreat off pto camp deadline".split()
)


def is_verb(word: str) -> bool:
    """Whether a word can begin a request or a task."""
    return word in TASK_VERBS or word in COMMAND_VERBS
