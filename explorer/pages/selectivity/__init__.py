"""The selectivity page: which of many features an answer needs, and the proof."""

QUESTION = "Selection: which of many features does an answer need?"
