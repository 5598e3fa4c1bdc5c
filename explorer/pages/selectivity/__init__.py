"""The selectivity page: which of many features an answer needs, and the proof."""
