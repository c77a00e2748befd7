"""The control words of RTF that need no state: what they stand for."""

from __future__ import annotations

# fmt: off
PASSED_OVER = frozenset((
    "fonttbl", "object", "fldinst", "themedata", "colorschememapping",
    "datastore", "latentstyles", "listtable", "listoverridetable", "rsidtbl", "xmlnstbl", "generator",
    "filetbl", "revtbl", "nonshppict", "pnseclvl", "operator", "wgrffmtfilter", "mmathPr", "bkmkstart",
    "bkmkend", "atrfstart", "atrfend", "sp", "shpinst_", "blipuid", "panose", "falt", "pn", "company",
    "category", "keywords", "xe", "tc", "nonesttables",
))
# fmt: on
"""Groups that hold nothing to be read."""
INFO = ("title", "author")
"""What a file says of itself that is kept."""
CHARACTERS = {
    "emdash": "—",
    "endash": "–",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "tab": "\t",
    "line": "\n",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
}
SIGNS = {b"~": "\u00a0", b"_": "\u2011", b"-": "", b"\n": "\n", b"\r": "\n"}
CODE_PAGES = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    134: "gb18030",
    136: "big5",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
}
"""Encodings by the number of a font's character set."""
KEPT = frozenset(
    (
        *("shptxt", "shpinst", "listtext", "pntext", "footnote", "annotation", "atnauthor", "fldrslt"),
        *("header", "footer", "nesttableprops", "shppict", "objdata", "result"),
    )
)
DESTINATIONS = {
    "stylesheet": "style",
    "colortbl": "colours",
    "info": "info",
    "footnote": "footnote",
    "annotation": "annotation",
    "atnid": "",
    "atnauthor": "atnauthor",
    "nesttableprops": "nested",
    "pict": "pict",
    "objdata": "objdata",
    "result": "",
    "title": "title",
    "author": "author",
    **dict.fromkeys(("subject", "doccomm", "operator", "manager", "comment"), ""),
    **dict.fromkeys(("creatim", "revtim", "printim", "buptim"), ""),
    **dict.fromkeys(("header", "headerf", "headerl", "headerr", "footer", "footerf", "footerl", "footerr"), ""),
}
