# Shared by the scripts here. Source it; it changes to the project's root folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

STATE="${STATE:-.wrangler/state}"
cache="${XDG_CACHE_HOME:-$HOME/.cache}/edgeforge"
target="${CARGO_TARGET_DIR:-target}"
# the pinned node, wrangler, esbuild and wasm-opt, which `scripts/setup` installs
PATH="$PWD/node_modules/.bin:$PATH"
export WRANGLER_SEND_METRICS=false
# a start of wrangler takes 0.9 s of processor time with it, 1.2 s without: https://nodejs.org/api/module.html#module-compile-cache
export NODE_COMPILE_CACHE="$cache/node"

say() { printf '==> %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# Says what runs, when it begins and every 15 seconds: ticking NAME COMMAND... Of one inside another only the outer speaks.
ticking() {
  local name="$1" began=$SECONDS code=0 ticker=""
  shift
  if [ -z "${TICKING:-}" ]; then
    say "$name"
    { while sleep 15 >/dev/null 2>&1; do say "$name: $((SECONDS - began)) s"; done; } &
    ticker=$!
  fi
  # in the background, so that an error in a function ends it
  (set -e; TICKING=1; export TICKING; "$@") &
  wait $! || code=$?
  [ -z "$ticker" ] || { kill "$ticker" && wait "$ticker"; } 2>/dev/null || true
  return "$code"
}

# Runs cargo, whose own output stays as it is. If it could not download, a last line says what to do.
run_cargo() {
  local told code=0
  told="$(mktemp)"
  # its errors go through a pipe, which has no colours by itself
  if [ -t 2 ]; then export CARGO_TERM_COLOR="${CARGO_TERM_COLOR:-always}"; fi
  { cargo "$@" 2>&1 >&3 | tee "$told" >&2; } 3>&1 || code=$?
  if [ "$code" != 0 ] && grep -q "failed to download" "$told"; then
    printf 'error: cargo could not download: check the network, then run this again\n' >&2
  fi
  rm -f "$told"
  return "$code"
}

# Seconds of a command on a fresh clone, as they were measured last.
measured() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' docs/times.tsv; }

# The version of a crate in Cargo.lock.
locked() { awk -v want="name = \"$1\"" '$0 == want { getline; gsub(/[^0-9.]/, ""); print; exit }' Cargo.lock; }

# One hash over the named files and folders. A missing one counts as empty.
fingerprint() {
  local path files
  files="$(for path in "$@"; do [ ! -e "$path" ] || find "$path" -type f; done | LC_ALL=C sort)"
  { echo "$files"; echo "$files" | git hash-object --no-filters --stdin-paths; } | git hash-object --stdin
}

# The path of the built scripts/bindgen.
path_of_bindgen() { echo "$cache/bindgen-$(fingerprint scripts/bindgen)"; }

# The push hook, as make dev and make test build it.
hook="$target/debug/edgeforge-mirror"

# 20 characters that need no escaping in an address, a header or a shell.
random_token() { node -p 'require("node:crypto").randomBytes(15).toString("base64url")'; }

# Starts a Worker in the background, on a free port or --port, and waits until it answers: `serve_background NAME STATE
# [serve options]` sets address_NAME and pid_NAME.
servers=""
serve_background() {
  local name="$1" state="$2" file
  shift 2
  mkdir -p "$state"
  file="$state/address"
  rm -f "$file"
  WRANGLER_LOG=error node scripts/serve.mjs --state "$state" --address "$file" "$@" &
  eval "pid_$name=$!"
  servers="$servers $!"
  local waited=0
  until [ -s "$file" ]; do
    kill -0 "$(eval "echo \$pid_$name")" 2>/dev/null || die "the Worker ($name) did not start: see its output above"
    [ "$waited" -lt 600 ] || die "the Worker ($name) did not answer within a minute"
    waited=$((waited + 1))
    sleep 0.1
  done
  eval "address_$name=\$(cat \"\$file\")"
}

# Runs a step in its own process group, so that a signal ends it and everything it started. Without this, bash would
# wait for the step to finish.
step_group=""
step() {
  local code=0
  set -m
  "$@" &
  step_group=$!
  set +m
  wait "$step_group" || code=$?
  # what it left running, if it failed
  [ "$code" = 0 ] || end_step
  step_group=""
  return "$code"
}
end_step() {
  if [ -n "$step_group" ]; then kill -TERM -- "-$step_group" 2>/dev/null || true; fi
}

# Stops what serve_background started. It may be called twice.
stop_servers() {
  local pid
  for pid in $servers; do kill "$pid" 2>/dev/null || true; done
  for pid in $servers; do wait "$pid" 2>/dev/null || true; done
  servers=""
}

# The issuers of JWTs that the tests have, as in tests/api/support/documents.rs: arguments of serve.mjs.
ci=(--documents tests/api/jwt/documents.json --var "CI_ISSUERS=https://ci.example.com https://many.example.com/org/*")

# Runs the tests of clients against a server of that profile: client_tests PROFILE WORLD. tests/clients/world.mjs wrote
# WORLD.
client_tests() {
  # shellcheck disable=SC1090
  (. "$2" && PROFILE="$1" node --test --test-reporter=spec tests/clients/*.test.mjs tests/clients/v4/*.test.mjs && PROFILE="$1" tests/clients/ci_day.sh)
}
