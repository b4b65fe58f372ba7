#!/bin/sh
# Makes the disk of a machine with Debian 13, with its kernel and initial ramdisk beside it: make-image.sh FOLDER
# Packages come from the mirror that this machine has its own from. It takes minutes, and a FOLDER that is complete is kept.
set -eu
cd "$(dirname "$0")/../../.."
folder=$1
# The kernel for virtual machines, programs that the agent asks about, a bouncer for the connector, and the channel for commands.
packages=systemd-sysv,dbus,udev,kmod,iproute2,procps,linux-image-cloud-amd64,initramfs-tools,qemu-guest-agent
packages=$packages,knot,postfix,wireguard-tools,soju,soju-utils,libstdc++6,dbus-user-session
# Servers of Debian may take longer than the usual 90 seconds to start on an emulated processor, beside other work.
export patience='[Manager]
DefaultTimeoutStartSec=600
DefaultTimeoutStopSec=600
DefaultDeviceTimeoutSec=600'

HOMEPORT_SETUP_LOGS=$(mktemp -d)
trap 'rm -rf "$HOMEPORT_SETUP_LOGS" "$folder.new"' EXIT
trap 'exit 1' HUP INT TERM
. scripts/set-up/steps.sh
. scripts/set-up/debian.sh
archive=$(archive_of trixie)
[ -n "$archive" ] || archive=$(archive_of bookworm)
[ -n "$archive" ] || fail 'this machine has no Debian mirror in its apt sources, so none for the machine with Debian 13 can be derived'

rm -rf "$folder.new"
mkdir -p "$folder.new"
mmdebstrap --quiet --mode=root --variant=minbase --format=directory --components=main \
  --keyring=/usr/share/keyrings/debian-archive-keyring.gpg --include="$packages" \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt=force-unsafe-io \
  --customize-hook='echo debian-13 >"$1/etc/hostname"' \
  --customize-hook='echo "127.0.0.1 localhost debian-13" >"$1/etc/hosts"' \
  --customize-hook='echo "/dev/vda / ext4 defaults 0 1" >"$1/etc/fstab"' \
  --customize-hook='touch "$1/etc/.updated" "$1/var/.updated"' \
  --customize-hook='for manager in system user; do mkdir -p "$1/etc/systemd/$manager.conf.d" && printf "%s\n" "$patience" >"$1/etc/systemd/$manager.conf.d/emulated.conf"; done' \
  trixie "$folder.new/root" "$archive"
cp "$folder.new/root"/boot/vmlinuz-* "$folder.new/kernel"
cp "$folder.new/root"/boot/initrd.img-* "$folder.new/initrd"
truncate -s 3G "$folder.new/disk"
mke2fs -q -t ext4 -F -d "$folder.new/root" "$folder.new/disk"
rm -rf "$folder.new/root" "$folder"
mv "$folder.new" "$folder"
