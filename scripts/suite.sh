#!/usr/bin/env bash
# Renders twenty matches (two sizes, two rates, five seeds and cloths each), analyzes them and compares with their truth.
# Takes about an hour on two cores. What is there already is not rendered again.
set -euo pipefail

marqueur="$(dirname "$0")/../target/release/marqueur"
suite="${1:-out/suite}"
cloths=(blue green grey blue bright-green)
mkdir -p "$suite"
n=0
for size in 1080p 720p; do
  for fps in 60 30; do
    for cloth in "${cloths[@]}"; do
      n=$((n + 1))
      match="$suite/m$n"
      [ -f "$match.truth.json" ] ||
        "$marqueur" synth --out "$match.mp4" --seed $((100 + n)) --shots 5 --size "$size" --fps "$fps" --cloth "$cloth"
      "$marqueur" analyze "$match.mp4" --game three-cushion --out "$match" >/dev/null
    done
  done
done
"$marqueur" evaluate --suite "$suite"
