"""What stands on the slides. Owns the words and numbers; knows nothing about how they are painted."""

from __future__ import annotations

from dataclasses import dataclass

TITLE = "A Third Boat for the Sound"
FOOTER = "Marrow Sound Ferries, 12 June 2031"


@dataclass(frozen=True)
class Lines:
    """Lines of plain text, the first one larger."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Bullets:
    """List items as (depth, text); `ordered` ones are numbered instead of dotted."""

    items: tuple[tuple[int, str], ...]
    ordered: bool = False


@dataclass(frozen=True)
class Grid:
    """A table: columns are (alignment, share of the width)."""

    columns: tuple[tuple[str, float], ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Chart:
    """Bars with their values: upright, or `across` with the names on the left."""

    values: tuple[tuple[str, int], ...]
    unit: str
    across: bool = False


@dataclass(frozen=True)
class Diagram:
    """Boxes of two lines in a row, joined by arrows."""

    boxes: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Caption:
    """A small line under a table, chart or diagram."""

    text: str


Part = Lines | Bullets | Grid | Chart | Diagram | Caption


@dataclass(frozen=True)
class Slide:
    """One slide: its title and its parts from top to bottom."""

    title: str
    parts: tuple[Part, ...]


SLIDES = (
    Slide(
        TITLE,
        (Lines(("Public meeting, Port Callan Town Hall", "12 June 2031", "Ingrid Vasse, Marrow Sound Ferries")),),
    ),
    Slide(
        "Why we are here",
        (
            Bullets(
                (
                    (0, "412,000 passengers in 2030, more than ever before"),
                    (0, "In July every ninth sailing left somebody on the quay"),
                    (0, "MV Corran is 31 years old"),
                    (1, "her certificate ends in March 2034"),
                    (1, "spare parts are made to order, in 14 weeks"),
                    (0, "The county offers 4.2 million if we decide by 30 September"),
                )
            ),
        ),
    ),
    Slide(
        "Passengers have grown by a fifth",
        (
            Chart((("2025", 338), ("2026", 351), ("2027", 349), ("2028", 372), ("2029", 395), ("2030", 412)), ""),
            Caption("Passengers in thousands. Source: ticket office, all routes"),
        ),
    ),
    Slide(
        "Three ways to add seats",
        (
            Grid(
                (("l", 0.30), ("r", 0.22), ("r", 0.12), ("r", 0.11), ("r", 0.25)),
                ("Option", "Cost, million", "Seats", "Cars", "Ready"),
                (
                    ("Refit MV Corran", "1.9", "180", "12", "May 2032"),
                    ("Buy second-hand", "3.4", "240", "22", "November 2031"),
                    ("Build new", "7.8", "260", "28", "June 2033"),
                ),
            ),
            Caption("Prices of April 2031, without tax"),
            Bullets(((0, "Only a new boat can carry the school coach"),)),
        ),
    ),
    Slide(
        "What passengers told us",
        (
            Chart(
                (("A later last boat", 46), ("Room for bicycles", 27), ("Lower fares", 18), ("Nothing at all", 9)),
                " %",
                across=True,
            ),
            Caption("Survey of 1,864 passengers, February 2031: the one thing you would change"),
        ),
    ),
    Slide(
        "The timetable we propose",
        (
            Grid(
                (("l", 0.25), ("r", 0.22), ("r", 0.19), ("l", 0.34)),
                ("Sailing", "Port Callan", "Lorne", "Runs"),
                (
                    ("First", "06:10", "07:00", "Monday to Saturday"),
                    ("Morning", "09:20", "10:10", "Daily"),
                    ("Midday", "13:30", "14:20", "Daily"),
                    ("Evening", "17:40", "18:30", "Daily"),
                    ("Last", "22:45", "23:35", "Friday and Saturday"),
                ),
            ),
            Caption("Today the last boat leaves Port Callan at 19:30"),
        ),
    ),
    Slide(
        "A boat that burns less",
        (
            Diagram((("Battery", "1,100 kWh"), ("Two motors", "450 kW each"), ("Propellers", "2.1 m"))),
            Bullets(
                (
                    (0, "Crosses on the battery alone in calm weather"),
                    (0, "One diesel of 620 kW for wind above 15 m/s"),
                    (0, "Saves 380 tonnes of carbon dioxide a year"),
                )
            ),
        ),
    ),
    Slide(
        "What could go wrong",
        (
            Bullets(
                (
                    (0, "The yard is late"),
                    (1, "penalty of 6,000 for each day after 30 June 2033"),
                    (0, "The quay has too little power"),
                    (1, "a second cable costs 240,000 and takes 7 months"),
                    (0, "Too few engineers"),
                    (1, "we train four of our own crew, from January 2032"),
                )
            ),
        ),
    ),
    Slide(
        "What we ask of you",
        (
            Bullets(
                (
                    (0, "Take a ballot card at the door"),
                    (0, "Mark one of the three options"),
                    (0, "Leave it in the green box by 30 June"),
                    (0, "Come back on 4 July to hear the count"),
                ),
                ordered=True,
            ),
        ),
    ),
    Slide(
        "Questions",
        (Lines(("The ferry office, 4 Quay Street", "Monday to Friday, 09:00 to 16:30", "Telephone 0417 552 038")),),
    ),
)
