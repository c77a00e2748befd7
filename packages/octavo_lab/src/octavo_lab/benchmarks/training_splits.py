"""Splits of published benchmarks that are for training: systems are measured by others, never by these."""

from __future__ import annotations

import dataclasses

from octavo_lab.benchmarks import open_domain
from octavo_lab.benchmarks.rows import json_object

ASQA_TRAIN = dataclasses.replace(
    open_domain.ASQA,
    name="asqa-train",
    title="ASQA, training split",
    source="https://github.com/google-research/language/tree/master/language/asqa",
    files=("ASQA.json",),
    rows=json_object("train"),
)
"""The questions that RDR2's router is trained on (section 4.3), in the file that ASQA's authors publish."""
DEFINITIONS = (ASQA_TRAIN,)
