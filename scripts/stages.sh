# Stages of a check, in lanes side by side, and the stages that several commands share. Source it after common.sh.
#
#   stage NAME COMMAND..   runs a command with its output in a file: says when it begins, every 15 seconds that it still
#                          runs, and what it took. If it fails, prints its output, and the lane goes on
#   passed NAME            whether a stage succeeded; waits for it, if another lane runs it
#   lanes FUNCTION..       runs functions at the same time, and waits for all of them
#   finish                 prints a line for each stage; fails if one failed
has clippy-driver && has rustfmt || die "clippy or rustfmt is missing: rustup component add clippy rustfmt"
work="$(mktemp -d)"
groups=""
cleanup() {
  local pid
  # a lane's group: what its stages started ends, too
  for pid in $groups; do kill -TERM -- "-$pid" 2>/dev/null || true; done
  stop_servers
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

output() { echo "$work/${1//[^A-Za-z0-9]/-}.log"; }

# Bash ignores errors inside of a function that is called in a condition: no stage is.
stage() {
  local name="$1" file code took
  file="$(output "$name")"
  shift
  set +e
  { TIMEFORMAT='%R %U %S'; time ticking "$name" into "$file" "$@" 2>&3; } 3>&2 2>"$file.took"
  code=$?
  set -e
  took="$(tail -n 1 "$file.took")"
  awk -v name="$name" -v code="$code" '{ printf "%5.0f s %8.0f s  %s%s\n", $1, $2 + $3, name, code == 0 ? "" : "  FAILED" }' <<<"$took" >>"$work/times"
  if [ "$code" = 0 ]; then
    say "$name: done after ${took%%.*} s"
  else
    say "$name: FAILED after ${took%%.*} s"
    sed 's/^/    /' "$file" >&2
  fi
  echo "$code" >"$file.code"
}
into() {
  local file="$1"
  shift
  exec >"$file" 2>&1 </dev/null
  set -e
  "$@"
}

passed() {
  local file
  file="$(output "$1").code"
  until [ -s "$file" ]; do sleep 0.2; done
  [ "$(cat "$file")" = 0 ]
}

lanes() {
  local lane pid
  set -m
  for lane in "$@"; do
    "$lane" &
    groups="$groups $!"
  done
  set +m
  for pid in $groups; do wait "$pid" || printf '%25s%s\n' "" "a lane that ended early  FAILED" >>"$work/times"; done
  groups=""
}

finish() {
  echo " wall  processor"
  cat "$work/times"
  printf '%5d s            in all\n' "$SECONDS"
  ! grep -q 'FAILED$' "$work/times" || die "failed: $(sed -n 's/^[^a-zA-Z]*s[^a-zA-Z]*s  \(.*\)  FAILED$/\1/p' "$work/times" | paste -sd ';' -): see above"
}

# The summaries of test runners in the output of a stage, if it ran.
summaries() {
  [ -f "$(output "$1")" ] || return 0
  awk '/^ +Running / { name = $2 == "unittests" ? $3 " " $4 : $2 } /^ +Doc-tests / { name = "doc tests of " $2 }
    /^test result:/ { print name ": " $0 }
    $2 ~ /^(pass|fail)$/ && NF == 3 { count[$2] += $3; any = 1 }
    /^[0-9]+ passed, [0-9]+ failed$/ { print }
    END { if (any) printf "%d passed, %d failed\n", count["pass"], count["fail"] }' "$(output "$1")" |
    sed "s|(.*/\(.*\)-[0-9a-f]*)|(\1)|; s|^|$1: |"
}

# Tests of scripts: those that a text or a table can break, those of what an operator runs (in make prove), and the others.
quick_tests="behaviour costs cover documents openapi pages rights schema settings-page sql structure supply times words worker"
operating_tests="backup by-hand migrations processes release revoke-since"
node_tests() { node --no-warnings --test --test-reporter=spec $(printf 'tests/scripts/%s.test.mjs ' "$@"); }
other_tests() {
  local name
  for name in tests/scripts/*.test.mjs; do
    name="$(basename "$name" .test.mjs)"
    case " $quick_tests $operating_tests " in *" $name "*) ;; *) echo "$name" ;; esac
  done
}

# biome.jsonc and both tsconfig.json say what they look at.
check_javascript() {
  local code=0
  # a warning fails, too
  biome check --error-on-warnings --log-level=warn || code=1
  tsc --project . || code=1
  tsc --project tests || code=1
  return "$code"
}

# Clippy in place of rustc for the crates of the workspace, called as `cargo clippy` calls it: compiling also lints, and
# dependencies are not read a second time (190 s of processor time on a fresh clone).
linting() { RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS="-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__" "$@"; }
# with the same seed each time, so that a failure comes from the change, and with more threads than cores, because tests of
# the hook wait for the clock
seeded() { SEED="${SEED:-1}" RUST_TEST_THREADS=4 linting "$@"; }
compiling="compiling and linting the tests"
compile_tests() { linting cargo test --locked --quiet --workspace --no-run; }
in_process="the suite in-process on SQLite, unit tests, the hook's tests"
case "$target" in /*) asked="$target/tmp/asked.tsv" ;; *) asked="$PWD/$target/tmp/asked.tsv" ;; esac
suite_in_process() {
  rm -f "$asked"
  EDGEFORGE_RECORD="$asked" seeded cargo test --locked --workspace --no-fail-fast
}
# What Clippy lints is what runs. The first line is that of scripts/build, which compiles nothing if the Worker is up to date.
compile_worker() {
  CARGO_PROFILE_DEV_DEBUG=0 linting cargo rustc --locked --quiet --lib --crate-type cdylib --target wasm32-unknown-unknown &&
    linting scripts/build
}

lint_worker() { linting cargo check --locked --quiet --lib --target wasm32-unknown-unknown; }

# Serves the Worker with a state for each: the two profiles, one for tests that change shared settings, and one with replicas.
serve_all() {
  local name storages="REPOSITORY_STORAGES=default,custom"
  ADMIN_TOKEN="$(random_token)"
  export ADMIN_TOKEN
  scripts/prepare "$work/spec"
  for name in gitlab apart near; do cp -R "$work/spec" "$work/$name"; done
  # ACCESS_.. as in tests/api/support/documents.rs
  serve_background spec "$work/spec" --quiet --var ADMIN_TOKEN --var PROFILE=spec --var "$storages" "${ci[@]}"
  # only this one stores long diffs in a bucket
  serve_background gitlab "$work/gitlab" --quiet --without DIFFS --var ADMIN_TOKEN --var PROFILE=gitlab --var "$storages" \
    --var "GIT_HTTP_URL=https://git.example.com/{path}.git" --var "GIT_SSH_URL=git@git.example.com:{path}.git" "${ci[@]}"
  # COST_HEADER is empty, as in a deployed Worker: only administrators get the cost of a request
  serve_background apart "$work/apart" --quiet --var ADMIN_TOKEN --var PROFILE=spec --var "$storages" --var COST_HEADER= \
    "${ci[@]}" --var ACCESS_TEAM=acme --var ACCESS_AUD=4f1d5c --var ACCESS_CREATE_USERS=external
  serve_background near "$work/near" --quiet --var ADMIN_TOKEN --var PROFILE=spec --var READ_REPLICAS=nearest
}
# over_http [ARGUMENTS OF THE TEST RUNNER]..   More threads than cores, because some tests wait for the clock.
over_http() {
  EDGEFORGE_URL="$address_spec" EDGEFORGE_GITLAB_URL="$address_gitlab" EDGEFORGE_APART_URL="$address_apart" \
    EDGEFORGE_ADMIN_TOKEN="$ADMIN_TOKEN" linting cargo test --locked --test api -- --test-threads=4 "$@"
}
replicas() {
  NEAR="$address_near" PLAIN="$address_spec" node --no-warnings --test --test-reporter=spec tests/replicas/*.test.mjs
}
