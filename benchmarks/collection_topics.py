"""What generated articles are about: topics with the sections they have and the facts that are told in them.

Owns the wording of facts and questions, as data: eight topics here, and more in several wordings in
collection_topics.toml. In it {e} is the article's title, {v} the value that answers, {p} a person, {y} a year and {q} a
place. Knows nothing about how articles are put together.
"""

from __future__ import annotations

import dataclasses
import pathlib
import tomllib
from typing import Any

Path = tuple[str, ...]
"""Headings from the second level down."""


@dataclasses.dataclass(frozen=True)
class Hidden:
    """A fact whose question has the words of one section (`decoy`, under `near`) and its answer under `path`."""

    path: Path
    near: Path
    ask: str
    decoy: str
    tell: str
    value: str


@dataclasses.dataclass(frozen=True)
class Plain:
    """A fact told in one block, in words much like those of its question; without a path in the lead's list."""

    path: Path
    ask: str
    tell: str
    value: str


@dataclasses.dataclass(frozen=True)
class Spread:
    """A list whose items are told under several headings."""

    ask: str
    items: tuple[tuple[Path, str], ...]
    value: str


@dataclasses.dataclass(frozen=True)
class Topic:
    """A kind of article. `title` has {a} and {b}, two names; In `twin` {k}, a year, or {q} tells look-alikes apart."""

    name: str
    title: str
    twin: str
    lead: tuple[str, ...]
    filler: tuple[Path, ...]
    hidden: tuple[Hidden, ...]
    plain: tuple[Plain, ...]
    spread: tuple[Spread, ...]


TOWN = Topic(
    "town",
    "{a} {b}",
    "{a} {b} ({q} parish)",
    ("{e} is a market town on the river {q}.", "It grew around a crossing that traders used before {y}."),
    (("History",), ("Geography",), ("Geography", "Climate"), ("Economy",), ("Transport",), ("Notable people",)),
    (
        Hidden(
            ("Landmarks", "Records"),
            ("History", "Growth"),
            "How high is the tallest building in {e}?",
            "How high the tallest building in {e} should be was argued over for a generation of building.",
            "At {v} the old corn tower still looks down on all its neighbours.",
            "metres",
        ),
        Hidden(
            ("Market", "Fees and charges"),
            ("Economy", "Trade"),
            "What does a trader pay for a stall at the weekly market of {e}?",
            "A trader at the weekly market of {e} used to pay for a stall in kind, and every stall had its own corner.",
            "The clerk takes {v} for each pitch before noon.",
            "money",
        ),
        Hidden(
            ("Public services", "Opening hours"),
            ("Culture", "Archive"),
            "From what time can the town archive of {e} be visited?",
            "The town archive of {e} can be visited by anyone, and at any time of the year visitors are made welcome.",
            "Doors are unlocked at {v} on working days and closed at dusk.",
            "clock",
        ),
        Hidden(
            ("Government", "List of mayors"),
            ("History", "Modern times"),
            "Who was the first woman to lead the council of {e}?",
            "It took long before a woman could lead the council of {e}, and the first to stand was not elected.",
            "{v}, in office from {y}, who had been a teacher",
            "person",
        ),
    ),
    (
        Plain((), "What is the population of {e}?", "Population: {v}", "count"),
        Plain(("Geography",), "How far above the sea does {e} lie?", "{e} lies {v} above the sea.", "metres"),
        Plain(
            ("Education",), "Who founded the grammar school of {e}?", "The grammar school was founded by {v}.", "person"
        ),
    ),
    (
        Spread(
            "Which fairs are held in {e}?",
            (
                (("Culture", "Spring"), "The {v} Fair fills the square in the first week of May."),
                (("Culture", "Autumn"), "When the fruit is in, the {v} Fair goes on for three days."),
                (("Religion",), "Pilgrims come for the {v} Fair, which the abbot opens."),
                (("Sport",), "Rowers race at the {v} Fair, the youngest of all."),
            ),
            "thing",
        ),
    ),
)

