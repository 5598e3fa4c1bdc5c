"""Every choice of every page, found from its declaration, is carried everywhere."""

import param

from explorer.document import undo_stack as undo_stack_module
from explorer.pages import all_pages
from explorer.pages.frontier.choices import MethodSettings
from explorer.pages.lessons.course import all_lessons
from explorer.pages.lessons.state import KeptAnswers
from explorer.session.autosave import Autosave
from explorer.session.context import Context
from explorer.session.declared import (
    OPEN_PANELS,
    NamedNumbers,
    Names,
    kept_names,
    link_names,
    linked,
)
from explorer.session.link import (
    asked_by,
    read_link,
    read_page_link,
    write_link,
    write_page_link,
)
from explorer.session.own_files import OpenedFile
from explorer.session.pins import Pin
from explorer.session.saved import read_session
from explorer.session.state import SessionState, bundled
from tests.each import each
from tests.explorer.worlds import DECLARED, own_table

STATES = {name: page.state for name, page in all_pages().items() if page.state}
# What is on purpose in no link, and why.
NOT_LINKED = {
    "pins": "a pinned frontier is a picture of data that the link may not open",
    "files": "a person's own file does not fit into a link",
    "answers": "who gets a link answers for himself",
}
# What is on purpose neither kept nor undone, and why.
NOT_KEPT = {
    ("frontier", "figure"): "a figure of the paper is looked at; nothing rests on it",
    ("frontier", "is_figure_asked"): "it goes with the figure",
    ("papers", "figure"): "it is looked at, likewise",
    ("papers", "is_figure_asked"): "it goes with the figure",
    ("lessons", "at"): "a lesson begins anew",
}
# What is kept and on purpose not undone, and why.
NOT_UNDONE = {
    (name, OPEN_PANELS): "opening a panel is looking"
    for name, state in STATES.items()
    if OPEN_PANELS in state.param
}
# Parameters that hold plain values and are on purpose no choices, and why.
COUNTED = "it is computed"
PLAYED = "where a film stands, which starts by itself after nothing"
LOOKED_AT = "a place of what was computed, which may not be there next time"
NO_CHOICE = {
    ("frontier", "random_state"): "no control turns it; a script names it",
    ("frontier", "n_arrived"): COUNTED,
    ("frontier", "refused"): COUNTED,
    ("frontier", "lost"): COUNTED,
    ("frontier", "full"): "where the axis of cost ends follows from the points",
    ("frontier", "rests"): COUNTED,
    ("cascade", "step"): PLAYED,
    ("cascade", "runs"): COUNTED,
    ("cascade", "policy"): COUNTED,
    ("cascade", "hyper_runs"): COUNTED,
    ("cascade", "rests"): COUNTED,
    ("trimming", "picked"): LOOKED_AT,
    ("trimming", "position"): PLAYED,
    ("trimming", "is_playing"): PLAYED,
    ("trimming", "arrived"): COUNTED,
    ("proof", "rests"): COUNTED,
    ("structured", "picked"): LOOKED_AT,
    ("lessons", "guess"): "who gets a link guesses for himself",
    ("lessons", "is_playing"): PLAYED,
}
PLAIN = (
    param.Number,
    param.Boolean,
    param.Selector,
    param.String,
    param.List,
    param.Tuple,
)
STEPS = ((1.0, 1.0, 0.5, 0.5),)
PIN = Pin("mine", "signals", 100, "8 features", "us", "mean", 9.0, ("L1",), STEPS)


class Session:
    """One person's session with the states of all pages."""

    def __init__(self):
        self.session = SessionState(dataset=bundled("breast_cancer"))
        self.context = Context(self.session)
        self.states = {name: state() for name, state in STATES.items()}
        self.states["frontier"] = STATES["frontier"](dataset=self.session.dataset)
        with self.context.undo_stack.quiet():
            for name, state in self.states.items():
                self.context.choices.adopt(name, state, DECLARED[name][1])
        self.autosave = Autosave(self.context, DECLARED)

    def linked(self, page):
        """A fresh session, after the link to a page was followed."""
        other, frontier = Session(), self.states["frontier"]
        names = link_names(STATES[page])
        self.session.page = page
        link = write_link(self.session, frontier)
        link += write_page_link(self.states[page], names)
        refused = read_link(link, other.session, other.states["frontier"])
        refused += read_page_link(link, other.states[page], names)
        assert refused == []
        return other

    def reopened(self):
        """A fresh session, after the session file was opened."""
        other = Session()
        other.autosave._take(read_session(self.autosave.text(), DECLARED), "Opened")
        return other


def declared(page):
    """The choices of a page: those of links and those that are kept."""
    state = STATES[page]
    linked_names = {**link_names(state), **link_names(state, everywhere=True)}
    return dict.fromkeys([*linked_names, *kept_names(state)])


