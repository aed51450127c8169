#!/usr/bin/env bash
# Installs the Debian/Ubuntu packages marqueur needs and which are missing. Every package is listed here and nowhere else.
# Does nothing (and needs no root) when all of them are there.
set -euo pipefail

packages=(
  build-essential      # C and C++ compiler: the OpenCV binding and the bundled SQLite are compiled
  pkg-config           # finds OpenCV
  libopencv-dev        # video files, cameras, streams; calibration mathematics
  clang libclang-dev   # reads OpenCV's headers when the binding is generated
  ffmpeg               # streams on loopback in tests and benches, and comparison of decoding speed
  ca-certificates curl # cargo's downloads
)

missing=()
for p in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${Status}' "$p" 2>/dev/null)" = "install ok installed" ] || missing+=("$p")
done

if [ "${#missing[@]}" -gt 0 ]; then
  command -v apt-get >/dev/null || { echo "install these packages by hand, this is not Debian or Ubuntu: ${missing[*]}" >&2; exit 1; }
  sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "run as root, or install sudo; missing packages: ${missing[*]}" >&2; exit 1; }
    sudo=sudo
  fi
  echo "installing ${missing[*]}" >&2
  $sudo apt-get update -qq
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
