#!/usr/bin/env bash
# A small CI day, in 128 requests of plain curl: a project is made and pushed to, two jobs report on eight commits, in
# the wrong order and again after a lost answer, one commit is deployed to production, and an issue is closed by hand.
#
#   BASE_URL=http://127.0.0.1:8787 ADMIN_TOKEN=.. HOOK=target/release/edgeforge-mirror [PROFILE=gitlab] tests/clients/ci_day.sh
set -euo pipefail
api="$BASE_URL/api/v3"
profile="${PROFILE:-spec}"
name="day-$(date +%s)-$$" # of the group
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

requests=0
body=""
# ask WHO STATUS METHOD PATH [curl's own arguments]: sends one request, and fails if the status differs
ask() {
  local who="$1" wanted="$2" method="$3" path="$4" answer status
  shift 4
  requests=$((requests + 1))
  answer="$(curl --silent --show-error --max-time 30 --request "$method" --header "PRIVATE-TOKEN: $who" --write-out '\n%{http_code}' "$@" "$api$path")"
  status="${answer##*$'\n'}"
  body="${answer%$'\n'*}"
  if [ "$status" != "$wanted" ]; then
    printf 'request %d: %s %s answered %s, not %s: %s\n' "$requests" "$method" "$path" "$status" "$wanted" "$body" >&2
    exit 1
  fi
}
# the first value of a member of the answer
field() { printf '%s' "$body" | grep -o "\"$1\":\"\{0,1\}[^\",}]*" | head -1 | sed 's/^[^:]*:"\{0,1\}//'; }
# how many members have that name
many() { printf '%s' "$body" | { grep -o "\"$1\":" || true; } | wc -l | tr -d ' '; }
is() { [ "$1" = "$2" ] || { printf 'request %d: %s, not %s: %s\n' "$requests" "$1" "$2" "$body" >&2; exit 1; }; }

made=200 # a new issue and a new todo
repeated=201 # the state again that a job has
if [ "$profile" = gitlab ]; then made=201 repeated=400; fi
root="$ADMIN_TOKEN"

printf 'A small CI day at %s (PROFILE=%s)\n\nMorning\n' "$BASE_URL" "$profile"
ask "" 200 GET ""
printf '  the documentation is at %s\n' "$(field documentation)"
ask "$root" 201 POST /users -d "username=carol-$name" -d name=Carol -d "email=$name@example.com"
carol_id="$(field id)"
ask "$root" 201 POST "/users/$carol_id/personal_access_tokens" -d "name=ci"
carol="$(field token)"
ask "$root" 201 POST /groups -d "name=$name" -d "path=$name" -d visibility_level=20
group="$(field id)"
ask "$root" 201 POST /projects -d name=app -d path=app -d "namespace_id=$group" -d visibility_level=20
project="$(field id)"
at="/projects/$name%2Fapp"
ask "$root" 201 POST "$at/members" -d "user_id=$carol_id" -d access_level=30
ask "$root" 201 POST "$at/hook_tokens" -d name=push
(umask 077 && field token >"$work/token")
printf '  root makes Carol a user and a developer of %s/app\n' "$name"

export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=Carol GIT_AUTHOR_EMAIL=carol@example.com \
  GIT_COMMITTER_NAME=Carol GIT_COMMITTER_EMAIL=carol@example.com
git init --quiet --bare --initial-branch=master "$work/app.git"
"$HOOK" install --repository "$work/app.git" --server "$BASE_URL" --project "$name/app" --token-file "$work/token" >/dev/null 2>&1
git init --quiet --initial-branch=master "$work/app"
for number in 1 2 3 4 5 6 7 8; do
  printf 'line %s\n' "$number" >>"$work/app/notes.txt"
  git -C "$work/app" add .
  git -C "$work/app" commit --quiet -m "Change $number"
done
git -C "$work/app" push --quiet "$work/app.git" master 2>/dev/null
tip="$(git -C "$work/app" rev-parse HEAD)"
printf '  Carol pushes 8 commits, and the hook sends them on\n\nNoon: two jobs report on each commit\n'
printf '  %-10s %-10s %-30s %-38s %s\n' commit title 'build' 'test' 'the commit is'

