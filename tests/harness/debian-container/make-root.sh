#!/bin/sh
# Makes the archive of the root directory of a machine with Debian: make-root.sh bookworm|trixie machine|base ARCHIVE
# Packages come from the mirror that this machine has its own from. It takes a minute or two.
set -eu
cd "$(dirname "$0")/../../.."
release=$1
kind=$2
archive=$3
# A base has apt and dpkg, as images of Debian do. A machine also has an init system, a bouncer for the connector, an X server
# and fonts for the terminal, the manual, and what the guides use.
packages=
if [ "$kind" = machine ]; then
  packages=systemd-sysv,dbus,iproute2,procps,libstdc++6,sudo,curl,soju,soju-utils,man-db
  packages=$packages,xvfb,xfonts-base,fonts-dejavu-core,fontconfig,libfontconfig1,libfreetype6,libharfbuzz0b
fi

HOMEPORT_SETUP_LOGS=$(mktemp -d)
trap 'rm -rf "$HOMEPORT_SETUP_LOGS" "$archive.new"' EXIT
trap 'exit 1' HUP INT TERM
. scripts/set-up/steps.sh
. scripts/set-up/debian.sh
mirror=$(archive_of "$release")
[ -n "$mirror" ] || mirror=$(archive_of bookworm)
[ -n "$mirror" ] || mirror=$(archive_of trixie)
[ -n "$mirror" ] || fail "this machine has no Debian mirror in its apt sources, so none for the machine with $release can be derived"

# Debian 12 has too old a soju: as on a machine of ours it comes from Debian 13.
pins=$HOMEPORT_SETUP_LOGS/pins
printf 'Package: *\nPin: release n=trixie\nPin-Priority: 50\n\nPackage: soju soju-utils\nPin: release n=trixie\nPin-Priority: 500\n' >"$pins"
sources="deb $mirror $release main"
hook=true
if [ "$release" = bookworm ]; then
  sources="$sources
deb $mirror trixie main"
  hook='cp '"$pins"' "$1/etc/apt/preferences.d/soju"'
fi
mkdir -p "$(dirname "$archive")"
echo "$sources" | mmdebstrap --quiet --mode=root --variant=minbase --format=tar \
  --keyring=/usr/share/keyrings/debian-archive-keyring.gpg ${packages:+--include="$packages"} --dpkgopt=force-unsafe-io \
  --setup-hook='mkdir -p "$1/etc/apt/preferences.d"' --setup-hook="$hook" \
  --customize-hook='echo "127.0.0.1 localhost debian" >"$1/etc/hosts"' \
  --customize-hook='echo debian >"$1/etc/hostname"' \
  --customize-hook='touch "$1/etc/.updated" "$1/var/.updated"' \
  "$release" "$archive.new" -
mv "$archive.new" "$archive"
