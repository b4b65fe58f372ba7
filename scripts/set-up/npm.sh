#!/bin/sh
# Part of scripts/setup: the npm packages, or the native module sqlite3. It may run beside apt.
#   scripts/set-up/npm.sh packages|sqlite3
#   scripts/set-up/npm.sh addon x64|arm64 FILE
set -eu
cd "$(dirname "$0")/../.."
CACHE=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/homeport
NODE=node_modules/.bin/node
. scripts/set-up/steps.sh

install_packages() {
  stamp=node_modules/.homeport-lock
  cmp -s package-lock.json "$stamp" 2>/dev/null && return
  step 'installing npm packages' npm ci --ignore-scripts --no-audit --no-fund --loglevel=error ||
    fail 'npm ci failed: check the network and the messages above, then run again'
  cp package-lock.json "$stamp"
}

loads() { "$NODE" -e 'require(process.argv[1])' "$1" >/dev/null 2>&1; }

# Copies file $1 to $2, whole or not at all.
place() {
  mkdir -p "$(dirname "$2")" && cp "$1" "$2.$$" && mv "$2.$$" "$2" && return
  rm -f "$2.$$"
  return 1
}

build_sqlite3() {
  addon=$PWD/node_modules/sqlite3/build/Release/node_sqlite3.node
  ! loads "$addon" || return 0
  rm -f "$addon"
  key=$("$NODE" -p '`sqlite3-${require("sqlite3/package.json").version}-node-${process.version}-${process.arch}`')
  kept=$CACHE/$key/node_sqlite3.node
  if loads "$kept" && place "$kept" "$addon"; then
    # So that the builds in use are the newest ones.
    touch "$CACHE/$key" 2>/dev/null || true
    return
  fi
  compile_sqlite3 "$("$NODE" -p process.arch)"
  loads "$built" || fail 'the sqlite3 just built does not load'
  place "$built" "$addon" || fail "could not write $addon"
  # A failed copy costs the next checkout a minute, no more.
  { place "$built" "$kept" && remove_old_builds; } 2>/dev/null || say "could not keep the build in $CACHE"
}

# sqlite3 is built here, by node-gyp with the pinned Node's own headers: its install script would go to the network.
# All files that make names are copied to a folder without blanks in its path, which the checkout's own may have.
# $1: a processor, as Node names it
compile_sqlite3() {
  site=$LOGS/sqlite3-$1
  headers=$(cd "$(dirname "$(readlink -f "$NODE")")/../include/node" && pwd)
  mkdir -p "$site/node_modules" "$site/node/include/node"
  for part in binding.gyp package.json src deps; do cp -R "node_modules/sqlite3/$part" "$site/"; done
  cp -R node_modules/node-addon-api node_modules/node-gyp "$site/node_modules/"
  # What node-gyp needs itself is found one folder higher.
  ln -sfn "$PWD/node_modules" "$LOGS/node_modules"
  ln -s "$headers"/* "$site/node/include/node/"
  for part in common.gypi config.gypi; do rm "$site/node/include/node/$part" && cp "$headers/$part" "$site/node/include/node/"; done
  step "building sqlite3 for $1 (about a minute)" env PATH="$PWD/node_modules/.bin:$PATH" npm_config_nodedir="$site/node" \
    "$NODE" "$site/node_modules/node-gyp/bin/node-gyp.js" rebuild --directory "$site" --arch "$1" --jobs max --nodedir "$site/node" ||
    fail 'sqlite3 did not build: see the messages above'
  built=$site/build/Release/node_sqlite3.node
}

# The GNU name of a processor that Node names $1.
gnu_name() {
  case $1 in
    x64) echo x86_64 ;;
    arm64) echo aarch64 ;;
    *) fail "no compiler is known for the processor $1: expected x64 or arm64" ;;
  esac
}

# Builds sqlite3's addon for the processor $1 into the file $2, by Debian's compiler for it, and without the names of its parts.
build_addon() {
  machine=$(gnu_name "$1")-linux-gnu
  command -v "$machine-g++" >/dev/null 2>&1 || fail "there is no $machine-g++: install the package g++-$(echo "$machine" | tr _ -)"
  CC=$machine-gcc CXX=$machine-g++ AR=$machine-ar
  export CC CXX AR
  compile_sqlite3 "$1"
  "$machine-strip" --strip-unneeded "$built"
  place "$built" "$2" || fail "could not write $2"
}

# Keeps the two builds used last: two checkouts may need different ones.
remove_old_builds() {
  # shellcheck disable=SC2012  # the names are ours
  (cd "$CACHE" && ls -1dt sqlite3-*) | tail -n +3 | while read -r old; do rm -rf "${CACHE:?}/$old"; done
}

case $1 in
  packages) install_packages ;;
  sqlite3) build_sqlite3 ;;
  addon) build_addon "$2" "$3" ;;
esac
