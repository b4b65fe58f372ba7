import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { bootRoot, type SystemdContainer } from '../nspawn.ts';
import { debianRoot, type Release } from './root.ts';

const UNPACK_DEADLINE_MS = 300_000;

/** Path of the folder with the packages in the machine. */
export const PACKAGES_INSIDE = '/srv/packages';

/**
 * Needs `Debian containers`. A machine with a whole Debian, its own systemd and no network; the kernel is this machine's.
 * @param packages folder that it has, read-only, as PACKAGES_INSIDE
 */
export async function bootDebian(release: Release, packages: string): Promise<SystemdContainer> {
  const archive = await debianRoot(release, 'machine');
  const root = mkdtempSync(join(tmpdir(), 'homeport-debian-'));
  // Made for one account alone; here it is the root directory of several.
  chmodSync(root, 0o755);
  await execa('tar', ['--extract', '--file', archive, '--directory', root], { timeout: UNPACK_DEADLINE_MS });
  mkdirSync(join(root, PACKAGES_INSIDE));
  return bootRoot(root, {
    options: [`--bind-ro=${packages}:${PACKAGES_INSIDE}`],
    // The newest systemd no longer knows control groups of the first version.
    env: { SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
    isUp: async (run) => (await run('systemctl', 'is-system-running', '--wait')) === 'running',
  });
}
