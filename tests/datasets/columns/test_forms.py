"""What is no name of rows is not called one: it is written in another way."""

import pytest

from solvers.datasets.columns.forms import foreign_form


@pytest.mark.parametrize(
    ("words", "form"),
    [
        (["60,467.70", "1,200.00", "-3.5"], "figures"),
        (["58.923,47", "1.200,00"], "figures"),
        (["$ 12", "€ 1'200.50", "40 %"], "figures"),
        (["31/12/2024", "1/2/2023 10:00"], "days"),
        (["31.12.2024", "01.02.2023"], "days"),
        (["31 Dec 2024", "December 31, 2024"], "days"),
        (["00123", "00124"], None),
        (["+491234", "030-1234"], None),
        (["10.0.0.1", "10.0.0.2"], None),
        (["A-1", "A-2"], None),
        ([], None),
    ],
)
def test_forms_are_told_from_names(words, form):
    assert foreign_form(words) == form