FERRY = Topic(
    "ferry",
    "MV {a} {b}",
    "MV {a} {b} ({k})",
    ("{e} is a passenger ferry that was built at {q}.", "She was named after the wife of {p}."),
    (("History",), ("History", "Construction"), ("Design",), ("Service",), ("Accidents",), ("In popular culture",)),
    (
        Hidden(
            ("Records",),
            ("Service", "Route"),
            "What is the fastest crossing that the ferry {e} ever made?",
            "Passengers bet on the fastest crossing that {e} ever made, and each ferry had her own supporters.",
            "{v} from pier to pier, in a flat calm and never equalled",
            "minutes",
        ),
        Hidden(
            ("Service", "Fares"),
            ("History", "Ownership"),
            "How much does a single ticket with a bicycle cost on {e}?",
            "On {e} a bicycle used to travel without a ticket, and a single conductor looked after everything.",
            "Adults with two wheels are asked for {v}, children for half of it.",
            "money",
        ),
        Hidden(
            ("Design", "Machinery"),
            ("Service", "Refit"),
            "Which firm made what drives {e} through the water?",
            "What drives {e} through the water was taken out at the refit, and the firm that made it had long closed.",
            "Twin diesels by {v} and Sons turn four-bladed screws.",
            "place",
        ),
        Hidden(
            ("Fate",),
            ("Accidents", "Grounding"),
            "Where did {e} end her days?",
            "Many thought that {e} would end her days on the rocks where she had gone aground.",
            "Breakers at {v} took her apart within one winter.",
            "place",
        ),
    ),
    (
        Plain((), "What is the length of {e}?", "Length: {v}", "metres"),
        Plain(("Design",), "How many passengers can {e} carry?", "{e} can carry {v} passengers.", "count"),
        Plain(("History",), "Who was the first captain of {e}?", "The first captain of {e} was {v}.", "person"),
    ),
    (
        Spread(
            "Which harbours has {e} served?",
            (
                (("Service", "Summer timetable"), "From June she calls at {v} twice a day."),
                (("Service", "Winter timetable"), "In rough months she lies over at {v} instead."),
                (("History", "Wartime"), "Troops were landed at {v} under cover of night."),
                (("Charters",), "Choirs have hired her for trips to {v} since {y}."),
            ),
            "place",
        ),
    ),
)

MUSEUM = Topic(
    "museum",
    "{a} Museum of {b}",
    "{a} Museum of {b} ({q} branch)",
    ("The {e} shows the crafts of the valley in a former tannery.", "It is run by a trust that {p} set up."),
    (("History",), ("Building",), ("Collections",), ("Collections", "Paintings"), ("Research",), ("Reception",)),
    (
        Hidden(
            ("Visiting", "Admission"),
            ("History", "Foundation"),
            "What must a family of four pay to see the {e}?",
            "A family of four once had to pay with a day of work to see the {e}, or so the story goes.",
            "Two grown-ups and two children are let in for {v}.",
            "money",
        ),
        Hidden(
            ("Visiting", "Opening hours"),
            ("Reception", "Press"),
            "When in the morning does the {e} let people in?",
            "The papers wrote that the {e} should let people in when there is a morning to spare.",
            "Tuesday to Sunday from {v}; closed on Mondays",
            "clock",
        ),
        Hidden(
            ("Awards",),
            ("Research", "Workshop"),
            "Which prize did the restorers of the {e} win?",
            "The restorers of the {e} did not work to win a prize, and said which prize they would refuse.",
            "{v} Medal, {y}, for the weaving room",
            "thing",
        ),
        Hidden(
            ("Administration", "Staff"),
            ("History", "Fire"),
            "Who is in charge of the {e} today?",
            "Who was in charge of the {e} on the night of the fire is not known today.",
            "Since {y} {v} has been director, with nine assistants.",
            "person",
        ),
    ),
    (
        Plain((), "How many objects does the {e} have?", "Objects: {v}", "count"),
        Plain(
            ("Building",),
            "Who designed the building of the {e}?",
            "The building of the {e} was designed by {v}.",
            "person",
        ),
        Plain(
            ("Collections",),
            "In which year was the oldest loom of the {e} made?",
            "Its oldest loom was made in {v}.",
            "year",
        ),
    ),
    (
        Spread(
            "Which rooms does the {e} have for children?",
            (
                (("Collections", "Textiles"), "Small visitors dress up in the {v} Room."),
                (("Building", "Upper floor"), "Under the roof, the {v} Room has tables at knee height."),
                (("Education",), "School classes spend a morning in the {v} Room and bake bread."),
            ),
            "thing",
        ),
    ),
)

