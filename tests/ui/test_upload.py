"""A good table is taken, a bad one refused; names made to be markup stay text."""

import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import TimeoutError

from explorer.pages import all_pages
from tests.ui.conftest import FEW, IDLE, USUAL

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
ROWS = 240
HYPERGRAPH = """component,kind,cost_us,fast,slow,noise
fft,generation,3.0,1,1,0
tail,generation,5.0,0,1,0
mean,generation,0.5,0,0,1
"""


def frame():
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        random.normal(size=(ROWS, 3)), columns=["fast", "slow", "noise"]
    )
    score = table["fast"] + table["slow"] + random.normal(size=ROWS) / 2
    return table.assign(label=np.where(score > 0, "yes", "no"))


def csv(table):
    return table.to_csv(index=False).encode()


GOOD = csv(frame())
# What else is refused, and how, is told of the readers without a browser.
BAD_TABLES = {
    "one class": csv(frame().assign(label="yes")),
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(200),
}
BAD_HYPERGRAPHS = {
    "negative cost": HYPERGRAPH.replace("5.0", "-5.0").encode(),
    "other names": HYPERGRAPH.replace("slow", "<b>slow</b>").encode(),
}


def opened_dialog(watched):
    watched.page.get_by_role("button", name="Data: ").click()
    watched.page.get_by_role("menuitem", name="Your own table").click()
    watched.page.get_by_role("dialog").wait_for()
    watched.until(lambda: not refusal(watched))
    return watched


@pytest.fixture(scope="module")
def opened(open_module_page):
    """A page with one quick method: what is learned of a table is not looked at."""
    return open_module_page(f"?data=breast_cancer&methods=l1{FEW}")


@pytest.fixture
def dialog(opened):
    """The dialog after whatever was refused before, opened anew."""
    opened.page.keyboard.press("Escape")
    opened.page.get_by_role("dialog").wait_for(state="hidden")
    return opened_dialog(opened)


def attach(watched, index, name, content):
    """Give the dialog's first (0) or second (1) file input a file."""
    files = watched.page.get_by_role("dialog").locator("input[type=file]")
    files.nth(index).set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def use(watched):
    button = watched.page.get_by_role("button", name="Open this table")
    watched.until(button.is_enabled)
    button.click()


def refusal(watched):
    alert = watched.page.get_by_role("dialog").get_by_role("alert")
    texts = [text for text in alert.all_inner_texts() if text.strip()]
    return texts[0] if texts else ""


def test_a_table_is_learned_with_its_hypergraph_or_at_one_unit_a_feature(dialog):
    session = dialog.explorer.session
    attach(dialog, 0, "alone.csv", GOOD)
    use(dialog)
    dialog.until(lambda: session.dataset.hypergraph.total_cost == 3.0)
    dialog.until(dialog.is_computed)
    opened_dialog(dialog)
    attach(dialog, 0, "mine.csv", GOOD)
    dialog.page.get_by_text("240 rows, 4 columns.").wait_for()
    attach(dialog, 1, "mine_costs.csv", HYPERGRAPH.encode())
    dialog.page.get_by_text("3 of 3 features have a price. All: 8.50 µs.").wait_for()
    before = session.dataset
    use(dialog)
    dialog.until(lambda: session.dataset is not before)
    dialog.until(dialog.is_computed)
    assert session.dataset.n_features == 3
    assert session.dataset.hypergraph.cost(["fast", "slow"]) == 8.0
    words = dialog.page.get_by_role("status").first
    dialog.until(lambda: "µs" in words.inner_text())
    assert dialog.state.chosen() is not None


@pytest.mark.parametrize("what", BAD_TABLES)
def test_a_bad_table_is_refused_and_the_picture_stays(dialog, what):
    before = dialog.explorer.session.dataset
    attach(dialog, 0, "bad.csv", BAD_TABLES[what])
    button = dialog.page.get_by_role("button", name="Open this table")

    said = []

    def is_refused():
        # What has a column of labels of one class says so when it is to be opened.
        said.append(refusal(dialog))
        if not said[-1] and button.is_enabled():
            with suppress(TimeoutError):
                button.click(timeout=1000)
        return said[-1]

    dialog.until(is_refused)
    assert said[-1].rstrip().endswith(".")
    assert "ours, not yours" not in said[-1]
    assert dialog.explorer.session.dataset is before
    assert dialog.is_computed()


