import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

/** Names of the releases that the packages are tried on. */
const RELEASES = { 12: 'bookworm', 13: 'trixie' } as const;
export type Release = keyof typeof RELEASES;

const MAKER = join(import.meta.dirname, 'make-root.sh');

/** Half a minute on an idle machine with a quick mirror. */
const ROOT_DEADLINE_MS = 1_500_000;

/**
 * Needs `Debian containers`. The archive of the root directory of a release, which is made where it is missing or was made otherwise.
 * @param kind a machine with what the programs are used with, or as little as the base of an image has
 */
export async function debianRoot(release: Release, kind: 'machine' | 'base'): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const archive = join(cache, `homeport/debian-${release}-${kind}.tar`);
  const stamp = `${archive}.made-by`;
  const maker = createHash('sha256').update(readFileSync(MAKER)).digest('hex');
  if (existsSync(archive) && existsSync(stamp) && readFileSync(stamp, 'utf8') === maker) return archive;
  await execa('nice', [MAKER, RELEASES[release], kind, archive], { timeout: ROOT_DEADLINE_MS });
  writeFileSync(stamp, maker);
  return archive;
}
