import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeTimeLibrary } from './fake-time.ts';

const isRoot = (): boolean => process.getuid?.() === 0;
const succeeds = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
const canUnshare = (...kinds: string[]): boolean => isRoot() && succeeds('unshare', ...kinds, '--fork', 'true');

function canReadAndWrite(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const isUnified = (): boolean => existsSync('/sys/fs/cgroup/cgroup.controllers');

/** Tries it: the folder of a new group holds the controller's files at once. Two levels, as of a slice and its service. */
function canGroupMemory(): boolean {
  const [parent, file] = isUnified()
    ? ['/sys/fs/cgroup', 'memory.current']
    : ['/sys/fs/cgroup/memory', 'memory.usage_in_bytes'];
  const group = join(parent, `homeport-probe-${process.pid}.slice`);
  try {
    mkdirSync(group);
    // Version 2 enables a controller for children only on request.
    if (isUnified()) writeFileSync(join(group, 'cgroup.subtree_control'), '+memory');
    mkdirSync(join(group, 'inner'));
    return existsSync(join(group, 'inner', file));
  } catch {
    return false;
  } finally {
    for (const made of [join(group, 'inner'), group]) if (existsSync(made)) rmdirSync(made);
  }
}

const listsNixpkgs = (): boolean => {
  const named = process.env['NIXPKGS_LIB'];
  return named === undefined ? succeeds('nix-instantiate', '--find-file', 'nixpkgs/lib') : existsSync(named);
};

/**
 * Several hundred megabytes come from the registry, so these tests run on request only. Asks once without a retry: a
 * slow registry is as bad as a missing one.
 */
const hasRegistry = (): boolean =>
  process.env['TRY_CLIENTS'] === '1' &&
  succeeds('npm', 'view', 'mcp-remote', 'version', '--fetch-retries=0', '--fetch-timeout=10000');

/**
 * Capabilities that a machine may lack although it is set up, and the test for each. A test names what it needs by
 * `needs`, and is skipped if that is missing. One line adds a capability.
 */
const capabilities = {
  root: isRoot,
  'mount namespaces': () => canUnshare('--mount'),
  'process namespaces': () => canUnshare('--pid'),
  'network namespaces': () => canUnshare('--net'),
  'host name namespaces': () => canUnshare('--uts'),
  'systemd containers': () => existsSync('/usr/bin/systemd-nspawn') && canUnshare('--mount', '--pid'),
  'overlay file systems': () => canUnshare('--mount') && succeeds('grep', '-qw', 'overlay', '/proc/filesystems'),
  'Debian packages': () => succeeds('dpkg-query', '--show', 'dpkg'),
  lintian: () => existsSync('/usr/bin/lintian'),
  'qemu and mmdebstrap': () =>
    isRoot() && succeeds('qemu-system-x86_64', '--version') && succeeds('mmdebstrap', '--version'),
  'Debian containers': () => isRoot() && succeeds('mmdebstrap', '--version'),
  podman: () => succeeds('podman', '--version') && succeeds('runc', '--version'),
  FUSE: () => canReadAndWrite('/dev/fuse'),
  'the tunnel device': () => canReadAndWrite('/dev/net/tun'),
  'wireguard-go': () => existsSync('/usr/bin/wireguard-go'),
  libfaketime: () => fakeTimeLibrary() !== undefined,
  PgBouncer: () => existsSync('/usr/sbin/pgbouncer'),
  Postfix: () => existsSync('/usr/sbin/postfix'),
  'memory control groups': canGroupMemory,
  'control groups of the first version': () => existsSync('/sys/fs/cgroup/memory') && !isUnified(),
  'NIXPKGS_LIB or <nixpkgs/lib>': listsNixpkgs,
  'TRY_CLIENTS=1 and an npm registry': hasRegistry,
  'headers of libXt': () =>
    existsSync('/usr/include/X11/Intrinsic.h') &&
    existsSync('/usr/include/X11/Xresource.h') &&
    succeeds('cc', '--version'),
  ESCTEST: () => process.env['ESCTEST'] !== undefined,
} satisfies Record<string, () => boolean>;

export type Capability = keyof typeof capabilities;

/** Every name that a test may need. */
export const capabilityNames = Object.keys(capabilities) as Capability[];

/** Beginning of a skip's note; the names of what is missing follow, separated by a comma and a space. */
export const MISSING = 'missing here: ';

const found = new Map<Capability, boolean>();

/** Whether this machine has it; looked at once. */
export function has(name: Capability): boolean {
  const known = found.get(name);
  if (known !== undefined) return known;
  const present = capabilities[name]();
  found.set(name, present);
  return present;
}
