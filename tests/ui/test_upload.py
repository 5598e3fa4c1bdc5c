"""A good table is taken, a bad one is refused with a sentence and nothing is lost."""

from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import TimeoutError

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
BAD_TABLES = {
    "one class": csv(frame().assign(label="yes")),
    "no numbers": csv(frame()[["label"]].assign(word="w")),
    "header only": b"fast,slow,label\n",
    "empty": b"\n",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(200),
    "twice the same column": b"fast,fast,label\n1,2,yes\n3,4,no\n",
    "torn parquet": b"PAR1" + bytes(100),
    "too few rows": csv(frame().head(6)),
}
BAD_HYPERGRAPHS = {
    "negative cost": HYPERGRAPH.replace("5.0", "-5.0").encode(),
    "other names": HYPERGRAPH.replace("slow", "<b>slow</b>").encode(),
    "not json": b'{"network-type": "undirected", ',
    "deep": b"[" * 100_000,
}


def opened_dialog(watched):
    watched.page.get_by_role("button", name="Change data").click()
    watched.page.get_by_role("dialog").wait_for()
    watched.until(lambda: not refusal(watched))
    return watched


@pytest.fixture(scope="module")
def opened(open_module_page):
    return open_module_page()


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
    button = watched.page.get_by_role("button", name="Use this table")
    watched.until(button.is_enabled)
    button.click()


def refusal(watched):
    alert = watched.page.get_by_role("dialog").get_by_role("alert")
    texts = [text for text in alert.all_inner_texts() if text.strip()]
    return texts[0] if texts else ""


def test_a_table_with_a_hypergraph_is_learned(open_page):
    dialog = opened_dialog(open_page())
    attach(dialog, 0, "mine.csv", GOOD)
    attach(dialog, 1, "mine_costs.csv", HYPERGRAPH.encode())
    dialog.until(lambda: dialog.page.get_by_text("mine_costs.csv").count() > 0)
    use(dialog)
    dialog.until(lambda: dialog.explorer.session.dataset.n_features == 3)
    dialog.until(dialog.is_computed)
    data = dialog.explorer.session.dataset
    assert data.hypergraph.cost(["fast", "slow"]) == 8.0
    words = dialog.page.get_by_role("status").first
    dialog.until(lambda: "µs" in words.inner_text())
    assert dialog.state.chosen() is not None


def test_a_table_alone_costs_one_unit_a_feature(open_page):
    dialog = opened_dialog(open_page())
    attach(dialog, 0, "mine.csv", GOOD)
    use(dialog)
    dialog.until(lambda: dialog.explorer.session.dataset.n_features == 3)
    dialog.until(dialog.is_computed)
    assert dialog.explorer.session.dataset.hypergraph.total_cost == 3.0


@pytest.mark.parametrize("what", BAD_TABLES)
def test_a_bad_table_is_refused_and_the_picture_stays(dialog, what):
    before = dialog.explorer.session.dataset
    attach(dialog, 0, "bad.csv", BAD_TABLES[what])
    button = dialog.page.get_by_role("button", name="Use this table")

    said = []

    def is_refused():
        # The button may still be that of the table before, and go grey any moment;
        # a second click takes the first one's sentence away until it is refused too.
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
    attach(dialog, 1, f"{what}.csv", BAD_HYPERGRAPHS[what])
    for name in ("mine", what):
        dialog.page.get_by_text(f"Uploaded {name}.csv").first.wait_for()
    use(dialog)
    dialog.until(lambda: refusal(dialog))
    assert "ours, not yours" not in refusal(dialog)
    assert dialog.page.locator("b", has_text="slow").count() == 0
    assert dialog.explorer.session.dataset is before


def test_what_is_taken_away_is_what_is_on_screen(opened, tmp_path):
    watched = opened
    watched.page.keyboard.press("Escape")
    watched.page.get_by_role("dialog").wait_for(state="hidden")
    with watched.page.expect_download() as download:
        watched.page.get_by_role("button", name="Selection (JSON)").click()
    text = tmp_path / "selection.json"
    download.value.save_as(text)
    chosen = watched.state.chosen().point
    names = watched.state.dataset.hypergraph.features
    expected = [name for name, used in zip(names, chosen.features, strict=True) if used]
    assert pd.read_json(text, typ="series")["features"] == expected
