# Part of scripts/setup, for Debian: which packages are missing, and how they are installed.
# shellcheck shell=sh

# Earlier versions left these on the machine, where the preferences hold back an upgrade to Debian 13.
OLD_SOURCE=/etc/apt/sources.list.d/homeport-trixie.sources
OLD_PREFERENCES=/etc/apt/preferences.d/homeport-trixie
# Options of this set-up's own calls of apt, one word each.
APT_OPTIONS=
POLICY=/usr/sbin/policy-rc.d

# Names in the sections given.
listed() {
  awk -v wanted=" $* " '
    /^\[/ { take = index(wanted, " " substr($0, 2, length($0) - 2) " ") }
    take && /^[a-z0-9]/ { sub(/\/.*/, "", $1); print $1 }' "$PACKAGES"
}

# Names that Debian 12 lacks.
listed_in_trixie() { sed -n 's|^\([a-z0-9.+-]*\)/trixie .*|\1|p' "$PACKAGES"; }

# Another mail server would have to go for Postfix: then the one test that wants it is skipped.
has_other_mail_server() {
  # shellcheck disable=SC2016  # dpkg-query expands ${...} itself
  dpkg-query -W -f '${db:Status-Status} ${Provides} \n' 2>/dev/null | grep -q '^installed .*mail-transport-agent'
}

# Packages of the sections given that are not installed.
missing_packages() {
  # shellcheck disable=SC2016,SC2046  # dpkg-query expands ${...} itself; one word per package
  dpkg-query -W -f '${db:Status-Status} ${Package}\n' $(listed "$@") 2>/dev/null >"$LOGS/known" || true
  listed "$@" | while read -r package; do
    [ "$package" = postfix ] && has_other_mail_server && continue
    grep -qxF "installed $package" "$LOGS/known" || printf '%s ' "$package"
  done
}

# The mirror that this machine has Debian's suite $1 from; nothing when it has none.
archive_of() {
  uri=$(cat /etc/apt/sources.list.d/*.sources 2>/dev/null | awk -v suite="$1" '
    BEGIN { RS = ""; FS = "\n" }
    { uri = ""; wanted = 0
      for (i = 1; i <= NF; i++) {
        if ($i ~ /^URIs:/) { split($i, word, /[ \t]+/); uri = word[2] }
        if ($i ~ "^Suites:.* " suite "( |$)") wanted = 1
      }
      if (wanted && uri != "") { print uri; exit } }')
  [ -n "$uri" ] || uri=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | awk -v suite="$1" '
    $1 == "deb" { for (i = 2; i < NF; i++) if ($(i + 1) == suite) { print $i; exit } }')
  echo "$uri"
}

# Derives a Debian 13 source from the mirror this machine already uses; only the packages the list names come from it.
# Source and preferences stand beside the machine's own, for this set-up's calls of apt only: nothing is left in /etc.
add_trixie() {
  uri=$(archive_of bookworm)
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -n "$uri" ] || fail 'no Debian 12 apt source found on this machine, so none for soju and ergochat of Debian 13 can be derived'
  [ -r "$keyring" ] || fail "$keyring is missing: install the package debian-archive-keyring, then run again"
  own=$LOGS/apt
  for folder in sources.list.d preferences.d; do
    mkdir -p "$own/$folder"
    for file in "/etc/apt/$folder"/*; do
      [ ! -f "$file" ] || ln -s "$file" "$own/$folder/"
    done
  done
  printf 'Types: deb\nURIs: %s\nSuites: trixie\nComponents: main\nSigned-By: %s\n' "$uri" "$keyring" >"$own/sources.list.d/homeport-trixie.sources"
  {
    printf 'Package: *\nPin: release n=trixie\nPin-Priority: 50\n\n'
    printf 'Package: %s\nPin: release n=trixie\nPin-Priority: 500\n' "$(listed_in_trixie | paste -sd' ')"
  } >"$own/preferences.d/homeport-trixie"
  APT_OPTIONS="-o Dir::Etc::sourceparts=$own/sources.list.d -o Dir::Etc::preferencesparts=$own/preferences.d"
}

has_old_trixie() { [ -e "$OLD_SOURCE" ] || [ -e "$OLD_PREFERENCES" ]; }
remove_old_trixie() { ! has_old_trixie || as_root rm -f "$OLD_SOURCE" "$OLD_PREFERENCES"; }
warn_of_old_trixie() {
  ! has_old_trixie || say "an earlier version left $OLD_SOURCE and $OLD_PREFERENCES, which hold back an upgrade to Debian 13: scripts/setup --undo removes them"
}

# Keeps the services of our packages from starting until release_services.
hold_services() {
  services_held=yes
  allow_services
  { [ ! -e "$POLICY" ] && [ ! -L "$POLICY" ]; } || as_root mv "$POLICY" "$POLICY.before-homeport"
  as_root cp scripts/set-up/policy-rc.d "$POLICY"
  as_root chmod 0755 "$POLICY"
}

# Restores the machine's own policy, if it has one, also after a set-up that was killed.
allow_services() {
  if [ -e "$POLICY.before-homeport" ] || [ -L "$POLICY.before-homeport" ]; then
    as_root mv "$POLICY.before-homeport" "$POLICY"
  elif grep -qs HOMEPORT_SETUP_INSTALLS "$POLICY"; then
    as_root rm -f "$POLICY"
  fi
}

# Units that start with the machine, one a line; init scripts without a unit of that name have a leading slash.
started_at_boot() {
  find /etc/systemd/system -path '*.wants/*' -type l -printf '%f\n' 2>/dev/null | grep -E '\.(service|socket|timer|path)$' || true
  find /etc/rc[2-5].d -name 'S*' -type l -printf '%f\n' 2>/dev/null | sed 's/^S..//' | while read -r name; do
    [ -e "/lib/systemd/system/$name.service" ] || echo "/$name"
  done
}

# Units of the system itself; systemd and the bus bring them if they were not installed before.
is_of_system() { dpkg-query -S "/lib/systemd/system/$1" "/usr/lib/systemd/system/$1" 2>/dev/null | grep -qE '^(systemd|dbus)[a-z-]*:'; }

# Disables services that the packages would start at the next boot.
disable_new_services() {
  started_at_boot | sort -u | comm -13 "$LOGS/boot" - >"$LOGS/new"
  units=
  scripts=
  while read -r name; do
    case "$name" in
      /*) scripts="$scripts ${name#/}" ;;
      *) is_of_system "$name" || units="$units $name" ;;
    esac
  done <"$LOGS/new"
  # shellcheck disable=SC2086  # one word per unit
  [ -z "$units" ] || as_root systemctl disable $units >"$LOGS/disabled" 2>&1 || say "could not keep these off at the next boot:$units"
  for script in $scripts; do as_root update-rc.d "$script" disable >/dev/null 2>&1 || say "could not keep $script off at the next boot"; done
  [ -z "$units$scripts" ] || say "these services came with the packages and stay off until you start them:$units$scripts"
}

# Interrupted, it is done again by clean_up.
release_services() {
  allow_services
  disable_new_services
  services_held=
}

# Before the first of install_packages: reads the index once. $1: all the packages that will be installed.
prepare_apt() {
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null 2>&1; then
    fail "these Debian packages are missing and installing them needs root or sudo: $1"
  fi
  remove_old_trixie
  if [ "$(. /etc/os-release; echo "${VERSION_CODENAME:-}")" = bookworm ]; then
    for package in $(listed_in_trixie); do
      case " $1" in *" $package "*) add_trixie; break ;; esac
    done
  fi
  # A source that does not answer is not a failure if the others have everything.
  say 'reading the package index ...'
  # shellcheck disable=SC2086  # one word per option
  as_root apt-get -q $APT_OPTIONS -o Acquire::Retries=3 update >"$LOGS/index" 2>&1 || true
  # shellcheck disable=SC2086  # one word per option and package
  if ! apt-get -q -s $APT_OPTIONS --no-install-recommends install $1 >"$LOGS/simulated" 2>&1; then
    lost=$(sed -n 's/^E: \(Unable to locate package\|Package\) \([^ ]*\).*/\2/p' "$LOGS/simulated" | tr -d "'" | paste -sd' ')
    fail "apt does not know how to install ${lost:-these packages: $1}: check the network and the apt sources (apt-get update tells more), then run again"
  fi
  started_at_boot | sort -u >"$LOGS/boot"
}

# $1: packages, one word each
install_packages() {
  # Postfix without a configuration never starts.
  case " $1" in *' postfix '*)
    echo 'postfix postfix/main_mailer_type select No configuration' | as_root debconf-set-selections ;;
  esac
  hold_services
  # shellcheck disable=SC2086  # one word per option and package
  step "installing $(echo $1 | wc -w) Debian packages" as_root env DEBIAN_FRONTEND=noninteractive HOMEPORT_SETUP_INSTALLS=yes \
    apt-get -q -y $APT_OPTIONS -o DPkg::Lock::Timeout=600 --no-install-recommends install $1 || installed=no
  release_services
  [ "${installed:-yes}" = yes ] || fail 'apt could not install the packages: check the network and the messages above, then run again'
}
