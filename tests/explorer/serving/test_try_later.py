"""Who cannot have a page now reads why, and is back by himself."""

import pytest

from explorer.serving.try_later import BUSY, FULL, LEFT, TryLaterError, TryLaterReason


@pytest.mark.parametrize("reason", [BUSY, FULL, LEFT])
def test_the_page_says_why_and_asks_again(reason):
    error = TryLaterError(reason)
    assert error.status_code == 503
    page = error.page()
    assert f"<h1>{reason.title}</h1>" in page
    assert reason.sentence in page
    assert f'http-equiv="refresh" content="{reason.seconds}"' in page


def test_a_reason_is_text():
    page = TryLaterError(TryLaterReason("<b>", "a & b", 1)).page()
    assert "<h1>&lt;b&gt;</h1>" in page
    assert "a &amp; b" in page