VALUES = {
    MethodSettings: {"acafh.gamma": 2.5, "l1.tol": 1e-5},
    KeptAnswers: {next(iter(all_lessons())): "0 1 0 2026-01-02T03:04:05+00:00"},
    NamedNumbers: {"a, b:c%": 2.0, "größe": 1 / 3},
    Names: ["a, b%2C", "größe & more"],
}


def another(state, name):
    """A legal value of a choice that it does not have."""
    now, about = getattr(state, name), state.param[name]
    for kind, value in VALUES.items():
        if isinstance(about, kind):
            return value
    match about:
        case param.ListSelector():
            return about.objects[1:3]
        case param.Selector():
            return next(one for one in about.objects if one != now)
        case param.Boolean():
            return not now
        case param.String():
            return "another & one=?"
        case param.List():
            return [PIN if about.item_type is Pin else OpenedFile("network", "x", b"1")]
    low, high = about.bounds
    high = low + 7 if high is None else high
    if isinstance(about, param.Integer):
        return low if now in (None, high) else now + 1
    return low + (high - low) / 3


def test_what_no_link_and_no_file_carries_is_named_above():
    for page, state in STATES.items():
        in_link = {*link_names(state), *link_names(state, everywhere=True)}
        not_kept = {name for owner, name in NOT_KEPT if owner == page}
        assert in_link.isdisjoint(NOT_LINKED), page
        assert not_kept.isdisjoint(kept_names(state)), page


@each("page", STATES)
def test_every_choice_that_is_kept_is_undone_and_done_again(page, monkeypatch):
    monkeypatch.setattr(undo_stack_module, "DRAG_SECONDS", -1.0)
    session = Session()
    session.session.page = page
    state, stack = session.states[page], session.context.undo_stack
    for name in declared(page):
        if name not in kept_names(STATES[page]):
            assert (page, name) in NOT_KEPT
            continue
        before, value = session.context.choices.values(page), another(state, name)
        setattr(state, name, value)
        assert getattr(state, name) == value, name
        if (page, name) in NOT_UNDONE:
            assert stack.undoes == "", name
            continue
        while stack.undoes:
            stack.undo()
        assert session.context.choices.values(page) == before, name
        while stack.redoes:
            stack.redo()
        assert getattr(state, name) == value, name
        while stack.undoes:
            stack.undo()


def test_a_persons_own_file_comes_back_by_file():
    session = Session()
    owners = [page for page in STATES if "files" in declared(page)]
    for page in owners:
        state = session.states[page]
        state.files = another(state, "files")
    again = session.reopened()
    for page in owners:
        assert again.states[page].files == session.states[page].files, page


def test_what_holds_a_plain_value_is_a_choice_or_is_said_to_be_none():
    plain = {
        (page, name)
        for page, state in STATES.items()
        for name in state.param
        if name != "name" and isinstance(state.param[name], PLAIN)
    }
    choices = {(page, name) for page in STATES for name in declared(page)}
    assert plain - choices == {*NO_CHOICE}


def test_no_two_choices_have_one_name_in_a_link():
    frontier = link_names(STATES["frontier"], everywhere=True).values()
    for page, state in STATES.items():
        keys = [*link_names(state).values(), *frontier]
        assert len({*keys, "page", "data", "made", "g"}) == len(keys) + 4, page


def test_every_choice_of_a_page_comes_back_by_link_and_by_file():
    for page in STATES:
        session = Session()
        state = session.states[page]
        for name in declared(page):
            if name != "files":
                value = another(state, name)
                setattr(state, name, value)
                assert getattr(state, name) == value, (page, name)
        for other, left in [
            (session.linked(page), [*NOT_LINKED]),
            (session.reopened(), [name for owner, name in NOT_KEPT if owner == page]),
        ]:
            for name in declared(page):
                if name not in left:
                    found = getattr(other.states[page], name)
                    assert found == getattr(state, name), (page, name)


def test_the_sentence_by_the_link_names_what_it_does_not_carry():
    session = Session()
    frontier = session.states["frontier"]
    link = session.autosave.link(frontier, frontier, link_names(STATES["frontier"]))
    assert "everything" in session.autosave.note
    assert asked_by(link)["splits"] == "1"
    frontier.pins = [PIN]
    session.autosave.link(frontier, frontier, {})
    assert "not the pinned frontiers: send the session file" in session.autosave.note

    trimming = session.states["trimming"]
    trimming.files = [OpenedFile("network", "mine.bif", b"1")]
    session.autosave.link(frontier, trimming, {})
    assert "not the file mine.bif" in session.autosave.note

    session.context.problem.open_dataset(own_table())
    structured = session.states["structured"]
    structured.files = [OpenedFile(role, f"{role}.csv", b"1") for role in "abc"]
    session.autosave.link(frontier, structured, {})
    told = "not the file a.csv, b.csv and c.csv and the rows of the table: send"
    assert told in session.autosave.note


def test_a_choice_is_declared_once():
    class State(param.Parameterized):
        level = param.Integer(default=1, metadata=linked("l"))
        answer = param.Integer(default=2)

    assert (link_names(State), kept_names(State)) == ({"level": "l"}, ("level",))
