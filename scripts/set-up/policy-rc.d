#!/bin/sh
# Homeport's set-up puts this here while it installs packages, so that none of their services starts, and takes it
# away afterwards. For other packages the machine's own policy applies, if there is one; policy-rc.d(8).
[ -z "${HOMEPORT_SETUP_INSTALLS:-}" ] || exit 101
[ ! -x /usr/sbin/policy-rc.d.before-homeport ] || exec /usr/sbin/policy-rc.d.before-homeport "$@"
exit 0
