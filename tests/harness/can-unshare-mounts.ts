import { spawnSync } from 'node:child_process';

/** Whether a mount namespace can be made here: not by an ordinary user, in most containers, or below a chroot. */
export function canUnshareMounts(): boolean {
  return spawnSync('unshare', ['--mount', 'true']).status === 0;
}
