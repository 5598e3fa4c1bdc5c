"""``thriftscope run`` is told what mistakes cost, and says where testing stops."""

import json
from argparse import Namespace

import pytest

from explorer.commands.cli import main
from explorer.commands.mistake_options import chosen_mistakes
from explorer.export import load_estimator
from solvers.datasets import all_datasets, make_heart
from solvers.errors import DataError

HEART = make_heart()


def options(**given):
    names = ("miss", "false_alarm", "mistakes", "mistake_unit", "rate", "per")
    return Namespace(**(dict.fromkeys(names) | given))


def table(path, *rows):
    path.write_text("\n".join(["true,predicted,cost", *rows]), "utf-8")
    return path


def test_run_says_where_testing_stops_paying(tmp_path, capsys):
    asked = ["run", "--data=heart", "--methods=csdt", f"--out={tmp_path}"]
    assert main([*asked, "--miss=3000", "--false-alarm=400"]) == 0
    said = capsys.readouterr().out
    assert (
        "Of mistakes, ill called healthy costs 3000 CAD, healthy called ill 40" in said
    )
    assert "One answer for every row costs" in said
    assert "Testing stops paying at" in said or "No test pays for itself" in said
    chosen = json.loads((tmp_path / "selection.json").read_text("utf-8"))
    assert chosen["mistakes"]["costs"] == [[0.0, 400.0], [3000.0, 0.0]]
    assert any("tests and mistakes together cost" in note for note in chosen["worth"])
    assert load_estimator((tmp_path / "estimator.skops").read_bytes()) is not None
    assert main([*asked, "--score=neg_total_cost"]) == 2
    assert "give --miss and --false-alarm" in capsys.readouterr().err


def test_a_table_prices_the_mistakes_between_any_number_of_classes(tmp_path):
    data = all_datasets()["digit_images"]()
    one, two = map(str, data.classes[:2])
    path = table(tmp_path / "m.csv", f"{one},{two},5", f"{two},{one},7.5")
    costs = chosen_mistakes(options(mistakes=path), data).costs
    assert (costs[0, 1], costs[1, 0], costs.sum()) == (5.0, 7.5, 12.5)


def test_a_rate_is_for_one_unit_of_the_prices():
    asked = options(miss=3.0, false_alarm=1.0, mistake_unit="EUR", rate=0.5)
    assert chosen_mistakes(asked, HEART).in_unit("CAD").costs[1, 0] == 6.0
    assert chosen_mistakes(options(), HEART) is None


def test_what_does_not_say_what_mistakes_cost_is_refused(tmp_path):
    wrong = [
        (options(miss=3.0), "one has no price"),
        (options(rate=3.0), "no mistake has a price"),
        (options(miss=3.0, false_alarm=1.0, mistakes=tmp_path), "in a table and by"),
        (options(miss=3.0, false_alarm=1.0, mistake_unit="EUR"), "say by `rate` how"),
        (options(mistakes=table(tmp_path / "a", "ill,unwell,3")), "Line 2 of .* 'unwe"),
        (options(mistakes=table(tmp_path / "b", "ill,healthy,x")), "has the cost 'x'"),
    ]
    for asked, says in wrong:
        with pytest.raises(DataError, match=says):
            chosen_mistakes(asked, HEART)
    three = all_datasets()["digit_images"]()
    with pytest.raises(DataError, match="a miss is one of two; give --mistakes"):
        chosen_mistakes(options(miss=3.0, false_alarm=1.0), three)
