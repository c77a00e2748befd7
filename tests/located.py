"""A guide of twenty pages with everything a question can point at, and the pages that questions about it lead to."""

from __future__ import annotations

import dataclasses

from octavo_documents.document import Document, Kind, TextColumn
from synthetic import Row, document

ROWS: list[Row] = [
    (Kind.TITLE, "Harbour guide", 1, 0),
    (Kind.PARAGRAPH, "For guests and keepers.", 1, 0),
    (Kind.PARAGRAPH, "The harbour master wishes you well.", 2, 0),
    (Kind.HEADING, "1 Introduction", 3, 1),
    (Kind.PARAGRAPH, "The harbour was built of stone.", 3, 0),
    (Kind.PARAGRAPH, "It was rebuilt after the storm.", 4, 0),
    (Kind.HEADING, "2 Mooring", 5, 1),
    (Kind.HEADING, "2.1 Fees", 5, 2),
    (Kind.PARAGRAPH, "Berths are paid by the night.", 5, 0),
    (Kind.TABLE, "Length | Fee\n10 m | 12 crowns", 6, 0),
    (Kind.CAPTION, "Table 1: Fees", 6, 0),
    (Kind.HEADING, "2.2 Berths", 7, 2),
    (Kind.FIGURE, "", 7, 0),
    (Kind.CAPTION, "Figure 1: Quays", 7, 0),
    (Kind.FIGURE, "", 8, 0),
    (Kind.CAPTION, "Figure 2: Piers, (a) north and (b) south", 8, 0),
    (Kind.HEADING, "3 Crew", 9, 1),
    (Kind.PARAGRAPH, "The crew bakes its bread.", 9, 0),
    (Kind.FIGURE, "", 10, 0),
    (Kind.CAPTION, "Figure 3: Bakers", 10, 0),
    (Kind.TABLE, "Season | Bakers\nWinter | 2", 11, 0),
    (Kind.CAPTION, "Table 2: Bakers by season", 11, 0),
    (Kind.TABLE, "Tower | Keepers\nNorth | 3", 12, 0),
    (Kind.CAPTION, "Table 3: Keepers", 12, 0),
    (Kind.HEADING, "Chapter IV Weather", 13, 1),
    (Kind.FIGURE, "", 13, 0),
    (Kind.CAPTION, "Fig. 4 Storms", 13, 0),
    (Kind.CHART, "", 14, 0),
    (Kind.CAPTION, "Chart 1: Rain", 14, 0),
    (Kind.HEADING, "4.1 Wind", 15, 2),
    (Kind.PARAGRAPH, "It blows from the west.", 15, 0),
    (Kind.HEADING, "Appendix A Maps", 16, 1),
    (Kind.FIGURE, "", 16, 0),
    (Kind.CAPTION, "Figure A.1: North", 16, 0),
    (Kind.HEADING, "Appendix B Logs", 17, 1),
    (Kind.PARAGRAPH, "Day one was calm.", 17, 0),
    (Kind.PARAGRAPH, "Day two was not.", 18, 0),
    (Kind.HEADING, "Appendix C Prices", 19, 1),
    (Kind.TABLE, "Bread | 2 crowns", 19, 0),
    (Kind.CAPTION, "Table C-1: Prices", 19, 0),
    (Kind.HEADING, "References", 20, 1),
    (Kind.PARAGRAPH, "The old book of tides.", 20, 0),
]
GUIDE = document(ROWS, pages=20, name="guide.pdf")
_LABELS = [*("i", "ii", "iii", "iv"), *(str(number) for number in range(1, 13)), "A-1", "A-2", "A-3", "A-4"]
LABELLED: Document = dataclasses.replace(GUIDE, pages=dataclasses.replace(GUIDE.pages, label=TextColumn.of(_LABELS)))
"""The same guide with printed labels: four Roman pages, twelve counted from 1, then those of the appendices."""

LOCATED: dict[str, set[int]] = {
    # pages by number
    "What is on page 5?": {5},
    "the note on p. 14": {14},
    "see p.12": {12},
    "the quote on pg. 7": {7},
    "on page number 8": {8},
    "on page no. 4": {4},
    "what is on slide #9": {9},
    "who is on page five": {5},
    "on page 5, how many crowns?": {5},
    # lists and ranges
    "pages 3 to 7 and 9": {3, 4, 5, 6, 7, 9},
    "Summarise pages 12, 14 and 16-18.": {12, 14, 16, 17, 18},
    "pp. 3-7": {3, 4, 5, 6, 7},
    "pages 3–5": {3, 4, 5},
    "between pages 3 and 5": {3, 4, 5},
    "from page 3 to page 5": {3, 4, 5},
    "pages 10 through 12": {10, 11, 12},
    "slide 14 and slide 16": {14, 16},
    "pages 2 & 3": {2, 3},
    # pages by position
    "the first page": {1},
    "the cover page": {1},
    "the front cover": {1},
    "the opening slide": {1},
    "the 3rd slide": {3},
    "on the eleventh page": {11},
    "the first ten pages": set(range(1, 11)),
    "the first 10 slides": set(range(1, 11)),
    "the last slide": {20},
    "on the final page": {20},
    "the last three slides of the deck": {18, 19, 20},
    "the second to last page": {19},
    "the penultimate slide": {19},
    "the page before the last": {19},
    "the first and last pages": {1, 20},
    "What is on the back cover?": {20},
    # pages inside of something
    "page 2 of Appendix B": {18},
    "the first page of chapter 4": {13},
    "the last page of Appendix B": {18},
    "the last page of section 2": {8},
    # figures, tables and charts
    "Fig. 2(b)": {8},
    "Fig 2b": {8},
    "the red box of Figure 3 (left)": {10},
    "Figures 1 and 3": {7, 10},
    "Figs. 1-3": {7, 8, 10},
    "What does figure 4 show?": {13},
    "According to Table II": {11},
    "according to table 3": {12},
    "Table 1 and Figure 1": {6, 7},
    "Figure A.1": {16},
    "Table C-1": {19},
    "Table C.1": {19},
    "Chart 1": {14},
    "the first figure": {7},
    "the second table": {11},
    "the last table": {19},
    "the last figure in Section 2": {8},
    "the first table in Section 3": {11},
    # sections and appendices: all their pages
    "What does Section 2.1 say?": {5, 6},
    "in § 2.2": {7, 8},
    "sections 2.1 to 2.2": {5, 6, 7, 8},
    "Chapter IV": {13, 14, 15},
    "chapter four": {13, 14, 15},
    "Appendix C": {19},
    "Appendices A and C": {16, 19},
    "in the introduction": {3, 4},
    "In the Crew section, who bakes?": {9, 10, 11, 12},
    'the chapter titled "Weather"': {13, 14, 15},
    "the section “Berths”": {7, 8},
    # told from something else
    "the page after Table 2": {12},
    "two pages before Figure 4": {11, 12},
    "the table on the next page after Figure 3": {11},
    "the chart on the page after Figure 4": {14},
    "the table on the previous page before Figure 1": {6},
    "the figure on the same page as Table 1": {6},
    "the page after page 3": {4},
    "the page before Appendix A": {15},
}
"""Questions and the physical pages they lead to."""

BY_LABEL: dict[str, set[int]] = {
    "on p. iv": {4},
    "page iii": {3},
    "pages i-iii": {1, 2, 3},
    "pages ii to iv": {2, 3, 4},
    "on page A-2": {18},
    "on page 12": {16, 12},
    "page 1": {5, 1},
}
"""The same for the labelled guide: a number is that of the label and that of the file."""
