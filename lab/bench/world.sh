# make_world: the measured world in "$work/ours", and "$work/world.json". Source it after common.sh, and call it after
# scripts/build and scripts/mirror.
make_world() {
  ADMIN_TOKEN="$(random_token)"
  export ADMIN_TOKEN
  scripts/prepare "$work/ours"
  serve_background ours "$work/ours" --quiet --bare --var ADMIN_TOKEN
  say "making a project with 20,000 issues, 2,000 commits and 200 statuses, and an empty one"
  node lab/bench/fill.mjs --server "$address_ours" --hook "$target/release/edgeforge-mirror" --out "$work"
  stop_servers
  node lab/bench/deepen.mjs --state "$work/ours"
}