SOFTWARE = Topic(
    "software",
    "{a}{b} handbook",
    "{a}{b} handbook, {k} edition",
    ("This is the {e}.", "It describes the program as it was shipped in {y} and is kept by {p}."),
    (("Overview",), ("Installation",), ("Usage",), ("Usage", "Import"), ("Administration",), ("Changes",)),
    (
        Hidden(
            ("Troubleshooting", "Known problems"),
            ("Usage", "Export"),
            "In the {e}, what helps when an export stops halfway?",
            "An export stops when the last row is written; halfway marks are shown in the {e} only for large files.",
            "Set {v} to zero and start the service anew.",
            "setting",
        ),
        Hidden(
            ("Configuration", "Network"),
            ("Overview", "Architecture"),
            "According to the {e}, on which port does the server listen?",
            "According to the {e} the server does listen to its clients one at a time, on which all else depends.",
            "Default: {v}; change it before the first start",
            "port",
        ),
        Hidden(
            ("Licence and prices",),
            ("Overview", "Editions"),
            "What does one seat of the team edition cost, as the {e} says?",
            "As the {e} says, the team edition has one seat for each member of a team.",
            "Yearly and without tax: {v}",
            "money",
        ),
        Hidden(
            ("Reference", "Limits"),
            ("Usage", "Projects"),
            "How many files can a project hold at most, by the {e}?",
            "By the {e} a project can hold files of many kinds, and most people keep one project for each customer.",
            "Beyond {v} the indexer refuses to go on.",
            "count",
        ),
    ),
    (
        Plain((), "Who maintains the program of the {e}?", "Maintainer: {v}", "person"),
        Plain(
            ("Installation",),
            "How much disk does installation need, by the {e}?",
            "Installation needs {v} blocks of disk.",
            "count",
        ),
        Plain(
            ("Changes",), "Which setting did the {e} rename?", "The setting legacy_mode was renamed to {v}.", "setting"
        ),
    ),
    (
        Spread(
            "Which settings have to be on for audits, by the {e}?",
            (
                (("Configuration", "Logging"), "Auditors expect {v} to be switched on."),
                (("Administration", "Users"), "Turn {v} on before auditors arrive, or sign-ins are lost."),
                (("Usage", "Reports"), "Signed reports are written if {v} is on, as audits demand."),
            ),
            "setting",
        ),
    ),
)

ATHLETE = Topic(
    "athlete",
    "{a} {b}",
    "{a} {b} (born {k})",
    ("{e} is a retired runner who came from {q}.", "The family kept an inn there until {y}."),
    (("Early life",), ("Career",), ("Career", "First seasons"), ("Career", "Injury"), ("Coaching",), ("Later life",)),
    (
        Hidden(
            ("Personal bests",),
            ("Career", "Middle distance"),
            "How fast did {e} run the four hundred metres?",
            "How fast {e} could run over four hundred metres was doubted until the track was measured in metres again.",
            "One lap: {v}, wind still",
            "seconds",
        ),
        Hidden(
            ("Personal life", "Family"),
            ("Early life", "School"),
            "Whom did {e} marry?",
            "School friends of {e} were sure that runners do not marry.",
            "With {v} there are two daughters, who both row.",
            "person",
        ),
        Hidden(
            ("Honours",),
            ("Later life", "Club"),
            "Which order was given to {e} for a life in sport?",
            "For {e} a life in sport meant order in all things, and much was given to the club.",
            "{v} Cross, second class, {y}",
            "thing",
        ),
        Hidden(
            ("Death",),
            ("Later life", "Travels"),
            "What was the last place where {e} stayed?",
            "The last of the travels of {e} led from place to place, and nobody knew where the nights were spent.",
            "A nursing home at {v}, surrounded by old pupils",
            "place",
        ),
    ),
    (
        Plain((), "How tall is {e}?", "Height: {v}", "height"),
        Plain(("Coaching",), "Who coached {e}?", "{e} was coached by {v}.", "person"),
        Plain(("Career",), "In which year did {e} turn professional?", "{e} turned professional in {v}.", "year"),
    ),
    (
        Spread(
            "In which towns did {e} win a race?",
            (
                (("Career", "First seasons"), "A first victory came at {v}, in borrowed shoes."),
                (("Career", "Comeback"), "After the injury only {v} saw another victory."),
                (("Later life", "Veterans"), "Among veterans, {v} was won with a lap to spare."),
            ),
            "place",
        ),
    ),
)

