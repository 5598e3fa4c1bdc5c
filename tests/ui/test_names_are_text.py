"""Names made to be taken for markup are shown as they are, on every page."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from explorer.pages import all_pages
from tests.ui.test_upload import attach, opened_dialog, use

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
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


def table():
    """A table whose columns and classes are markup."""
    random = np.random.default_rng(0)
    features = [f"{IMAGE}a", f"{SCRIPT}b", "</td><b>c"]
    frame = pd.DataFrame(random.normal(size=(240, 3)), columns=features)
    score = frame.sum(axis=1) + random.normal(size=240) / 2
    return frame.assign(label=np.where(score > 0, f"{SCRIPT}yes", f"{IMAGE}no"))


def hypergraph(frame):
    rows = pd.DataFrame(
        {
            "component": [f"{IMAGE}fft", f"{SCRIPT}mean"],
            "kind": "generation",
            "cost_us": [3.0, 0.5],
            **dict(zip(frame.columns[:3], [[1, 0], [1, 1], [0, 1]], strict=True)),
        }
    )
    return rows.to_csv(index=False).encode()


def network():
    text = NETWORK.read_text("utf-8")
    for name in ("F1", "F2", "F3"):
        text = text.replace(f'"{name}"', json.dumps(f"{IMAGE}{name}"))
    return text.replace('"C"', json.dumps(f"{SCRIPT}C")).encode()


def graph_files():
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


class Hostile:
    """A session whose every name is markup."""

    def __init__(self, watched):
        self.watched, self.page = watched, watched.page
        self.asked = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        frame = table()
        dialog = opened_dialog(watched)
        attach(dialog, 1, f"{SCRIPT}.csv", hypergraph(frame))
        attach(dialog, 0, f"{IMAGE}.csv", frame.to_csv(index=False).encode())
        use(dialog)
        dialog.until(lambda: dialog.explorer.session.dataset.n_features == 3)
        dialog.until(dialog.is_computed)

    def go(self, name):
        explorer = self.watched.explorer
        explorer.context.post(lambda: setattr(explorer.session, "page", name))
        self.watched.until(lambda: name in explorer._parts)
        heading = self.page.locator("h1").first
        self.watched.until(lambda: heading.is_visible())
        self.watched.unfold()
        self.page.wait_for_timeout(2500)

    def attach(self, place, name, content):
        file = {"name": name, "mimeType": "text/plain", "buffer": content}
        self.page.locator("input[type=file]").nth(place).set_input_files(file)

    def is_harmless(self):
        assert self.page.evaluate(MADE) == []
        assert not [address for address in self.asked if "made-an-image" in address]
        return True


@pytest.fixture(scope="module")
def hostile(open_module_page):
    return Hostile(open_module_page("?methods=acafh,l1"))


def test_a_refused_name_is_text(hostile):
    dialog = opened_dialog(hostile.watched)
    attach(dialog, 0, f"{IMAGE}.csv", b"a,b\n1,2\n")
    hostile.page.wait_for_timeout(2000)
    assert hostile.is_harmless()
    hostile.page.keyboard.press("Escape")
    hostile.page.get_by_role("dialog").wait_for(state="hidden")


@pytest.mark.parametrize("name", all_pages())
def test_names_of_a_table_are_text_on(hostile, name):
    hostile.go(name)
    assert hostile.is_harmless()


def test_names_in_a_network_are_text(hostile):
    hostile.go("trimming")
    state = hostile.watched.explorer._page_parts("trimming").state
    hostile.attach(0, f"{IMAGE}.json", network())
    hostile.watched.until(lambda: state.source == "file")
    hostile.page.wait_for_timeout(3000)
    assert hostile.is_harmless()


def test_names_in_a_graph_and_its_refusals_are_text(hostile):
    hostile.go("structured")
    hostile.page.get_by_role("button", name="Own data").click()
    for place, content in enumerate(graph_files()):
        hostile.attach(place, f"{IMAGE}{place}.csv", content)
    hostile.page.get_by_role("button", name="Use this graph").click()
    hostile.page.wait_for_timeout(4000)
    assert hostile.is_harmless()
