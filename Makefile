# The commands a person types. Each is complete from a fresh clone and quick the second time.
SHELL := bash
.DEFAULT_GOAL := help
export BUILD API SECONDS_EACH KEEP ADVISORIES LEAKS_SECONDS CHROMIUM PORT STATE DEMO PROFILE HOOKS_TO ADMIN_TOKEN EXTERNAL_URL DRY_RUN YES LOCATION CONFIG SEED EXAMPLES HISTORIES ONLY CASES
.PHONY: help dev format check test prove clients page fuzz crash audit build mirror licenses deploy rehearse release revoke-since clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "  For maintainers: make page, clients, fuzz, crash, audit, rehearse, build, licenses, clean (see Makefile); experiments: make -C lab"

dev: ## serve the API with a demo world on 127.0.0.1:8787 (PORT, STATE, DEMO=0, PROFILE, HOOKS_TO, ADMIN_TOKEN, BUILD=release)
	@scripts/dev

format: ## format Rust and JavaScript, and make the safe fixes of lints in JavaScript
	@scripts/setup packages && cargo fmt --all && node_modules/.bin/biome check --write

check: ## before a commit: formatting, lints, types of JavaScript, unit tests, the suite in-process
	@scripts/check

test: ## before a merge: `make check`, tests of scripts, and on the built Worker every route and status
	@scripts/test

prove: ## what takes longer: proofs, the whole suite on the release Worker, real clients, rehearsals, backup and restore
	@scripts/prove

clients: # real clients of v3 and v4 and the recipes against the built Worker (CLIENTS, PY36)
	@scripts/clients

page: # the pages in headless Chromium: every address, what people do, axe, XSS, pictures in build/pages (CHROMIUM, ONLY)
	@scripts/page-test

fuzz: # schemathesis against the built Worker: no 5xx, no answer outside the description (SEED, EXAMPLES, HISTORIES, API, PROFILE, ONLY)
	@scripts/fuzz

crash: # LLVM's fuzzer over every reader and the whole service: no panic, no hang, no 500 (ONLY, SECONDS_EACH, KEEP)
	@scripts/crash

audit: # crates and npm packages: licenses, sources, duplicates, known advisories (ADVISORIES)
	@scripts/audit

build: # build the Worker into build/ (BUILD=dev)
	@scripts/build

mirror: ## build the mirror hook, target/release/edgeforge-mirror
	@scripts/mirror

licenses: # load the license templates (and migrations) into the local state
	@scripts/setup && scripts/prepare

deploy: ## put the Worker on Cloudflare, asking before anything is made (YES, LOCATION, ADMIN_TOKEN, EXTERNAL_URL, CONFIG, DRY_RUN)
	@scripts/deploy

rehearse: # make deploy against a stand-in for Cloudflare with production's limits: upgrades, failures, rollback (CASES; by-hand opens a shell)
	@scripts/rehearse/run $(CASES)

revoke-since: ## after going back to an older state: end again the tokens and access of TIME that had ended (NOTE, AS_IN, YES)
	@scripts/revoke-since $(TIME) $(if $(NOTE),--note "$(NOTE)") $(if $(AS_IN),--as-in "$(AS_IN)")

release: ## write dist/edgeforge-VERSION.tar.gz: what serves and deploys without Rust, and the hook for Linux
	@scripts/release

clean: # remove what was built; the local state and the tools of this user stay
	rm -rf build dist target node_modules
