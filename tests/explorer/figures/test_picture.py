"""An entry of a legend is that of what looks like it."""

from explorer.figures.picture import Bar, Key, Line, Mark, labelled, round_values
from tests.each import each

BAR, HATCHED = Bar(0, 1, 0, 1, "l1"), Bar(0, 1, 0, 1, "l1", hatch="/")
LINE, DASHED = Line((0,), (0,), "l1"), Line((0,), (0,), "l1", dash="dashed")
MARK, HOLLOW = Mark(0, 0, "l1"), Mark(0, 0, "l1", filled=False)
ALL = (BAR, HATCHED, LINE, DASHED, MARK, HOLLOW)


@each(
    ("key", "named"),
    [
        (Key("bars", "l1"), BAR),
        (Key("hatched", "l1", hatch=True), HATCHED),
        (Key("line", "l1", dash="solid"), LINE),
        (Key("dashes", "l1", dash="dashed"), DASHED),
        (Key("marks", "l1", marker="circle"), MARK),
        (Key("hollow", "l1", marker="circle", filled=False), HOLLOW),
    ],
)
def test_an_entry_names_one_thing_of_its_colour(key, named):
    assert [drawn for drawn in ALL if key.names(drawn)] == [named]
    assert not Key(**{**vars(key), "colour": "csnb"}).names(named)


def test_ticks_are_labelled_with_their_values():
    assert labelled((0.5, 2), ".1f") == {0.5: "0.5", 2.0: "2.0"}


@each("top", [0.031, 1.0, 5.99, 6.0, 12.3, 99.0, 1234.5])
def test_round_values_are_a_few_and_stay_within(top):
    values = round_values(top)
    assert 3 <= len(values) <= 6
    assert values[0] == 0
    assert top - values[1] < values[-1] <= top
