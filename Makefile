# make demo   analyzes the demonstration clip and prints its score sheet
# make test   everything that must hold before a change goes in
# make bench  speed, stage by stage
# make docs   the documentation of the code, in target/doc
# Everything is built with --release: OpenCV's binding is then generated once, and tests that compute are fast.

CARGO ?= cargo
CLIP ?= testdata/clips/demo.mp4
OUT ?= out/demo

.PHONY: demo test bench docs fmt build packages rust

demo: build
	@test -f $(CLIP) || { echo "$(CLIP) is missing" >&2; exit 1; }
	target/release/marqueur analyze $(CLIP) --game three-cushion --out $(OUT)

test: packages rust
	$(CARGO) fmt --check
	$(CARGO) clippy --release --locked --all-targets -- -D warnings
	$(CARGO) clippy --release --locked --no-default-features --all-targets -- -D warnings
	$(CARGO) test --release --locked
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --locked --no-deps

bench: packages rust
	$(CARGO) bench --locked

docs: packages rust
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --locked --no-deps
	@echo "target/doc/marqueur/index.html"

fmt: rust
	$(CARGO) fmt

build: packages rust
	$(CARGO) build --release --locked

packages:
	@scripts/install-packages.sh

rust:
	@scripts/check-rust.sh $(CARGO)
