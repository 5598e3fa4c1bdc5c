"""What is offered of a data set, and what a person may ask of the page."""

import dataclasses
import html
import json
import math

import numpy as np
import pytest

from explorer.pages.frontier import choices
from explorer.pages.frontier.choices import (
    MethodSettings,
    chargeable,
    defaults_of,
    left_out,
    menu_of,
    offered,
    open_knobs,
    scores_of,
    ticked_on,
    with_values,
)
from explorer.pages.frontier.controls import SettingsPart
from explorer.pages.frontier.queries import MARKS, TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.pages.frontier.take_away import frontier_script
from explorer.session.link import read_link, read_page_link, write_link
from explorer.session.saved import example, read_session
from explorer.session.saved_table import packed_table
from explorer.session.state import SessionState, bundled
from solvers import ComponentPrices, Dataset, FeatureHypergraph, Number, all_methods
from solvers.decisions.scores import LABEL_SCORES, MANY_SCORES, RANK_SCORES
from solvers.methods import add_method
from solvers.methods.cstc import CSTCClassifier
from solvers.values.knobs import COST
from tests.each import each
from tests.explorer.cheapest import make_dataset
from tests.explorer.worlds import DECLARED, World


def _dataset(n_classes):
    y = np.arange(12) % n_classes
    prices = FeatureHypergraph.independent([1.0, 2.0])
    return Dataset("x", np.zeros((12, 2)), y, prices)


def test_two_classes_leave_every_method_and_score():
    dataset = _dataset(2)
    assert menu_of(dataset) == list(all_methods())
    assert left_out(dataset) == []
    assert scores_of(dataset) == (*LABEL_SCORES, *RANK_SCORES)


@pytest.fixture
def of_two(monkeypatch):
    """CSTC as a method that takes two classes alone."""
    monkeypatch.setattr(CSTCClassifier, "two_classes_only", True)
    choices._tell_many_apart.cache_clear()
    yield
    choices._tell_many_apart.cache_clear()


def test_three_classes_leave_the_methods_that_learn_them(of_two):
    menu = menu_of(_dataset(3))
    X = np.random.default_rng(0).standard_normal((60, 2))
    y = np.arange(60) % 3
    for name in ("static_prefix", "jit", "dag"):
        assert name in menu
        assert len(all_methods()[name]().fit(X, y).classes_) == 3
    assert "cstc" not in menu
    with pytest.raises(ValueError, match="classes"):
        all_methods()["cstc"]().fit(X, y)
    assert scores_of(_dataset(3)) == (*LABEL_SCORES, *MANY_SCORES)


def test_the_menu_and_what_it_leaves_out_are_all_methods():
    menu, gone = menu_of(_dataset(3)), left_out(_dataset(3))
    titles = {all_methods()[name].title for name in menu}
    assert titles.isdisjoint(gone)
    assert len(menu) + len(gone) == len(all_methods())


def test_ticks_that_another_data_set_allows_stay_and_others_go(of_two):
    assert ticked_on(_dataset(3), ["cstc", "jit"]) == ["jit"]
    assert ticked_on(_dataset(2), ["cstc", "jit"]) == ["cstc", "jit"]


@each("n_classes", [2, 3])
def test_where_no_tick_is_left_some_usual_methods_are_ticked(n_classes):
    ticked = ticked_on(_dataset(n_classes), ["nobody"])
    assert ticked
    assert set(ticked) <= set(menu_of(_dataset(n_classes)))


@pytest.fixture
def dataset():
    hypergraph = FeatureHypergraph(
        np.eye(3, dtype=bool),
        [1.0, 2.0, 3.0],
        ("a", "b", "c"),
        unit="CAD",
        charged="money",
        prices=(
            ComponentPrices("delay", [5.0, 0.0, 1.0], "days", "maximum"),
            ComponentPrices("energy", [1.0, 1.0, 4.0], "J"),
        ),
    )
    X = np.random.default_rng(0).standard_normal((20, 3))
    return Dataset("x", X, np.arange(20) % 2, hypergraph)


def test_prices_that_add_up_can_be_charged_what_is_charged_first(dataset):
    assert list(chargeable(dataset).items()) == [("money", "CAD"), ("energy", "J")]


def test_another_price_is_charged_in_its_unit(dataset):
    found, refused = offered(dataset, "energy", {})
    assert refused == ""
    assert (found.hypergraph.charged, found.unit) == ("energy", "J")
    assert found.hypergraph.component_costs.tolist() == [1.0, 1.0, 4.0]


@each("price", ["money", "delay", "fame"])
def test_a_price_that_cannot_be_charged_leaves_what_is(dataset, price):
    found, refused = offered(dataset, price, {})
    assert refused == ""
    assert found.unit == "CAD"


def test_a_limit_leaves_out_the_features_beyond_it(dataset):
    found, refused = offered(dataset, "money", {"delay": 2.0})
    assert refused == ""
    assert found.feature_names == ("b", "c")
    assert (found.X == dataset.X[:, 1:]).all()


