"""How lines of the papers' figures look."""

from explorer.figures.paper_figure import PROCEDURES, line_styles
from explorer.widgets.theme import method_style
from solvers.papers.figures.contenders import contenders
from solvers.papers.figures.timing import trained_as
from tests.each import each

TRAINED = [*trained_as(), "Reweighted L1", "L1"]


@each("names", [sorted(PROCEDURES), list(contenders(refit=True)), TRAINED])
def test_no_two_lines_of_a_picture_look_the_same(names):
    looks = [(s.light, s.marker, s.dash) for s in line_styles(names).values()]
    assert len(set(looks)) == len(names)


def test_a_method_keeps_its_look_and_its_variants_keep_the_colour():
    styles = line_styles(TRAINED)
    assert styles["L1"] == method_style("l1")
    assert {styles[name].light for name in trained_as()} == {
        method_style("acafh").light
    }


def test_lines_that_come_later_change_no_look():
    whole = line_styles(TRAINED)
    assert line_styles(TRAINED[:2]) == {name: whole[name] for name in TRAINED[:2]}
