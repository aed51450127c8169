#!/usr/bin/env bash
# Says in plain words when Rust is missing or too old. The version wanted stands in Cargo.toml and nowhere else.
set -euo pipefail

cargo="${1:-cargo}"
manifest="$(dirname "$0")/../Cargo.toml"
wanted="$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$manifest")"
advice="install Rust $wanted or newer: see https://rustup.rs (one command), open a new shell, then run make again"

command -v "$cargo" >/dev/null || { echo "cargo is not there; $advice" >&2; exit 1; }
found="$("$cargo" --version | sed -n 's/^cargo \([0-9]*\.[0-9]*\).*/\1/p')"
oldest="$(printf '%s\n%s\n' "$wanted" "$found" | sort -V | head -n 1)"
[ "$oldest" = "$wanted" ] || { echo "cargo $found is too old; $advice" >&2; exit 1; }
for part in rustfmt clippy-driver; do
  command -v "$part" >/dev/null || echo "note: $part is not there; 'rustup component add rustfmt clippy' ('make test' needs both)" >&2
done
