"""The bundled data that the menu offers, and what data are called on the screen."""

from __future__ import annotations

from solvers import Dataset

#: Data set, title, and the question that it is there for.
EXAMPLES = (
    ("published", "Published", "Eleven statistics of a signal; seven need its mean."),
    ("heart", "Medical tests", "Which tests to order for 50 dollars?"),
    ("pima", "Diabetes", "Who will have it, and is a draw of blood worth its price?"),
    ("thyroid", "Thyroid", "Which of three kinds, after one draw of blood?"),
    ("motions", "Sensor features", "Does somebody walk, after how few microseconds?"),
    ("signals", "Network traffic", "What to compute before an intruder is called?"),
    ("scenes", "Images", "Which of ten kinds is it, and how soon is that known?"),
    ("digit_images", "Repeated work", "Which digit, where features share an image?"),
    ("cube", "Invented cube", "What to look at first, where one look tells nothing?"),
    ("breast_cancer", "Invented prices", "Real cells that nobody ever priced."),
)
MAX_NAME = 28


def title_of(data: Dataset) -> str:
    """Return what a data set is called in the bar."""
    titles = {name: title for name, title, _ in EXAMPLES}
    name = titles.get(data.name, data.name)
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"