# report WANTED SHA JOB STATE
report() { ask "$carol" "$1" POST "$at/statuses/$2" -d "state=$4" -d "name=$3" -d ref=master --data-urlencode "target_url=https://ci.example.com/$3/${2:0:8}"; }
for sha in $(git -C "$work/app" rev-list --reverse HEAD); do
  number="$(git -C "$work/app" log -1 --format=%s "$sha")"
  end=success
  if [ "$number" = "Change 5" ]; then end=failed; fi
  report 201 "$sha" build pending
  # the test's messages arrive out of order: running before pending
  report 201 "$sha" test running
  report 400 "$sha" test pending
  case "$body" in *"Cannot transition status via :enqueue from :running"*) ;; *) is "$body" "a refusal of the late pending" ;; esac
  report 201 "$sha" build running
  build_id="$(field id)"
  # the answer was lost: the job sends it again
  report "$repeated" "$sha" build running
  report 201 "$sha" build success
  is "$(field id)" "$build_id"
  ask "$carol" 200 GET "$at/repository/commits/$sha"
  is "$(printf '%s' "$body" | grep -o '"status":"[a-z]*"' | tail -1)" '"status":"running"'
  report 201 "$sha" test "$end"
  ask "$carol" 200 GET "$at/repository/commits/$sha/statuses"
  is "$(many sha)" 2
  ask "$carol" 200 GET "$at/repository/commits/$sha"
  stands="$(printf '%s' "$body" | grep -o '"status":"[a-z]*"' | tail -1 | cut -d'"' -f4)"
  is "$stands" "$end"
  ask "$carol" 200 GET "$at/repository/commits/$sha/diff"
  ask "" 200 GET "$at/badges/$sha/build.svg"
  case "$body" in "<svg "*"$([ "$end" = success ] && echo passed || echo failed)"* | "<svg "*"$end"*) ;; *) is "$body" "a badge that says $end" ;; esac
  printf '  %-10s %-10s %-30s %-38s %s\n' "${sha:0:8}" "$number" 'pending, running (twice), ok' \
    "running, late pending refused, $([ "$end" = success ] && echo ok || echo failed)" "$stands"
done

printf '\nAfternoon: %s goes to production\n' "${tip:0:8}"
ask "$carol" 201 POST "$at/deployments" -d environment=production -d "sha=$tip" -d ref=master -d name=ship -d status=running -d external_url=https://app.example.com
deployment="$(field id)"
ask "$carol" 200 PUT "$at/deployments/$deployment" -d status=success
# the answer was lost, so the job sends it again
ask "$carol" 200 PUT "$at/deployments/$deployment" -d status=success
ask "$carol" 200 GET "$at/deployments"
is "$(many deployable)" 1
ask "$carol" 200 GET "$at/deployments/$deployment"
is "$(printf '%s' "$body" | grep -o '"status":"[a-z]*"' | head -1)" '"status":"success"'
ask "$carol" 200 GET "$at/environments"
printf '  deployment %s to %s: success, said twice and recorded once\n' "$deployment" "$(field external_url)"

printf '\nEvening: the failed commit becomes an issue\n'
ask "$carol" "$made" POST "$at/issues" -d 'title=The test of change 5 fails' -d labels=ci
issue="$(field id)"
is "$(field iid)" 1
ask "$carol" 200 GET "$at/issues?labels=ci"
is "$(many iid)" 1
ask "$carol" 201 POST "$at/issues/$issue/notes" -d 'body=A test was in the way of another.'
ask "$carol" 200 GET "$at/issues/$issue/notes"
ask "$root" "$made" POST "$at/issues/$issue/todo"
ask "$root" 304 POST "$at/issues/$issue/todo"
ask "$root" 200 GET "/todos?project_id=$project"
is "$(many action_name)" 1
ask "$carol" 200 PUT "$at/issues/$issue" -d labels=ci,flaky
ask "$carol" 200 GET "$at/labels"
is "$(many color)" 2
ask "$carol" 200 PUT "$at/issues/$issue" -d state_event=close
is "$(field state)" closed
# closing it again changes nothing
ask "$carol" 200 PUT "$at/issues/$issue" -d state_event=close
ask "$carol" 200 GET "$at/issues?state=opened"
is "$body" '[]'
ask "$root" 200 DELETE "/todos?project_id=$project"
is "$body" 1
printf '  issue #1 of %s/app is written, commented on, labelled and closed by hand; one to-do is done\n' "$name"

printf '\nNight\n'
ask "$carol" 200 GET "$at/repository/commits?per_page=5"
is "$(many short_id)" 5
ask "$carol" 200 GET "$at/repository/branches/master"
is "$(field name)" master
ask "" 200 GET "$at/badges/master/build.svg"
printf '  the badge of master says %s\n' "$(printf '%s' "$body" | grep -o 'passed\|success\|failed\|running' | head -1)"
ask "$carol" 200 GET "$at"
is "$(field open_issues_count)" 0
ask "" 200 GET "/licenses/mit?fullname=Carol"
case "$body" in *"Carol"*) ;; *) is "$body" "a license of Carol's" ;; esac
ask "$carol" 200 GET /user
is "$requests" 128
printf '\n%d requests, each answered as expected\n' "$requests"
