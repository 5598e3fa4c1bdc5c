"""A browser is found where systems keep it, and shows a window without bars."""

from pathlib import Path

from explorer.commands.cli import main
from explorer.commands.desktop import find_browser, window_command


def test_a_browser_that_is_not_there_is_refused(capsys):
    assert main(["desktop", "--browser=/nowhere/chromium"]) == 2
    assert "name one with --browser" in capsys.readouterr().err


def test_a_browser_on_the_path_is_found(tmp_path, monkeypatch):
    program = tmp_path / "brave-browser"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser("linux") == program


def test_a_browser_in_its_usual_place_on_windows_is_found(tmp_path, monkeypatch):
    program = tmp_path / "Microsoft" / "Edge" / "Application" / "msedge.exe"
    program.parent.mkdir(parents=True)
    program.touch()
    monkeypatch.setenv("PROGRAMFILES", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    assert find_browser("win32") == program


def test_no_browser_is_none(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser("linux") is None


def test_the_window_has_no_bars_and_a_profile_of_its_own(tmp_path):
    address = "http://127.0.0.1:1/app"
    command = window_command(Path("chromium"), address, tmp_path, ["-x"])
    assert f"--app={address}" in command
    assert f"--user-data-dir={tmp_path}" in command
    assert command[-1] == "-x"