COMPANY = Topic(
    "company",
    "{a} & {b}",
    "{a} & {b} ({k})",
    ("{e} is a maker of scales and balances.", "It has its seat at {q} and was entered in the register in {y}."),
    (("History",), ("Products",), ("Products", "Letter scales"), ("Markets",), ("Sites",), ("Advertising",)),
    (
        Hidden(
            ("Finances",),
            ("History", "Crisis"),
            "How much did {e} earn in its best year?",
            "In the crisis nobody at {e} would say how much the firm could earn, and the best year seemed far away.",
            "A surplus of {v} million was never reached again.",
            "count",
        ),
        Hidden(
            ("People", "Management"),
            ("History", "Family"),
            "Who runs {e} now?",
            "A joke in the family says that whoever runs at {e} now will not walk later.",
            "The board has been chaired by {v} since {y}.",
            "person",
        ),
        Hidden(
            ("Customer service", "Guarantee"),
            ("Products", "Kitchen scales"),
            "For how long will {e} mend a broken kitchen scale at no cost?",
            "{e} sold a kitchen scale that was hard to mend once broken, and the cost of it was long felt.",
            "{v} from the date on the receipt, springs left out",
            "months",
        ),
        Hidden(
            ("Controversies",),
            ("Markets", "Export"),
            "What fine did {e} have to pay for false weights?",
            "Abroad {e} had to show that weights were true, and officials would pay a visit to find false ones.",
            "The court at {q} settled on {v} thousand.",
            "count",
        ),
    ),
    (
        Plain((), "How many employees does {e} have?", "Employees: {v}", "count"),
        Plain(
            ("Products",),
            "What are the pans of the balances by {e} made of?",
            "The pans of its balances are made of {v}.",
            "material",
        ),
        Plain(("Sites",), "Where did {e} open its second factory?", "{e} opened its second factory at {v}.", "place"),
    ),
    (
        Spread(
            "Which firms did {e} take over?",
            (
                (("History", "Growth"), "With {v} and Company a rival was bought in {y}."),
                (
                    ("Products", "Laboratory balances"),
                    "The finest models come from {v} and Company, bought for its patents.",
                ),
                (("Markets", "Overseas"), "A foothold abroad was bought with {v} and Company."),
                (("Sites", "Foundry"), "The foundry was that of {v} and Company until it was bought."),
            ),
            "place",
        ),
    ),
)

PLANT = Topic(
    "plant",
    "{a}a {b}is",
    "{a}a {b}is ({q} variety)",
    ("{e} is a shrub of wet meadows.", "It was first collected near {q} by {p}."),
    (("Description",), ("Description", "Leaves"), ("Taxonomy",), ("Distribution",), ("Ecology",), ("Names",)),
    (
        Hidden(
            ("Toxicity",),
            ("Ecology", "Grazing"),
            "How much of {e} is enough to kill a sheep?",
            "A sheep will eat enough of {e} when little else grows, and herders kill time by counting how much.",
            "Flocks have been lost after {v} of the dried berries.",
            "kilograms",
        ),
        Hidden(
            ("Cultivation", "Sowing"),
            ("Distribution", "Gardens"),
            "How deep should gardeners put seeds of {e} into the ground?",
            "Gardeners should look for {e} where the ground stays wet, and put seeds aside however deep the snow is.",
            "Best done at {v}, in the last week of frost",
            "millimetres",
        ),
        Hidden(
            ("Conservation status",),
            ("Distribution", "Range"),
            "How many plants of {e} are left in the wild?",
            "In the wild {e} is left alone, and where many plants grow together no other can follow.",
            "Endangered; the last count came to {v}",
            "count",
        ),
        Hidden(
            ("Uses", "Medicine"),
            ("Names", "Folk names"),
            "Against what illness is a tea of {e} drunk?",
            "A folk name of {e} says that tea is drunk against what cannot be helped, illness or love.",
            "Healers at {q} prescribe it for {v} fever.",
            "place",
        ),
    ),
    (
        Plain((), "How high does {e} grow?", "Height: {v}", "height"),
        Plain(("Taxonomy",), "Who described {e} first?", "{e} was described first by {v}.", "person"),
        Plain(
            ("Description",),
            "What share of water do the stems of {e} hold?",
            "The stems of {e} hold {v} of water.",
            "percent",
        ),
    ),
    (
        Spread(
            "Which valleys is {e} known from?",
            (
                (("Distribution", "North"), "Dense stands cover the floor of the {v} valley."),
                (("Distribution", "South"), "One slope of the {v} valley has a few old shrubs."),
                (("Taxonomy", "Type specimen"), "The sheet in the herbarium was gathered in the {v} valley."),
            ),
            "place",
        ),
    ),
)