@pytest.mark.parametrize("what", BAD_HYPERGRAPHS)
def test_a_bad_hypergraph_is_refused_and_the_picture_stays(dialog, what):
    before = dialog.explorer.session.dataset
    attach(dialog, 0, "mine.csv", GOOD)
    dialog.page.get_by_text("240 rows, 4 columns.").wait_for()
    attach(dialog, 1, f"{what}.csv", BAD_HYPERGRAPHS[what])
    dialog.page.get_by_text(f"{what}.csv").first.wait_for()
    dialog.until_idle()
    use(dialog)
    dialog.until(lambda: refusal(dialog))
    assert "ours, not yours" not in refusal(dialog)
    assert dialog.page.locator("b", has_text="slow").count() == 0
    assert dialog.explorer.session.dataset is before


WIDTHS = (1440, 420)


def as_wide(dialog, width):
    """Make the window so wide; a phone's closes the menu that would lie over all."""
    dialog.page.set_viewport_size({"width": width, "height": 900})
    dialog.until(lambda: dialog.explorer.page.sidebar_open == (width > 600))


@pytest.fixture
def usual_again(dialog):
    yield
    dialog.page.set_viewport_size(USUAL)
    dialog.until(lambda: dialog.explorer.page.sidebar_open)


def test_a_wide_table_is_opened_through_one_door(dialog, usual_again):
    """Its button and what it refuses stay in sight, at a desk as on a phone."""
    page, session = dialog.page, dialog.explorer.session
    random = np.random.default_rng(0)
    many = pd.DataFrame(random.normal(size=(ROWS, 40))).add_prefix("x")
    table = many.assign(
        patient=[f"p{k}" for k in range(ROWS)],
        outcome=np.where(random.random(ROWS) < 0.3, "bad", "good"),
    )
    door = page.get_by_role("dialog", name="Data")
    button = page.get_by_role("button", name="Open this table")

    def overhangs(*names):
        boxes = [door.get_by_role("button", name=n).bounding_box() for n in names]
        ends, whole = [box["x"] + box["width"] for box in boxes], door.bounding_box()
        return [end for end in ends if end > whole["x"] + whole["width"]]

    def in_sight(width):
        box = button.bounding_box()
        return (
            0 <= box["y"] <= 900 - box["height"]
            and 0 <= box["x"] <= width - box["width"]
        )

    for width in WIDTHS:
        as_wide(dialog, width)
        dialog.until(lambda: not overhangs("Open bundled data", "Choose a table"))
    attach(dialog, 0, "wide.csv", csv(table))
    door.get_by_text("“bad”, the rarer of two, is what is looked for").wait_for()
    first = door.get_by_role("row").filter(has_text="patient")
    for width in reversed(WIDTHS):
        as_wide(dialog, width)
        dialog.until(lambda width=width: in_sight(width))
        # What only names the rows comes first, with why it is left out.
        first.get_by_text("Left out: it only names the rows.").wait_for()
        dialog.until(lambda: not overhangs("Choose a file of prices"))
    door.get_by_label("Use it as a category: column patient").click()
    door.get_by_text("41 features, learned from").wait_for()
    door.get_by_label("Use of patient", exact=True).select_option("left out")
    door.get_by_text("40 features, learned from").wait_for()
    attach(dialog, 1, "prices.csv", b"feature,cost_us\nx0,1\nx1,2\n")
    door.get_by_text("2 of 40 features have a price").wait_for()
    before = session.dataset
    button.click()
    dialog.until(lambda: "No price is known of" in refusal(dialog))
    said = door.get_by_role("alert").filter(has_text="No price is known of")
    for width in WIDTHS:
        as_wide(dialog, width)
        dialog.until(
            lambda: 0 <= said.bounding_box()["y"] <= button.bounding_box()["y"]
        )
    assert session.dataset is before
    # On the phone, where there is least room.
    dialog.choose("A column without a price", "costs nothing")
    button.click()
    dialog.until(lambda: session.dataset.name == "wide")
    assert session.dataset.hypergraph.total_cost == 3.0
    assert session.dataset.positive == "bad"


NETWORK = Path(__file__).parents[2] / "sample_data" / "networks" / "fig3.json"
IMAGE = "<img src=/made-an-image onerror=window.wasRun=1>"
SCRIPT = "<script>window.wasRun=1</script>"
# Elements that a name would make, wherever they hide: components have shadow roots.
MADE = """() => {
  const found = []
  const look = root => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) look(element.shadowRoot)
      const text = element.outerHTML
      if (element.matches('img[src*="made-an-image"]')) found.push(text)
      if (element.matches('script') && element.textContent === 'window.wasRun=1')
        found.push(text)
    }
  }
  look(document)
  if (window.wasRun) found.push('a script was run')
  return found
}"""


