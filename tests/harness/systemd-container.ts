import { chmodSync, cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bootRoot, type SystemdContainer } from './nspawn.ts';

/** Path of the repository in the container: a place that no hardening of a unit hides, as /tmp and /home are hidden. */
export const REPOSITORY_INSIDE = '/opt/homeport';

/** The machine's own files that programs of the container need beside /usr. */
const COPIED_FILES = [
  'etc/passwd',
  'etc/group',
  'etc/nsswitch.conf',
  'etc/ld.so.cache',
  'etc/dbus-1',
  'etc/os-release',
];

/** The target into which the container boots: only a message bus, so that it takes a second. */
const BOOT_TARGET = 'test.target';
const bootUnits: Record<string, string> = {
  [BOOT_TARGET]: '[Unit]\nDefaultDependencies=no\nRequires=dbus.socket\nAfter=dbus.socket\n',
  // The socket lacks its usual dependencies, which would bring up half a machine.
  'dbus.socket': '[Unit]\nDefaultDependencies=no\n[Socket]\nListenStream=/run/dbus/system_bus_socket\n',
  'dbus.service':
    '[Unit]\nDefaultDependencies=no\nRequires=dbus.socket\n[Service]\nExecStart=/usr/bin/dbus-daemon --system --address=systemd: --nofork --nopidfile --systemd-activation\n',
};

/**
 * Needs `systemd containers`. Boots the machine's own systemd as the first process of a container that shares /usr and this checkout, read-only.
 * @param units file name -> text, below /etc/systemd/system; a text that begins with `->` is a link
 * @param files path below the root -> text, readable by root alone
 * @param isWholeMachine the machine's own /etc and /var are there too, and what the container writes there and to /usr
 *   stays in the container, so that packages can be installed; needs `overlay file systems`
 */
export async function bootSystemd(
  units: Record<string, string>,
  files: Record<string, string> = {},
  isWholeMachine = false,
): Promise<SystemdContainer> {
  const root = mkdtempSync(join(tmpdir(), 'homeport-systemd-'));
  // Made for one account alone; here it is the root directory of several.
  chmodSync(root, 0o755);
  writeRoot(root, units, files);
  const layers = ['etc', 'usr', 'var'].map((path) => `--overlay=/${path}:${join(root, path)}:/${path}`);
  return bootRoot(root, {
    options: [...(isWholeMachine ? layers : ['--bind-ro=/usr']), `--bind-ro=${process.cwd()}:${REPOSITORY_INSIDE}`],
    words: [`systemd.unit=${BOOT_TARGET}`],
    isUp: async (run) => {
      // The first connection starts the bus, and systemd joins it a moment later.
      await run('busctl', 'status', 'org.freedesktop.systemd1');
      return (await run('systemctl', 'is-active', BOOT_TARGET)) === 'active';
    },
  });
}

function writeRoot(root: string, units: Record<string, string>, files: Record<string, string>): void {
  const unitFolder = join(root, 'etc/systemd/system');
  for (const folder of ['usr', 'proc', 'sys', 'dev', 'run', 'tmp', 'var', 'root']) mkdirSync(join(root, folder));
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
  mkdirSync(unitFolder, { recursive: true });
  for (const file of COPIED_FILES) cpSync(`/${file}`, join(root, file), { recursive: true, dereference: true });
  writeFileSync(join(root, 'etc/machine-id'), '');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o600 });
  }
  for (const [name, text] of Object.entries({ ...bootUnits, ...units })) {
    if (text.startsWith('->')) symlinkSync(text.slice('->'.length), join(unitFolder, name));
    else writeFileSync(join(unitFolder, name), text);
  }
}