FESTIVAL = Topic(
    "festival",
    "{a} {b} Regatta",
    "{k} {a} {b} Regatta",
    ("The {e} is a race of wooden boats.", "It is sailed off {q} and was thought of by {p}."),
    (("Background",), ("Preparation",), ("Course",), ("Races",), ("Races", "First day"), ("Aftermath",)),
    (
        Hidden(
            ("Results",),
            ("Races", "Final day"),
            "Who won the {e}?",
            "On the final day nobody could say who won the {e}, and it was said that the wind had won.",
            "Gold: {v}; silver: the boat of the harbour master; bronze was not given",
            "person",
        ),
        Hidden(
            ("Course", "Distances"),
            ("Preparation", "Buoys"),
            "How long was the way round the island at the {e}?",
            "The way round the island was marked for the {e} with buoys that took long to lay.",
            "Second leg: {v}, against the tide",
            "metres",
        ),
        Hidden(
            ("Attendance",),
            ("Background", "Tickets"),
            "How many people watched the {e}?",
            "How many people watched the {e} from roofs, where tickets were not asked for, was never told.",
            "Gatekeepers tore {v} stubs.",
            "count",
        ),
        Hidden(
            ("Prizes",),
            ("Background", "Sponsors"),
            "What did the crew in second place take home from the {e}?",
            "The sponsors of the {e} wanted every crew to take home a photograph, from first place to last.",
            "Silver: the {v} Cup and a barrel of herring",
            "thing",
        ),
    ),
    (
        Plain((), "Who was the umpire of the {e}?", "Umpire: {v}", "person"),
        Plain(("Preparation",), "How many boats entered the {e}?", "{v} boats entered the {e}.", "count"),
        Plain(
            ("Aftermath",),
            "Where was the closing dinner of the {e} held?",
            "The closing dinner was held at {v}.",
            "place",
        ),
    ),
    (
        Spread(
            "Which boats sank during the {e}?",
            (
                (("Races", "First day"), "Half an hour after the gun the {v} went down by the stern."),
                (("Races", "Second day"), "Off the lighthouse the {v} filled and went down."),
                (("Aftermath", "Inquiry"), "The inquiry found that the {v} had gone down at her moorings."),
            ),
            "thing",
        ),
    ),
)

TOPICS: dict[str, Topic] = {
    topic.name: topic for topic in (TOWN, FERRY, MUSEUM, SOFTWARE, ATHLETE, COMPANY, PLANT, FESTIVAL)
}
"""By name; the halves HELD_OUT and the rest share no wording of facts."""

HELD_OUT = ("ferry", "software", "company", "festival")
"""Topics to measure with what was trained on the others."""

_MORE = pathlib.Path(__file__).with_suffix(".toml")


def more_topics() -> list[Topic]:
    """Return the topics of collection_topics.toml, each as often as its facts have wordings."""
    rows = tomllib.loads(_MORE.read_text("utf-8"))["topic"]
    return [_worded(row, at) for row in rows for at in range(max(len(fact["ask"]) for fact in row["hidden"]))]


def _worded(row: dict[str, Any], at: int) -> Topic:
    """Return a topic in the wording that is number `at` of each fact, counted round where one has fewer."""
    return Topic(
        f"{row['name']}/{at}",
        row["title"],
        row["twin"],
        tuple(row["lead"]),
        tuple(_path(one) for one in row["filler"]),
        tuple(
            Hidden(
                _path(_in_turn(one["path"], at)),
                _path(one["near"]),
                _in_turn(one["ask"], at),
                one["decoy"],
                one["tell"],
                one["value"],
            )
            for one in row["hidden"]
        ),
        tuple(Plain(_path(one["path"]), _in_turn(one["ask"], at), one["tell"], one["value"]) for one in row["plain"]),
        tuple(
            Spread(_in_turn(one["ask"], at), tuple((_path(path), tell) for path, tell in one["items"]), one["value"])
            for one in row["spread"]
        ),
    )


def _in_turn(wordings: list[str], at: int) -> str:
    return wordings[at % len(wordings)]


def _path(text: str) -> Path:
    return tuple(one.strip() for one in text.split("/") if one.strip())
