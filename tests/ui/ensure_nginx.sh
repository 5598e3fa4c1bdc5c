#!/bin/sh
# The attack tests run against Debian's nginx too. Its program is unpacked into FOLDER
# where there is none, not installed: that would start it on port 80.
set -eu
folder=$1
for program in "$(command -v nginx || true)" /usr/sbin/nginx "$folder/usr/sbin/nginx"; do
  if [ -x "$program" ]; then exit 0; fi
done
if command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1; then
  as_root=""
  [ "$(id -u)" = 0 ] || as_root="sudo -n"
  mkdir -p "$folder"
  cd "$folder"
  if { apt-get download -qq nginx || { $as_root apt-get update -qq && apt-get download -qq nginx; }; } \
    >/dev/null 2>&1 && dpkg-deb -x nginx_*.deb . && ./usr/sbin/nginx -v 2>/dev/null; then
    exit 0
  fi
  rm -rf "$folder/usr"
fi
echo "nginx is not here and could not be fetched: its tests are skipped."
