"""The trimming page: which few features decide as all of them do."""

QUESTION = "Trimming: which few features decide as all do?"
