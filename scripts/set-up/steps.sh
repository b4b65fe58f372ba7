# Part of scripts/setup: how it tells what it does.
# shellcheck shell=sh

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# A folder that scripts/setup makes and removes.
LOGS=$HOMEPORT_SETUP_LOGS

# Runs a step with its output kept aside, shown only when it fails.
step() {
  title=$1; shift
  log=$(mktemp "$LOGS/step.XXXXXX")
  started=$(date +%s)
  say "$title ..."
  if ! "$@" >"$log" 2>&1; then
    tail -n 25 "$log" >&2
    return 1
  fi
  say "$title: done in $(($(date +%s) - started)) s"
}