def hostile_table():
    """A table whose columns and classes are markup."""
    random = np.random.default_rng(0)
    features = [f"{IMAGE}a", f"{SCRIPT}b", "</td><b>c"]
    frame = pd.DataFrame(random.normal(size=(240, 3)), columns=features)
    score = frame.sum(axis=1) + random.normal(size=240) / 2
    return frame.assign(label=np.where(score > 0, f"{SCRIPT}yes", f"{IMAGE}no"))


def hostile_prices(frame):
    rows = pd.DataFrame(
        {
            "component": [f"{IMAGE}fft", f"{SCRIPT}mean"],
            "kind": "generation",
            "cost_us": [3.0, 0.5],
            **dict(zip(frame.columns[:3], [[1, 0], [1, 1], [0, 1]], strict=True)),
        }
    )
    return rows.to_csv(index=False).encode()


def hostile_network():
    text = NETWORK.read_text("utf-8")
    for name in ("F1", "F2", "F3"):
        text = text.replace(f'"{name}"', json.dumps(f"{IMAGE}{name}"))
    return text.replace('"C"', json.dumps(f"{SCRIPT}C")).encode()


def hostile_graph():
    names = [f"{IMAGE}{k}" for k in range(12)]
    label = [f"{SCRIPT}one", f"{IMAGE}two"]
    nodes = pd.DataFrame(
        {
            "node": names,
            "label": [label[k % 2] for k in range(12)],
            f"{IMAGE}x": range(12),
        }
    )
    edges = pd.DataFrame({"source": names[:-1], "target": names[1:]})
    return nodes.to_csv(index=False).encode(), edges.to_csv(index=False).encode()


# Pages that show no name of a table but in their frame.
NAMELESS = ("lessons", "papers")


class TestNamesMadeToBeMarkup:
    def go(self, watched, name):
        """Turn to a page, everything on it open and at rest."""
        watched.turn(name)
        if name not in NAMELESS:
            watched.unfold()
        if name == "proof":  # drawn with its first answer, and searched for minutes
            words = watched.page.get_by_text("no linear model has an objective below")
            words.filter(visible=True).first.wait_for()
            watched.do(lambda: [job.cancel() for job in watched.jobs()])
        self.at_rest(watched)

    def at_rest(self, watched):
        watched.until_idle()
        watched.page.wait_for_function(IDLE)

    def attach(self, watched, place, name, content):
        file = {"name": name, "mimeType": "text/plain", "buffer": content}
        watched.page.locator("input[type=file]").nth(place).set_input_files(file)

    def opened(self, dialog):
        """Open a table whose every name is markup."""
        table = hostile_table()
        attach(dialog, 0, f"{IMAGE}.csv", table.to_csv(index=False).encode())
        dialog.page.get_by_text("240 rows, 4 columns.").wait_for()
        attach(dialog, 1, f"{SCRIPT}.csv", hostile_prices(table))
        dialog.page.get_by_text("3 of 3 features have a price. All: 3.50").wait_for()
        before = dialog.explorer.session.dataset
        use(dialog)
        dialog.until(lambda: dialog.explorer.session.dataset is not before)
        dialog.until(dialog.is_computed)

    def with_network(self, watched):
        """Open a network with such names on the trimming page."""
        self.attach(watched, 0, f"{IMAGE}.json", hostile_network())
        state = watched.explorer._page_parts("trimming").state
        watched.until(lambda: state.source == "file")
        self.at_rest(watched)
        watched.page.get_by_text(f"{IMAGE}F1").first.wait_for()

    def with_graph(self, watched):
        """Open a graph with such names on the structured page."""
        watched.tune(is_open=False)
        watched.page.get_by_role("button", name="Own data").click()
        for place, content in enumerate(hostile_graph()):
            self.attach(watched, place, f"{IMAGE}{place}.csv", content)
        watched.page.get_by_role("button", name="Use this graph").click()
        self.at_rest(watched)
        watched.page.get_by_text(IMAGE).first.wait_for()

    def test_they_are_text_on_every_page_and_where_refused(self, dialog):
        """Those of a table, of a network and of a graph."""
        page, asked = dialog.page, []
        page.on("request", lambda request: asked.append(request.url))
        attach(dialog, 0, f"{IMAGE}.csv", b"a,b\n1,2\n")
        page.get_by_text(IMAGE).first.wait_for()
        assert page.evaluate(MADE) == []
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="hidden")
        self.opened(opened_dialog(dialog))
        more = {"trimming": self.with_network, "structured": self.with_graph}
        for name in all_pages():
            self.go(dialog, name)
            assert page.evaluate(MADE) == [], name
            if name in more:
                more[name](dialog)
                assert page.evaluate(MADE) == [], name
        assert not [address for address in asked if "made-an-image" in address]
        dialog.turn("frontier")
