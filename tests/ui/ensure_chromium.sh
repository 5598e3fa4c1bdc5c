#!/bin/sh
# The browser tests drive Debian's Chromium; install it where it is missing and can be.
set -eu
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if command -v apt-get >/dev/null 2>&1; then
  as_root=""
  [ "$(id -u)" = 0 ] || as_root="sudo -n"
  echo "Installing Chromium for the browser tests."
  if $as_root apt-get update -qq && $as_root apt-get install -y -qq chromium >/dev/null; then
    exit 0
  fi
fi
echo "The browser tests need Chromium, which is not installed and could not be:" >&2
echo "install the package 'chromium', or run 'make quick' for the other tests." >&2
exit 1
