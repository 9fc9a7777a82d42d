# The commands a person types. Each is complete from a fresh clone and quick the second time.
SHELL := bash
.DEFAULT_GOAL := help
export COMMITS DEVELOPERS JOBS API SECONDS_EACH KEEP ADVISORIES LEAKS_SECONDS HEAP CHROMIUM PORT STATE DEMO PROFILE ADMIN_TOKEN EXTERNAL_URL DRY_RUN YES LOCATION FORCE CONFIG ROUNDS DURATION CONNECTIONS POSTS ISSUES REPOSITORY SAMPLE KILLS CRASHES MANY SEED EXAMPLES HISTORIES ONLY CASES
.PHONY: help bounds year diffs dev test clients page fuzz crash audit bench posts guess quotas memory world leaks cost trial index build mirror licenses deploy rehearse release clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dev: ## serve the API with a demo world on 127.0.0.1:8787 (PORT, STATE, DEMO=0, PROFILE, ADMIN_TOKEN)
	@scripts/dev

test: ## formatting, clippy, the suite on SQLite and on workerd, the mirror's tests
	@scripts/test

clients: ## real v3 clients against the built Worker, in both profiles (CLIENTS, PY36)
	@scripts/clients

page: ## the pages in headless Chromium: every address, what people do, axe, XSS, pictures in build/pages (CHROMIUM, ONLY)
	@scripts/page-test

fuzz: ## schemathesis against the built Worker: no 5xx, no answer outside the description (SEED, EXAMPLES, HISTORIES, API, PROFILE, ONLY)
	@scripts/fuzz

crash: ## LLVM's fuzzer over every reader and the whole service: no panic, no hang, no 500 (ONLY, SECONDS_EACH, KEEP)
	@scripts/crash

audit: ## crates and npm packages: licenses, sources, duplicates, known advisories (ADVISORIES)
	@scripts/audit

bench: ## requests per second and cost beside a hand-written JavaScript Worker
	@scripts/bench

guess: ## a thousand wrong tokens against the built Worker: how many reach the database, and that known tokens are served
	@scripts/guess

quotas: ## 64 writers at once against the built Worker with small quotas: never one more than they allow
	@scripts/quotas

memory: ## the Worker's memory while the longest lists are read, 1, 4 and 16 at once: under 128 MB (ISSUES, HEAP)
	@scripts/memory

world: ## make .wrangler/world-ISSUES, a local state with one project of that many issues (ISSUES, default 1,000,000)
	@scripts/world

leaks: ## noninterference: worlds that differ in what a caller may not see are the same to them (SEED, LEAKS_SECONDS)
	@scripts/leaks

cost: ## what issue requests read and write in a world of 1,000 issues and in a large one (ISSUES)
	@scripts/cost

bounds: ## the largest changes that one request asks for: requests, milliseconds, statements and rows of each; kills (COMMITS, ISSUES, ONLY)
	@scripts/bounds/run

trial: ## many requests at once, and a killed workerd: no issue lost or doubled, every counter exact (MANY, KILLS)
	@scripts/trial

index: ## a repository indexed on workerd: speed and memory beside git's, all read back, kills survived (REPOSITORY, KILLS)
	@scripts/index

diffs: ## diffs in R2 beside D1: room, time and memory of a sync, a diff of 5 MB, kills (REPOSITORY, SAMPLE, KILLS)
	@scripts/diffs

posts: ## ten thousand statuses posted at once: none lost, their cost and speed, a crash in between (ROUNDS, POSTS)
	@scripts/posts

year: ## a year of 50 and of 500 developers: rows, bytes, requests, the bill each month, which limit is met when (DEVELOPERS, JOBS, SEED)
	@scripts/year

build: ## build the release Worker into build/
	@scripts/build

mirror: ## build the mirror hook, target/release/edgeforge-mirror
	@scripts/mirror

licenses: ## load the license templates (and migrations) into the local state
	@scripts/setup && scripts/prepare

deploy: ## put the Worker on Cloudflare, asking before anything is made (YES, LOCATION, ADMIN_TOKEN, EXTERNAL_URL, CONFIG, DRY_RUN)
	@scripts/deploy

rehearse: ## make deploy against a stand-in for Cloudflare with production's limits: upgrades, failures, rollback (CASES)
	@scripts/rehearse/run $(CASES)

release: ## write dist/edgeforge-VERSION.tar.gz: what serves and deploys without Rust, and the hook for Linux
	@scripts/release

clean: ## remove what was built; the local state and the tools of this user stay
	rm -rf build dist target node_modules
