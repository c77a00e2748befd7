"""Forty follow-up questions with what they ask for, written before there was a rule that makes them whole.

They come from many kinds of documents. A follow-up is made whole rightly where the question understood has all the
words of `has` and none of `lacks`: what it speaks of is in it, what it exchanges is gone.
"""

from __future__ import annotations

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class FollowUp:
    """A question, its short answer ("" for none), the follow-up, and words that tell a right completion."""

    earlier: str
    answer: str
    question: str
    has: str
    lacks: str = ""

    def is_met_by(self, understood: str) -> bool:
        """Whether a question understood has the words it must have and none it must not."""
        words = set(_words(understood))
        return words >= set(_words(self.has)) and not words & set(_words(self.lacks))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


FOLLOW_UPS = (
    # Years, quarters and other values exchanged
    FollowUp("What was net income in 2015?", "$4.2 million", "and in 2016?", "net income 2016", "2015"),
    FollowUp(
        "How many passengers did the ferry carry in 2019?",
        "18,400",
        "What about 2021?",
        "passengers ferry carry 2021",
        "2019",
    ),
    FollowUp("What were total assets at the end of fiscal 2020?", "", "And 2021?", "total assets fiscal 2021", "2020"),
    FollowUp("How much rain fell in March?", "84 mm", "and in April?", "how much rain fell april", "march"),
    FollowUp("What does Table 3 show?", "", "And Table 4?", "what show table 4", "3"),
    FollowUp("What is said on page 12?", "", "what about page 13?", "said page 13", "12"),
    FollowUp(
        "What share of respondents aged 18 to 29 own a car?",
        "41 %",
        "And those aged 30 to 49?",
        "share respondents own car 30 49",
        "18 29",
    ),
    # Names exchanged
    FollowUp("How long is the Storm Petrel?", "40 m", "And the Grey Heron?", "how long grey heron", "petrel"),
    FollowUp("What did Germany export to France?", "cars", "How about Italy?", "what export italy"),
    FollowUp("Who is the mayor of Harwick?", "Ada Brand", "And of South Haven?", "who mayor south haven", "harwick"),
    FollowUp("What score does BERT get on SQuAD?", "88.5", "what about RoBERTa?", "score roberta squad", "bert"),
    FollowUp(
        "When was the courthouse in Aurora built?",
        "1895",
        "and the one in Giltner?",
        "courthouse giltner built",
        "aurora",
    ),
    FollowUp(
        "How much did the consumer segment earn in 2018?",
        "",
        "And the industrial segment?",
        "how much industrial segment earn 2018",
        "consumer",
    ),
    # Pronouns of things
    FollowUp("How deep is the harbour?", "7 metres", "And how wide is it?", "how wide harbour", "deep"),
    FollowUp(
        "When was the lighthouse at North Gut built?", "1898", "Who built it?", "who built lighthouse north gut", "when"
    ),
    FollowUp("What is the capacity of the water tank?", "800 litres", "Where is it?", "where water tank"),
    FollowUp("Which company supplied the new turbine?", "Nordwind", "What did it cost?", "cost turbine"),
    FollowUp(
        "How many employees does Best Buy have?", "90,000", "Where are its headquarters?", "where best buy headquarters"
    ),
    FollowUp(
        "What colour is the warning lamp of the pump?",
        "amber",
        "what does it mean when it flashes?",
        "warning lamp mean flashes",
    ),
    FollowUp("Which gauges were replaced?", "the two tide gauges", "When were they replaced?", "when gauges replaced"),
    FollowUp(
        "What are the side effects of metoprolol?",
        "",
        "How often do they occur?",
        "how often side effects metoprolol occur",
    ),
    FollowUp("How is the sourdough starter fed?", "", "How long does that take?", "how long starter fed take"),
    # Pronouns of persons
    FollowUp("Who is the chief financial officer?", "Maria Lind", "How old is she?", "how old maria lind"),
    FollowUp(
        "Who wrote the report on coastal erosion?", "", "What else did he write?", "who wrote report coastal erosion"
    ),
    FollowUp("When did Captain Ross join the company?", "in 2004", "Where was he before?", "where captain ross before"),
    FollowUp(
        "Which judge dismissed the case?", "Helen Marsh", "Why did she dismiss it?", "why helen marsh dismiss case"
    ),
    # Bare question words
    FollowUp("Was the old mast replaced?", "yes", "Why?", "why old mast replaced"),
    FollowUp("Does the warranty cover water damage?", "no", "Why not?", "why not warranty cover water damage"),
    FollowUp("Did the board approve the merger?", "yes", "When?", "when board approve merger"),
    FollowUp("Who repaired the crane on pier 4?", "Lund & Sons", "When was that?", "when repaired crane pier 4"),
    FollowUp("Where is the emergency stop of the lathe?", "", "On which page is that?", "page emergency stop lathe"),
    FollowUp("What is the penalty for late payment?", "5 %", "Where does it say that?", "where penalty late payment"),
    FollowUp("How many reactors were inspected?", "six", "Which ones?", "which reactors inspected"),
    # Ellipsis
    FollowUp("Which ferry is the longest?", "the Storm Petrel", "And the shortest?", "which ferry shortest", "longest"),
    FollowUp(
        "What is the maximum speed of the drone?", "68 km/h", "and the minimum?", "minimum speed drone", "maximum"
    ),
    FollowUp("How many goals did the home team score?", "3", "And the other one?", "how many goals team score"),
    FollowUp("How do I clean the milk nozzle?", "", "And the drip tray?", "how clean drip tray", "nozzle"),
    FollowUp("What is the tuition fee for residents?", "$4,000", "And for non-residents?", "tuition fee non residents"),
    FollowUp(
        "How much sugar is in the marmalade?", "650 g", "and how much pectin?", "how much pectin marmalade", "sugar"
    ),
    FollowUp(
        "What did the second report say about noise?", "", "And about dust?", "what second report say dust", "noise"
    ),
)
