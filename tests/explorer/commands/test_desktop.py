"""The app in a window of its own needs a browser that is there."""

from explorer.commands.cli import main


def test_a_browser_that_is_not_there_is_refused(capsys):
    assert main(["desktop", "--browser=/nowhere/chromium"]) == 2
    assert "name one with --browser" in capsys.readouterr().err