def test_limits_of_prices_that_nobody_knows_ask_for_nothing(dataset):
    found, refused = offered(dataset, "money", {"fame": 0.0})
    assert refused == ""
    assert found.feature_names == dataset.feature_names


def test_a_limit_below_everything_is_refused_and_the_data_stay(dataset):
    found, refused = offered(dataset, "money", {"energy": 0.5})
    assert "energy" in refused
    assert found.feature_names == dataset.feature_names


CHEAPEST = "tests.explorer.cheapest:CheapestFeaturesClassifier"
BAD = [
    "acafh.gamma:1e9",
    "acafh.gamma:nan",
    "acafh.gamma",
    "acafh.p:0.3",
    "acafh.alpha:0.1",
    "acafh.n_alphas:7.5",
    "acafh.max_iter:1e11",
    "acafh.candidates:<b>",
    "acafh.hypergraph:1",
    "nobody.C:1",
    "tefe.standardise:1",
    "tefe.time_cap:-1",
    "::,,:,.:",
]


@pytest.fixture
def cheapest(monkeypatch):
    """The name of a dummy method that no page has heard of."""
    monkeypatch.setattr("solvers.methods._added", {})
    add_method(CHEAPEST)
    example.cache_clear()  # it knows the methods of before
    yield CHEAPEST
    example.cache_clear()


def state_of(*methods, dataset=None):
    state = FrontierState(dataset=dataset or make_dataset())
    state.methods = list(methods)
    return state


def unfold(part, method):
    accordion = part.__panel__()
    accordion.active = [*accordion.active, accordion.objects.index(box(part, method))]


def box(part, method):
    name = f"Settings of {all_methods()[method].title}"
    return next(box for box in part.__panel__().objects if box.name == name)


def drawn(part, method):
    return list(box(part, method))


def labels(part, method):
    found = [w for one in drawn(part, method) for w in (one, *_inside(one))]
    return [w.label for w in found if hasattr(w, "label")]


def _inside(drawn):
    return list(drawn) if hasattr(drawn, "objects") else []


def test_a_knob_of_one_file_is_on_screen_in_link_session_undo_and_script(cheapest):
    world = World(make_dataset())
    frontier, session = world.frontier, world.session
    frontier.param.methods.objects = [*frontier.param.methods.objects, cheapest]
    frontier.methods = [cheapest]
    part = SettingsPart(frontier)
    unfold(part, cheapest)
    (slider,) = [w for w in drawn(part, cheapest) if w.label == "Regularisation C"]

    slider.value = 2.0  # a power of ten
    key = f"{cheapest}.C"
    assert frontier.settings == {key: pytest.approx(100.0)}
    assert frontier.method_params(cheapest)["C"] == pytest.approx(100.0)

    other = state_of(*frontier.methods[:0])
    read_link(write_link(session, frontier), SessionState(), other)
    assert other.settings == frontier.settings

    text = world.autosave.document()
    saved = read_session(_packed(world, text), DECLARED)
    assert saved.choices["frontier"]["settings"] == frontier.settings

    assert "'C': 100.0" in frontier_script(frontier, session)

    world.undo_stack.undo()
    assert frontier.settings == {}
    assert slider.value == pytest.approx(0.0)


def _packed(world, text):
    document = json.loads(text) if isinstance(text, str) else dict(text)
    if document["table"] is None and "table" in document["data"]:
        document["table"] = packed_table(world.session.dataset)
    return json.dumps(document)


def test_a_closed_expander_has_no_widgets():
    part = SettingsPart(state_of("acafh", "l1"))
    assert drawn(part, "acafh") == drawn(part, "l1") == []
    unfold(part, "l1")
    assert drawn(part, "acafh") == []
    assert "Tolerance" in labels(part, "l1")


def test_what_an_expander_is_called_and_holds_is_what_is_drawn():
    part = SettingsPart(state_of("acafh", "l1"))
    unfold(part, "l1")
    boxes = part.__panel__().objects
    assert [box.name for box in boxes] == ["Settings of ACAFH", "Settings of L1"]
    assert list(boxes[1]) != []


def test_an_expander_that_closes_lets_go_of_the_state():
    state = state_of("acafh", "l1")
    part = SettingsPart(state)
    before = _n_watchers(state)
    unfold(part, "l1")
    assert _n_watchers(state) == before + 1
    state.methods = ["acafh"]
    assert _n_watchers(state) == before


def _n_watchers(state):
    return len(state.param.watchers.get("settings", {}).get("value", []))


@each("method", list(all_methods()))
def test_every_open_knob_has_a_control(method):
    part = SettingsPart(state_of(method))
    if not open_knobs(method):
        return
    unfold(part, method)
    told = labels(part, method)
    for knob in open_knobs(method).values():
        assert any(label.startswith(knob.label) for label in told), knob


