import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { messageOf, StartError } from '../../kernel/errors.ts';
import { groupId } from '../../kernel/systemd/accounts.ts';
import { replaceFile } from '../../kernel/systemd/first-files.ts';
import { type Print, requireSystemd } from '../../kernel/systemd/installation.ts';
import { complaintOf, runCommand, spelled, succeeds } from '../../kernel/systemd/run-command.ts';
import { withUnitLock } from '../../kernel/systemd/unit-lock.ts';
import { PROGRAM } from './connector-installation.ts';
import { SOJU_GROUP } from './soju-note.ts';

const DROP_IN = '/etc/systemd/system/soju.service.d/homeport.conf';
const ADMIN_SOCKET = '/run/soju/admin';
/** Socket of some configurations of soju, for IRC clients of the same machine and for containers. */
const IRC_SOCKET = '/run/soju/irc';

/** Deadline of the hook: systemd waits 90 s for a unit to start, and the hook reports the fault before that. */
const ANSWERS_WITHIN_SECONDS = 60;

/** Deadline of soju's restart: its end and its hook. */
const RESTART_DEADLINE_MS = 150_000;

/** `sojuctl` waits for an answer without a limit of its own. */
const ASKING_SOJU = ['timeout', '10', 'sojuctl', 'server', 'status'];

/**
 * Drop-in that shares soju's sockets. soju makes them for itself alone, and the hook gives them to a group. systemd
 * runs the hook as soju's own account: in a directory that soju may write, root could be led to any file of the machine
 * by a link. `$MAINPID` may not be signalled yet when the hook begins, so the hook looks for its directory in /proc.
 * The minus sign keeps soju running if the hook fails: other people's IRC does not depend on the connector.
 */
export const sojuDropIn = `# Written by "homeport-connector share-soju".
[Service]
SupplementaryGroups=${SOJU_GROUP}
ExecStartPost=-/bin/sh -c '\\
  end=$$(( $$(date +%%s) + ${ANSWERS_WITHIN_SECONDS} )); \\
  until timeout 2 sojuctl server status >/dev/null 2>&1; do \\
    if [ ! -e /proc/$$MAINPID ] || [ $$(date +%%s) -ge $$end ]; then \\
      echo "soju ended, or did not answer on ${ADMIN_SOCKET} within ${ANSWERS_WITHIN_SECONDS} s" >&2; exit 1; \\
    fi; \\
    sleep 0.2; \\
  done; \\
  for socket in ${ADMIN_SOCKET} ${IRC_SOCKET}; do \\
    [ ! -S $$socket ] || { chgrp --no-dereference ${SOJU_GROUP} $$socket && chmod 0660 $$socket; } || exit 1; \\
  done'
`;

const MAKING_GROUP = ['systemd-sysusers', '--inline', `g ${SOJU_GROUP} -`];
const RELOADING = ['systemctl', 'daemon-reload'];
const RESTARTING = ['systemctl', 'restart', 'soju.service'];

/**
 * Lets the connector use soju's admin socket, now and after each start of soju. The group exists before a unit names it,
 * because systemd starts no unit with an unknown group. If soju does not share its socket, the drop-in is taken back.
 * @throws StartError
 */
export async function shareSoju({ isDryRun }: { isDryRun: boolean }, print: Print): Promise<number> {
  if (isDryRun) {
    print(`would run ${spelled(MAKING_GROUP)}`);
    print(`would write ${DROP_IN}:\n${sojuDropIn.replace(/^(?=.)/gm, '  ')}`);
    for (const command of [RELOADING, RESTARTING]) print(`would run ${spelled(command)}`);
    return 0;
  }
  await withUnitLock(PROGRAM, print, () => share(print));
  return 0;
}

/** @throws StartError */
function share(print: Print): void {
  requireSystemd('share-soju');
  const wasActive = requireSoju();
  const found = existsSync(DROP_IN) ? readFileSync(DROP_IN, 'utf8') : undefined;
  if (wasActive && found === sojuDropIn && isShared()) {
    print(`nothing to do: soju shares ${ADMIN_SOCKET} with the group ${SOJU_GROUP}`);
    return;
  }
  // A command that was killed has left its own drop-in, without which soju ran before.
  const before = found === sojuDropIn ? undefined : found;
  run(MAKING_GROUP, print);
  replaceFile(DROP_IN, sojuDropIn, 0o644);
  print(`wrote ${DROP_IN}`);
  try {
    for (const command of [RELOADING, RESTARTING]) run(command, print);
    requireShared();
  } catch (error) {
    throw new StartError(`share-soju: ${messageOf(error)}; ${takeBack(wasActive ? before : undefined)}`, {
      cause: error,
    });
  }
  print(`soju shares ${ADMIN_SOCKET} with the group ${SOJU_GROUP}`);
}

function run(command: readonly string[], print: Print): void {
  runCommand(command, { deadlineMs: RESTART_DEADLINE_MS });
  print(`ran ${spelled(command)}`);
}

/**
 * Refuses, before anything is changed, a soju that the hook could not ask.
 * @returns whether soju runs @throws StartError
 */
function requireSoju(): boolean {
  if (runCommand(['systemctl', 'show', '--property=LoadState', '--value', 'soju.service']).trim() !== 'loaded') {
    throw new StartError('share-soju: this machine has no soju.service: install soju first, as apt install soju does');
  }
  if (!isActive()) return false;
  const complaint = complaintOf(ASKING_SOJU);
  const found = statSync(ADMIN_SOCKET, { throwIfNoEntry: false })?.isSocket() === true;
  if (complaint === undefined && found) return true;
  const reason = complaint ?? `there is no ${ADMIN_SOCKET}`;
  throw new StartError(
    `share-soju: nothing was changed, because soju can't be administered here (${reason}): install sojuctl (Debian's package soju-utils), write "listen unix+admin://${ADMIN_SOCKET}" into /etc/soju/config, and run systemctl restart soju`,
  );
}

/** @throws StartError */
function requireShared(): void {
  if (isActive() && isShared()) return;
  throw new StartError(
    `soju was started anew and does not share ${ADMIN_SOCKET} with the group ${SOJU_GROUP}: does /etc/soju/config have "listen unix+admin://${ADMIN_SOCKET}"? journalctl --unit soju says more`,
  );
}

/**
 * Puts the earlier drop-in back, or none, and starts soju with it.
 * @returns what was done
 */
function takeBack(before: string | undefined): string {
  try {
    if (before === undefined) rmSync(DROP_IN, { force: true });
    else replaceFile(DROP_IN, before, 0o644);
  } catch (error) {
    return `${DROP_IN} could not be taken back: ${messageOf(error)}`;
  }
  for (const command of [RELOADING, RESTARTING]) succeeds(command, { deadlineMs: RESTART_DEADLINE_MS });
  return `${DROP_IN} was taken back, and soju ${isActive() ? 'runs without it' : 'does not run'}`;
}

const isActive = (): boolean => succeeds(['systemctl', '--quiet', 'is-active', 'soju.service']);

function isShared(): boolean {
  const found = statSync(ADMIN_SOCKET, { throwIfNoEntry: false });
  return found?.isSocket() === true && found.gid === groupId(SOJU_GROUP);
}
