"""The log says what went wrong with a message, and quotes little of it."""

import logging

import pytest
from bokeh.protocol import Protocol

from explorer.serving.faults import LOGGERS, shorten_records

LONG = "x" * 1_000_000


@pytest.fixture
def logger():
    shorten_records()
    shorten_records()
    return logging.getLogger(LOGGERS[0])


def test_a_long_message_makes_a_short_record(logger, caplog):
    message = Protocol().create("ERROR", "1", LONG)
    with caplog.at_level(logging.ERROR):
        try:
            raise ValueError(LONG)
        except ValueError as error:
            logger.error("message: %r error: %r", message, error, exc_info=True)
    assert len(caplog.text) < 30_000
    assert "Message 'ERROR'" in caplog.text
    assert "ValueError" in caplog.text


def test_a_short_fault_is_logged_whole(logger, caplog):
    with caplog.at_level(logging.ERROR):
        try:
            raise ValueError("no such page")
        except ValueError as error:
            logger.error("%d: %s: %r", 3, "refused", error, exc_info=True)
    assert "3: refused: ValueError('no such page')" in caplog.text
    assert "Traceback" in caplog.text
    assert "test_faults.py" in caplog.text


def test_one_filter_is_enough(logger):
    assert len(logger.filters) == 1