@each("method", list(all_methods()))
def test_every_number_says_where_its_slider_ends(method):
    for name, knob in open_knobs(method).items():
        if isinstance(knob, Number) and knob.unit != COST:
            low, high = knob.shown or (knob.low, knob.high)
            assert math.isfinite(high - low), name


def test_a_dataset_of_other_costs_moves_the_end_of_a_time_cap():
    state = state_of("tefe")
    part = SettingsPart(state)
    unfold(part, "tefe")

    def end():
        (cap,) = [
            d for d in drawn(part, "tefe") if "Set Time cap" in map(_label, _inside(d))
        ]
        return cap[1].end

    first = end()
    dataset = make_dataset()
    dearer = dataset.hypergraph.set_cost("fft", 30.0)

    state.dataset = dataclasses.replace(dataset, hypergraph=dearer)
    assert end() == pytest.approx(first + 27.0)


def _label(widget):
    return getattr(widget, "label", "")


def test_a_time_cap_is_none_until_it_is_set():
    state = state_of("tefe")
    part = SettingsPart(state)
    unfold(part, "tefe")
    (cap,) = [
        d for d in drawn(part, "tefe") if "Set Time cap" in map(_label, _inside(d))
    ]
    box, number = cap
    assert not number.visible
    box.value = True
    number.value = 3.0
    assert state.settings == {"tefe.time_cap": 3.0}
    box.value = False
    assert state.settings == {}


def test_reset_puts_every_knob_of_a_method_back_and_no_other():
    state = state_of("acafh", "l1")
    state.settings = {"acafh.gamma": 2.0, "l1.tol": 1e-4, "acafh.decompose": False}
    part = SettingsPart(state)
    unfold(part, "acafh")
    drawn(part, "acafh")[-1].clicks += 1
    assert state.settings == {"l1.tol": 1e-4}


@each("text", BAD)
def test_what_a_control_could_not_show_is_left_out_of_a_link(text):
    parameter = MethodSettings(default={})
    with pytest.raises(ValueError, match="no setting"):
        parameter.from_text(text)
    read, is_whole = parameter.from_text(f"acafh.gamma:2,{text}")
    assert (read, is_whole) == ({"acafh.gamma": 2.0}, False)


@each("method", list(all_methods()))
def test_settings_survive_a_link(method):
    parameter = MethodSettings(default={})
    turned = with_values({}, method, _turned(method))
    assert parameter.from_text(parameter.to_text(turned)) == (turned, True)


def _turned(method):
    """Every open knob somewhere else than at its default."""
    first, turned = defaults_of(method), {}
    for name, knob in open_knobs(method).items():
        if isinstance(knob, Number):
            low, high = knob.shown or (knob.low, knob.high)
            inside = low if knob.shown or not knob.open else (low + high) / 3
            value = inside if inside != first[name] else high
            turned[name] = round(value) if knob.integer else value
        elif hasattr(knob, "options"):
            turned[name] = next(o for o in knob.options if o != first[name])
        else:
            turned[name] = not first[name]
    return turned


def test_a_turned_knob_retraces_its_method_alone_and_back_costs_nothing(
    nothing_is_known,
):
    state = state_of("l1", "forward_selection")
    TRACES.answer(state)
    n_points = len(state.traces["l1"].points)
    state.settings = {"l1.n_alphas": 5}
    assert list(TRACES.missing(state)) == ["l1"]
    TRACES.answer(state)
    assert len(state.traces["l1"].points) < n_points
    state.settings = {}
    assert not TRACES.missing(state)


def test_what_a_method_prepares_for_can_be_turned_as_well():
    state = state_of("acafh")
    state.settings = {"acafh.tol": 1e-4, "acafh.decompose": False}
    state.alpha = 0.01
    model = MARKS.answer(state)["acafh"].model
    assert (model.tol, model.decompose, model.alpha) == (1e-4, False, 0.01)


def test_a_session_with_a_setting_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="no setting"):
        FrontierState(settings={"acafh.hypergraph": 1})


@each("method", ["acafh", "tefe"])
def test_what_a_knob_does_stands_below_it_as_text(method):
    part = SettingsPart(state_of(method))
    unfold(part, method)
    controls = drawn(part, method)
    # A description's icon has an ARIA label where none is allowed.
    assert not any(getattr(widget, "description", "") for widget in controls)
    told = " ".join(str(getattr(pane, "object", "")) for pane in controls)
    docs = [knob.doc for knob in open_knobs(method).values() if knob.doc]
    assert docs
    assert all(html.escape(doc) in told for doc in docs)


def test_no_method_is_ticked_twice():
    state = FrontierState(dataset=bundled("breast_cancer"))
    with pytest.raises(ValueError, match="name each once"):
        state.methods = ["l1", "l1"]
    read_page_link("methods=l1,l1", state, {"methods": "methods"})
    assert state.methods == ["l1"]
