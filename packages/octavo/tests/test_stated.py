"""What is stated: only where all that the question says is bound to that value or name, and to no rival beside it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from indexed import run_over
from octavo import systems
from octavo.evidence import Answer, Outcome, Query
from octavo_documents.document import Kind
from synthetic import Row, document, with_tables

ROWS: list[Row] = [(Kind.PARAGRAPH, "The office is open on weekdays.", 1, 0)]


def ask(text: str, question: str, *, scanned: bool = False) -> Answer:
    told: list[Row] = [(Kind.HEADING, "Notes", 1, 1), (Kind.PARAGRAPH, text, 1, 0), *ROWS]
    return systems.run_ask(systems.get("auto"), Query(question), run_over(document(told, scanned=scanned)))


def ask_table(rows: Sequence[Sequence[str]], question: str, caption: str = "Table 1: Figures") -> Answer:
    told: list[Row] = [(Kind.HEADING, "Report", 1, 1), (Kind.CAPTION, caption, 1, 0), (Kind.TABLE, "", 1, 0), *ROWS]
    source = with_tables(document(told), {2: rows}, {2: 1})
    return systems.run_ask(systems.get("auto"), Query(question), run_over(source))


YEARS = "In 2018 the zoo had 210,000 guests, in 2020 only 96,000 guests."
FLOW = "Debt was (85) million dollars in 2022 against 102 million dollars in 2021."
SIDES = "The upper pool is 3 metres deep, the lower pool is 1.2 metres deep."
SHIP = "The hall is 40 metres long and 18 metres wide."
ROAD = "The old road is 12 km long. The new road is 9 km long."
MILL = "The mill was built in 1790 and burnt down in 1911."
PAID = "Members pay 30 euros a year, guests pay 45 euros."
HOUSE = "Nina Roth designed the house and Erik Dahl built it."
SALES = "Sales rose from 310 million dollars in 2020 to 365 million dollars in 2021."


@pytest.mark.parametrize(
    ("text", "question", "stated"),
    [
        (YEARS, "How many guests did the zoo have in 2020?", "96,000"),
        (YEARS, "How many guests did the zoo have in 2018?", "210,000"),
        (FLOW, "What was debt in 2022?", "(85) million dollars"),
        (FLOW, "What was debt in 2021?", "102 million dollars"),
        (SIDES, "How deep is the lower pool?", "1.2 metres"),
        (SHIP, "How wide is the hall?", "18 metres"),
        (ROAD, "How long is the new road?", "9 km"),
        (MILL, "When was the mill burnt down?", "1911"),
        (PAID, "How much do guests pay?", "45 euros"),
        (HOUSE, "Who built the house?", "Erik Dahl"),
        (SALES, "What were sales in 2021?", "365 million dollars"),
        (SALES, "What were sales in 2020?", "310 million dollars"),
        ("The fee was raised by 5 euros to 40 euros.", "What is the fee?", "40 euros"),
        ("No more than 12 persons may board.", "How many persons may board?", "No more than 12"),
        ("The stone weighs 3.4 tonnes.", "What does the stone weigh?", "3.4 tonnes"),
        ("The train reaches 210 km/h.", "How fast is the train?", "210 km/h"),
    ],
)
def test_of_two_values_that_of_the_clause_asked_for_is_stated(text: str, question: str, stated: str) -> None:
    answer = ask(text, question)
    assert (answer.outcome, answer.text) == (Outcome.ANSWER, stated)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The grid has 1000^2 cells.", "How many cells does the grid have?"),
        (SALES, "What were sales in 2019?"),
        (SHIP, "How high is the hall?"),
        ("The well is 18 metres from the house and the water stands at 7 degrees.", "How deep is the well?"),
        ("The chapel was consecrated in 1640 and later demolished.", "When was the chapel demolished?"),
        ("The theatre was opened in 1903. It was closed after the war.", "When was the theatre closed?"),
        ("The term ends six months after the notice, which was given on 1 April 2022.", "When does the term end?"),
        ("The firm earned 2 million euros in 2021; in 2022 it lost 5 million euros.", "How much did it earn in 2022?"),
        ("The company lost 6 million euros in 2019 and 2 million euros in 2020.", "What did the company earn in 2020?"),
        ("The buyer pays the freight and brings the goods to Rotterdam.", "Who pays the freight?"),
        ("No payment was received on 15 May 2021.", "When was the payment received?"),
        ("Without insurance the trip costs 480 euros.", "How much does the trip cost with insurance?"),
        ("If notice is given before March, the rent falls to 900 euros.", "What is the rent?"),
        ("Profit was 12 million euros, 3 million euros more than in 2018.", "What was profit in 2018?"),
        ("Karl Weber succeeded Ilse Braun as chairwoman in 2016.", "Who was chairwoman before 2016?"),
        ("The tower weighs 80 tonnes.", "How tall is the tower?"),
        ("The silo weighs 12 kg and holds 75 L.", "What is the capacity of the silo?"),
        ("The cistern is 3 metres deep and is cleaned in May.", "What is the capacity of the cistern?"),
        ("Use a number such as 4711 for the order.", "What is the number of the order?"),
    ],
)
def test_a_value_of_something_else_is_shown_and_not_stated(text: str, question: str) -> None:
    answer = ask(text, question)
    assert answer.outcome is Outcome.PASSAGES, answer.text
    assert text.split(".", maxsplit=1)[0] in answer.passages[0].text


MONTHS = [["Month", "Visitors"], ["Jan", "310"], ["Feb", "275"], ["Mar", "402"], ["May", "388"]]
BOATS = [["Boat", "Length (m)", "Weight (t)", "Crew"], ["Tern", "11.5", "14", "4"], ["Gull", "9", "8", "3"]]
HOTELS = [["City", "Hotel limit (£)", "Preferred hotel"], ["Zurich", "210", "Krone"], ["other cities", "110", ""]]
ZONES = [["", "2022", "2023"], ["Sales of Zone Isles", "2,135", "2,290"], ["Sales of Zone North", "1,100", "1,300"]]


@pytest.mark.parametrize(
    ("rows", "question", "text", "value"),
    [
        (MONTHS, "How many visitors came in February?", "275", 275),
        (MONTHS, "How many visitors came in March?", "402", 402),
        (BOATS, "How heavy is the Tern?", "14 t", 14),
        (BOATS, "How long is the Gull?", "9 m", 9),
        (HOTELS, "What is the hotel limit in Zürich?", "£210", 210),
    ],
)
def test_a_cell_is_stated_with_the_unit_that_its_head_tells(
    rows: Sequence[Sequence[str]], question: str, text: str, value: float
) -> None:
    answer = ask_table(rows, question)
    assert (answer.outcome, answer.text, answer.value) == (Outcome.ANSWER, text, value)
    assert answer.lead == "Found in Table 1, page 1"


@pytest.mark.parametrize(
    ("caption", "text"),
    [
        ("Table 1: Sales, in € million", "€2,135 million"),
        ("Table 1: Sales (€000s)", "€2,135 thousand"),
        ("Table 1: Sales in thousands of euros", "2,135 thousand euros"),
    ],
)
def test_the_scale_of_a_caption_is_told(caption: str, text: str) -> None:
    assert ask_table(ZONES, "What were the sales of Zone Isles in 2022?", caption).text == text


@pytest.mark.parametrize(
    ("rows", "question"),
    [
        (BOATS, "How wide is the Gull?"),
        (BOATS, "What is the height of the Tern?"),
        (ZONES, "What were the sales of Zone Isles in 2021?"),
        (HOTELS, "What is the hotel limit in Tokyo?"),
        (HOTELS, "What is the hotel limit in tokyo?"),
    ],
)
def test_no_cell_answers_for_another_column_row_or_year(rows: Sequence[Sequence[str]], question: str) -> None:
    assert ask_table(rows, question).outcome is Outcome.PASSAGES


def test_a_month_that_is_not_there_is_not_answered_from_another_row() -> None:
    answer = ask_table(MONTHS, "How many visitors came in July?")
    assert (answer.outcome, answer.looked_for) == (Outcome.NOTHING, ("July",))


DAYS = [["day", "visitors"], ["2021-01-05", "310"], ["2021-02-05", "275"], ["2021-03-05", "402"]]


def test_a_month_of_dates_in_figures_is_found_and_not_told_to_be_missing() -> None:
    answer = ask_table(DAYS, "How many visitors came in February 2021?")
    ((start, stop),) = answer.passages[0].emphasis
    assert answer.outcome is not Outcome.NOTHING
    assert answer.passages[0].text[start:stop] == "2021-02-05 | 275"
    assert ask_table(DAYS, "How many visitors came in July 2021?").outcome is Outcome.NOTHING


def test_what_ocr_may_have_read_of_a_power_is_not_stated() -> None:
    text, question = "The silo holds up to 107 seeds.", "How many seeds does the silo hold?"
    assert ask(text, question).text == "up to 107"
    assert ask(text, question, scanned=True).outcome is Outcome.PASSAGES
    assert ask("The silo holds up to 170 seeds.", question, scanned=True).text == "up to 170"


def test_a_row_for_all_others_is_shown_for_a_name_that_no_row_has() -> None:
    answer = ask_table(HOTELS, "What is the hotel limit in Tokyo?")
    ((start, stop),) = answer.passages[0].emphasis
    assert answer.passages[0].text[start:stop].startswith("other cities | 110")


def test_nothing_is_answered_from_what_is_struck_out_and_that_is_said() -> None:
    answer = ask("A ticket costs ~~4~~ 5 euros.", "What does a ticket cost?")
    assert (answer.text, answer.citations[0].quote) == ("5 euros", "A ticket costs ~~4~~ 5 euros.")
    assert answer.lead == "Found in Notes, page 1; “4” is struck out there"
    gone = ask("A ticket costs ~~4 euros~~ and dogs ride free.", "What does a ticket cost?")
    assert gone.outcome is Outcome.PASSAGES
    assert gone.lead.endswith("; “4 euros” is struck out there")


def test_marks_of_notes_stay_in_the_quote_alone_and_powers_in_the_number() -> None:
    answer = ask("The annual fee is 320¹ dollars.", "What is the annual fee?")
    assert (answer.text, answer.value) == ("320 dollars", 320.0)
    assert answer.citations[0].quote == "The annual fee is 320¹ dollars."
    tank = ask("The tank holds 10^6 litres.", "How many litres does the tank hold?")
    assert (tank.text, tank.value) == ("10^6 litres", 1_000_000)


@pytest.mark.parametrize(
    ("measure", "printed"), [("volume", "0.2 L"), ("volume", "12 mL"), ("area", "3.5 ha"), ("pressure", "40 kPa")]
)
def test_a_value_is_stated_with_its_symbol(measure: str, printed: str) -> None:
    assert ask(f"The {measure} of the kettle is {printed}.", f"What is the {measure} of the kettle?").text == printed


def test_a_range_is_stated_whole() -> None:
    assert ask("The files are 20-25 MB large.", "How large are the files?").text == "20-25 MB"


NAMED = (
    ("The mill at Arn was founded by Ada Lee after a visit of Tom Orr.", "Who founded the mill at Arn?", "Ada Lee"),
    ("Tom Orr praised the mill that Ada Lee founded at Arn.", "Who founded the mill at Arn?", "Ada Lee"),
    ("Dry welding was shown in Lund in 1901.", "Which welding process was shown in Lund in 1901?", "Dry welding"),
    ("The head office lies in Port Orr, Norland.", "Where does the head office lie?", "Port Orr, Norland"),
)


LISTS = (
    ("The plans include closing shops, selling ships and cutting posts.", "What do the plans include?"),
    ("The debt consisted of bonds due to the state.", "What did the debt consist of?"),
    ("The test of a mast is a two-step process.", "What is the first step of the test of a mast?"),
    ("Wear came to 19 tonnes in 2019 and 21 tonnes in 2018.", "In which year was the wear larger?"),
)


@pytest.mark.parametrize(("text", "question"), LISTS)
def test_what_goes_on_or_would_have_to_be_compared_is_not_stated(text: str, question: str) -> None:
    assert ask(text, question).outcome is not Outcome.ANSWER


@pytest.mark.parametrize(("text", "question", "answer"), NAMED)
def test_what_stands_in_the_gap_of_a_question_answers(text: str, question: str, answer: str) -> None:
    told = ask(text, question)
    assert (told.outcome, told.text) == (Outcome.ANSWER, answer)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The old tune is still used by NRK on Demand at the start of a show.", "Where is the old tune still in use?"),
        ("The tune was made for the “We Love Tea” image campaign.", "What image campaign was the tune made for?"),
        ("The treaty was signed by ILO in Geneva.", "Who signed the treaty?"),
        ("Norland is the second largest producer of soy after the United States.", "Where is Norland ranked in soy?"),
        ("Sales at Korvik Steel are checked for quality each week.", "Who at Korvik is responsible for quality?"),
        ("Drivers may claim up to 10,000 miles a year.", "How much can drivers claim per mile?"),
        ("Cars get 45p per mile. Above 900 miles they get £0.25 per mile.", "How much do cars get per mile?"),
        ("The operating loss increased $63 million to $987 million in 2018.", "What was the operating loss in 2018?"),
    ],
)
def test_a_part_of_a_name_another_sort_of_thing_or_a_change_is_not_stated(text: str, question: str) -> None:
    told = ask(text, question)
    assert told.outcome is not Outcome.ANSWER or told.text == "$987 million"


@pytest.mark.parametrize(
    ("text", "question", "stated"),
    [
        ("The board consists of up to 9 members.", "How many members does the board have?", "up to 9"),
        ("The fleet counts more than 40 boats.", "How many boats does the fleet have?", "more than 40"),
        ("A crew has 5 sailors or fewer.", "How many sailors does a crew have?", "5 sailors or fewer"),
        ("Over 300 visitors came in 2019.", "How many visitors came in 2019?", "Over 300"),
        ("The deposit is less than 200 euros.", "How much is the deposit?", "less than 200 euros"),
        ("Die Flotte zählt mehr als 40 Boote.", "Wie viele Boote zählt die Flotte?", "mehr als 40"),
    ],
)
def test_a_value_that_is_a_bound_is_stated_as_one(text: str, question: str, stated: str) -> None:
    answer = ask(text, question)
    assert (answer.outcome, answer.text) == (Outcome.ANSWER, stated)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("When there are fewer than 8 members the chair may name new ones.", "How many members does the board have?"),
        ("As soon as less than 12 moorings are free, no guest is admitted.", "How many moorings are free?"),
        ("Pupils invite all parents who take part in Phase B programmes.", "Who takes part in programmes?"),
        ("SAMPLE RULES Each club of Part A must agree on a compact with its guests.", "Who agrees on a compact?"),
    ],
)
def test_a_bound_of_a_condition_and_a_numbered_part_are_not_stated(text: str, question: str) -> None:
    assert ask(text, question).outcome is not Outcome.ANSWER
