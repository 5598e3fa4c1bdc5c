"""A table goes in whole: its columns are told, changed and learned from."""

import pytest

from solvers.resources import sample_data
from tests.ui.wcag import broken_rules

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
# One quick method: what is learned from is the same for all.
QUICK = "methods=acafh"
FORMS = {
    "costs with groups": "heart_costs.csv",
    "an incidence matrix": "heart_incidence.csv",
}


def attach(watched, label, name):
    content = sample_data("heart", name).read_bytes()
    watched.page.get_by_label(label).first.set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def priced(watched, form):
    """Bring the costs in one of the two forms in which they are published."""
    if form == "an incidence matrix":
        watched.choose(
            "Columns are priced", "by the drawing; refuse names", exact=False
        )
        return
    watched.choose("Columns are priced", "by a file of costs", exact=False)
    dialog = watched.page.get_by_role("dialog")
    files = dialog.locator("input[type=file]")
    watched.until(lambda: files.count() == 2)
    content = sample_data("heart", FORMS[form]).read_bytes()
    files.nth(1).set_input_files(
        {"name": FORMS[form], "mimeType": "text/csv", "buffer": content}
    )
    watched.page.get_by_text(f"Uploaded {FORMS[form]}").wait_for()


@pytest.mark.parametrize("form", FORMS)
def test_the_heart_table_offers_all_thirteen_tests(open_page, form):
    watched = open_page(f"?page=problem&{QUICK}")
    page, session = watched.page, watched.explorer.session
    if form == "an incidence matrix":
        attach(watched, "Load a hypergraph", FORMS[form])
        graph = watched.explorer.context.problem.editor
        watched.until(lambda: graph.drawing.hypergraph.unit == "CAD")
    page.get_by_role("button", name="Upload a table").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").first.set_input_files(
        {
            "name": "heart.csv",
            "mimeType": "text/csv",
            "buffer": sample_data("heart", "heart.csv").read_bytes(),
        }
    )
    kind = dialog.get_by_label("Kind of column ca", exact=True)
    kind.wait_for()
    assert kind.input_value() == "number"
    assert dialog.get_by_label("Use of disease", exact=True).input_value() == "label"
    # By keyboard, as in any list of the browser's own.
    kind.focus()
    page.keyboard.type("ordered")
    page.keyboard.press("Tab")
    dialog.get_by_label("Order of the values of ca").wait_for()
    priced(watched, form)
    page.get_by_role("button", name="Open this table").click()
    watched.until(lambda: session.dataset.n_features == 13)
    kinds = {column.name: column.kind for column in session.dataset.schema}
    assert kinds["ca"] == "ordered"
    assert kinds["cp"] == "category"
    assert session.dataset.unit == "CAD"
    assert session.dataset.n_samples == 303
    watched.explorer.context.post(lambda: session.param.update(page="frontier"))
    watched.until(watched.is_computed)
    assert watched.state.dataset.n_features == 13
    assert len(watched.state.chosen().point.features) == 13


def test_columns_of_the_open_table_change_and_are_undone(open_page):
    watched = open_page("?page=problem")
    page, session = watched.page, watched.explorer.session
    page.get_by_role("button", name="Medical tests").click()
    watched.until(lambda: session.dataset.name == "heart")
    opened = session.dataset
    page.get_by_role("button", name="Show the columns").click()
    # The matrix tells the kinds of nodes, under the same names.
    kind = page.get_by_label("Kind of column ca", exact=True).filter(
        has=page.locator("option[value=category]")
    )
    kind.select_option("category")
    watched.until(lambda: session.dataset is not opened)
    page.get_by_text("columns: ca=0, ca=1, ca=2, ca=3, ...").wait_for()
    assert not broken_rules(watched)
    page.get_by_role("button", name="Undo").first.click()
    watched.until(lambda: session.dataset is opened)
    watched.until(lambda: kind.input_value() == "number")
