"""Many cases in one test: all are asked, and what fails is named."""

import pytest

from tests.each import each


def test_all_cases_are_asked_and_failures_are_named(tmp_path, monkeypatch):
    asked = []

    @each(("number", "word"), [(1, "one"), pytest.param(2, "no", id="odd"), (3, "no")])
    @each("times", [1, 2], ids=["once", "twice"])
    def test(number, word, times, tmp_path, monkeypatch):
        assert list(tmp_path.iterdir()) == []
        (tmp_path / "left").touch()
        monkeypatch.setenv("A_CASE", word)
        asked.append((number, word, times))
        if number == 1:
            pytest.skip("for its own reasons")
        assert word != "no" or times == 1

    with pytest.raises(ExceptionGroup) as failed:
        test(tmp_path=tmp_path, monkeypatch=monkeypatch)
    assert len(asked) == 6
    notes = [one.__notes__ for one in failed.value.exceptions]
    assert notes == [
        ["of the case twice", "of the case odd"],
        ["of the case twice", "of the case (3, 'no')"],
    ]


def test_what_skips_every_case_is_skipped():
    @each("number", [1, 2])
    def test(number):
        pytest.skip("for want of it")

    with pytest.raises(pytest.skip.Exception):
        test()
