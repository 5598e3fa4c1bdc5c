"""What a new person does on the trimming page, with mouse and keyboard."""

import json

import pytest

from explorer.widgets.text import percent_text
from solvers.bayes import bundled_classifier, network_to_json, trim
from tests.ui.conftest import USUAL

pytestmark = [
    pytest.mark.browser,
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def opened(open_module_page):
    return open_module_page(
        "?page=trimming&network=quiz&open=details,words,figures,away"
    )


@pytest.fixture
def watched(opened):
    """The quiz as it opens, searched to its end, on the one page of this module."""
    opened.tune(is_open=False)
    state = opened.explorer._page_parts("trimming").state
    with_quiz = {"source": "quiz", "positive": "+", "charging": "ones", "costs": {}}

    def restore():
        if state.opened_with is not None and state.opened_with.source != "quiz":
            state.source = "quiz"
            return
        state.param.update(
            **with_quiz,
            threshold=0.07,
            budget=2.0,
            position=None,
            is_playing=False,
            speed=4.0,
        )

    # What belongs to the page is changed on the page's own thread.
    opened.explorer.context.post(restore)
    opened.until(lambda: state.opened is not None and is_done(state))
    if state.target != "C":
        opened.explorer.context.post(restore)

    def is_restored():
        # A slider that was just moved may still say so: then it is put back again.
        if not is_done(state) or asked(state) == ("quiz", 0.07, 2.0):
            return is_done(state)
        opened.explorer.context.post(restore)
        return False

    opened.until(is_restored)
    opened.until(lambda: "Q1, Q2" in words(opened))
    return opened


def state_of(watched):
    return watched.explorer._page_parts("trimming").state


def is_done(state):
    return state.log is not None and state.log.is_complete


def asked(state):
    return state.source, state.log.question.threshold, state.log.question.budget


def words(watched):
    return watched.page.get_by_role("status").first.inner_text()


def n_drawn(watched):
    """How many nodes of the tree the browser draws, over all their looks."""
    script = """name => {
      for (const document of Bokeh.documents)
        for (const model of document._all_models.values())
          if (model.type === 'Figure' && model.name === name)
            return model.renderers.map(renderer => {
              const data = renderer.data_source.data
              const get = c => data instanceof Map ? data.get(c) : data[c]
              return get('why') === undefined ? 0 : get('why').length
            }).reduce((a, b) => a + b, 0)
      return -1
    }"""
    return watched.page.evaluate(script, "tree")


FOUND = """([figure, name]) => {
  const all = Bokeh.documents.flatMap(one => [...one._all_models.values()])
  const plot = all.find(one => one.type === 'Figure' && one.name === figure)
  const layer = plot.renderers.find(one => one.name === name)
  const source = layer.data_source
  const column = c => source.data.get ? source.data.get(c) : source.data[c]
"""
# Where the first mark of a layer is, and which things of one are alight.
PLACE = f"""{FOUND}
  const view = Bokeh.index.find_one(plot), box = view.el.getBoundingClientRect()
  const {{x_scale, y_scale}} = view.frame
  const at = [x_scale.compute(column('x')[0]), y_scale.compute(column('y')[0])]
  return [box.x + at[0], box.y + at[1]]
}}"""
ALIGHT = f"{FOUND} return source.inspected.indices.map(i => column('thing')[i]) }}"


def click(watched, name):
    watched.page.get_by_role("button", name=name, exact=True).click()


def test_opens_on_the_best_trimming_with_its_tree_and_what_is_printed(watched):
    heading = watched.page.get_by_role("heading", level=1).inner_text()
    assert heading.startswith("Trimming: ")
    best = "These 2 of 3 features reach the same decision in 97.5 % of cases; no other"
    watched.until(lambda: best in words(watched))
    watched.until(lambda: n_drawn(watched) == state_of(watched).log.n_nodes)
    for number in ("0.2682", "0.6918", "0.7318"):
        watched.page.get_by_text(number, exact=True).first.wait_for()


def test_threshold_and_budget_by_keyboard_search_again_and_are_in_the_link(watched):
    state, page = state_of(watched), watched.page
    watched.move("Decision threshold T", "ArrowRight", 5)
    watched.until(lambda: state.threshold == pytest.approx(0.12))
    watched.until(lambda: asked(state)[1] == state.threshold and is_done(state))
    best = trim(bundled_classifier("quiz").with_threshold(state.threshold), 2)
    watched.until(lambda: percent_text(best.agreement) in words(watched))
    watched.move("Feature budget B", "ArrowLeft")
    watched.until(lambda: "Kept: Q1, for 1;" in words(watched))
    for said in ("network=quiz", "B=1", "T=0.12"):
        watched.until(lambda said=said: said in page.url)
    watched.move("Feature budget B", "End")
    watched.until(lambda: "in 100 % of cases" in words(watched))


def test_a_search_is_gone_through_by_steps_and_plays_until_it_is_paused(watched):
    state = state_of(watched)
    click(watched, "Reset")
    watched.until(lambda: n_drawn(watched) == 1)
    watched.until(lambda: "So far: Who looks at none of 3 features" in words(watched))
    click(watched, "Step")
    watched.until(lambda: n_drawn(watched) == 2)
    assert state.n_shown == 2
    watched.move("Event", "End")
    watched.until(lambda: n_drawn(watched) == state.log.n_nodes)
    assert state.position is None
    # The search has few events: there is to be time to press "Pause" before the last.
    click(watched, "4 a second")
    watched.page.get_by_role("menuitem", name="1 a second", exact=True).click()
    watched.until(lambda: state.speed == 1)
    click(watched, "Play")
    watched.until(lambda: state.is_playing and state.n_shown > 1)
    click(watched, "Pause")
    watched.until(lambda: not state.is_playing)
    shown = state.n_shown
    watched.page.wait_for_timeout(1500)
    assert state.n_shown == shown
    watched.do(lambda: setattr(state, "speed", 60))
    click(watched, "Play")
    watched.until(lambda: state.position is None and not state.is_playing)


def test_a_phone_leaves_out_bounds_that_would_lie_on_each_other(watched):
    page = watched.page
    below = (
        """tree => tree.renderers.find(one => one.name === "bounds below").visible"""
    )

    def is_seen():
        return watched.of_figure("tree", below)

    watched.until(is_seen)
    page.set_viewport_size({"width": 420, "height": 900})
    watched.until(lambda: is_seen() is False)
    page.set_viewport_size(USUAL)
    watched.until(is_seen)


def test_a_feature_lights_its_level_of_the_tree_and_back(watched):
    page = watched.page
    pairs = (
        (("network", "features"), ("tree", "levels")),
        (
            ("tree", "included"),
            ("network", "features"),
        ),
    )
    for pointed, elsewhere in pairs:
        page.mouse.move(*page.evaluate(PLACE, pointed))
        watched.until(
            lambda one=elsewhere: page.evaluate(ALIGHT, one) == ["feature:Q1"]
        )
    page.mouse.move(5, 5)
    watched.until(lambda: page.evaluate(ALIGHT, ("network", "features")) == [])


def test_an_edited_cost_changes_the_best(watched):
    watched.tune()
    field = watched.page.get_by_label("Cost", exact=True)
    field.fill("a lot")
    field.press("Enter")
    watched.page.get_by_text("'a lot' is not a cost").wait_for()
    field.fill("3")
    field.press("Enter")
    watched.until(lambda: state_of(watched).costs == {"Q1": 3.0})
    # The budget keeps its share of what all cost, so that Q1 alone is within it.
    watched.until(lambda: "Kept: Q1, for 3;" in words(watched))
    assert state_of(watched).budget == pytest.approx(2 / 3 * 5)


def test_another_network_is_opened_by_name(watched):
    watched.choose("Network", "Learned: wine")
    state = state_of(watched)
    watched.until(lambda: state.opened_with.source == "wine" and is_done(state))
    watched.until(lambda: "flavanoids" in words(watched))
    watched.until(lambda: n_drawn(watched) == state.log.n_nodes)


def test_a_person_s_file_is_opened_and_a_bad_one_refused(watched):
    state = state_of(watched)
    text = network_to_json(bundled_classifier("fig3").network)
    document = json.loads(text)
    document["variables"][0]["name"] = "C"
    upload(watched, "twins.json", json.dumps(document).encode())
    refused = watched.page.get_by_role("alert").filter(has_text="Two variables")
    refused.wait_for()
    assert state.opened_with.source == "quiz"
    upload(watched, "mine.json", text.encode())
    watched.until(lambda: state.source == "file" and is_done(state))
    watched.until(lambda: "F2" in words(watched))
    watched.page.get_by_text("this page asks about mine.json").wait_for()
    # On other pages, too, where it is asked for.
    click(watched, "Open on every page")
    watched.page.get_by_role("button", name="Data: mine.json").wait_for()
    assert [*watched.explorer.session.dataset.feature_names] == state.features


def upload(watched, name, content):
    watched.tune()
    chooser = watched.page.locator(".contextbar input[type=file]")
    chooser.set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": content}
    )


def test_the_figures_of_the_paper_are_one_click_away(watched):
    table = watched.page.get_by_role("region", name="Table of evaluations and time")
    watched.unfold("Does agreeing", "Against FS-SDD", "How much is searched")
    assert not table.is_visible()  # nothing is drawn that is not computed
    click(watched, "Score every affordable set")
    click(watched, "Compare over thresholds")
    click(watched, "Measure against exhaustive search")
    watched.until(lambda: len(column(watched, "scatter", "features")) == 7)
    watched.until(lambda: len(column(watched, "thresholds", "trimmed")) == 9)
    table.get_by_text("Exhaustive").wait_for(timeout=90_000)


def column(watched, figure, name):
    found = watched.figure_data(figure, [name])
    return [] if found is None else found[name]
