"""The lessons page: one idea at a time, predicted before it is revealed."""

QUESTION = "Lessons: what does each idea buy, and when not?"
