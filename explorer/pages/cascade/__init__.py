"""The cascade page: when a prediction is sure enough to stop."""

QUESTION = "Early exit: when is a prediction sure enough to stop?"
