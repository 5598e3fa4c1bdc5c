"""What one may price: data sets to open on, each a card with its story."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from panel.viewable import Viewer

from ..widgets.card_gallery import CardGallery
from ..widgets.message import Message
from ..widgets.parts import wide_column
from .context import Context
from .state import bundled

OWN = "own"
QUESTION = "What do you want to price?"
#: Data set, title, and its story in two sentences; the card shows the second.
CARDS = (
    (
        "heart",
        "Medical tests",
        "Thirteen tests of 303 patients at the prices of a fee schedule; blood draw, "
        "treadmill and scan are paid once. Which tests to order for 50 dollars?",
    ),
    (
        "motions",
        "Sensor features",
        "Sixty features of a smartwatch, traced and timed: five of them need one "
        "wavelet transform. Does somebody walk, and after how many microseconds can "
        "one tell?",
    ),
    (
        "signals",
        "Network traffic",
        "Statistics of simulated network traffic, each timed in microseconds; many "
        "share a mean. Which to compute before an intruder must be called?",
    ),
    (
        "scenes",
        "Images",
        "Colours and textures of painted scenes, each timed in microseconds. Which of "
        "ten kinds is it, and how soon may one stop looking?",
    ),
    (
        "digit_images",
        "Code that repeats work",
        "Eighteen features of handwritten digits, each a plain function, traced and "
        "timed: most of them enlarge the image first. Which digit is it, for how many "
        "microseconds?",
    ),
    (
        "breast_cancer",
        "Invented prices",
        "Real measurements of cell nuclei that nobody ever priced: these prices are "
        "invented. Good for trying things out, not for deciding.",
    ),
    (
        OWN,
        "Your own",
        "It stays with this server and your browser. A table with labels, and what "
        "its columns cost if you know.",
    ),
)


class DataGallery(Viewer):
    """The cards; what is open is marked.

    `bring`: asks for a table of the person's own.
    """

    def __init__(
        self, context: Context, bring: Callable[[], None], **params: Any
    ) -> None:
        visible = params.pop("visible", True)
        super().__init__(**params)
        self._context, self._bring = context, bring
        self._job = context.job()
        session = context.session
        self.cards = CardGallery(
            self._open,
            question=QUESTION,
            cards=[list(card) for card in CARDS],
            sizing_mode="stretch_width",
            margin=(0, 10, 8, 10),
            visible=visible,
        )
        session.param.watch(lambda _: self._follow(), ["dataset", "dark"])
        self._follow()

    def __panel__(self) -> Any:
        return wide_column(self.cards, Message(text=self._job.param.message))

    def _follow(self) -> None:
        session = self._context.session
        name = session.dataset.name
        if name not in {card[0] for card in CARDS}:
            self.cards.visible = False  # whoever brings a table has chosen
        self.cards.picked = name
        self.cards.use_theme(dark=session.dark)

    def _open(self, name: str) -> None:
        if name == OWN:
            self._bring()
            return
        self._job.submit(
            lambda: iter([bundled(name)]),
            lambda found: self._context.session.open(found[-1]),
        )
