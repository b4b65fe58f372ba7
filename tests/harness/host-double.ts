import { CgroupTree } from '../../src/agent/host/cgroup-tree.ts';
import { type Host, MODULE_DIRECTORIES } from '../../src/agent/host/host.ts';
import type { RootFiles } from '../../src/agent/host/root-tree.ts';

const closed = (door: string) => (): never => {
  throw new Error(`this test gave its host no ${door}`);
};

const filesClosed = (door: string) => ({
  read: closed(door),
  linkTarget: closed(door),
  has: closed(door),
  changedSec: closed(door),
  names: closed(door),
});

/** A directory of these files, by absolute path; directories exist with their contents. */
export function filesWith(files: Readonly<Record<string, string>>): RootFiles {
  const below = (path: string): string[] =>
    Object.keys(files)
      .filter((file) => file.startsWith(`${path}/`))
      .map((file) => file.slice(path.length + 1));
  return {
    ...filesClosed('files'),
    read: async (path) => files[path],
    has: async (path) => files[path] !== undefined || below(path).length > 0,
    names: async (path) => [...new Set(below(path).map((rest) => rest.split('/')[0] ?? ''))],
  };
}

/** A machine that has only these parts. */
export function hostWith<Parts extends Partial<Host>>(parts: Parts): Host & Parts {
  return {
    name: 'host',
    architecture: 'x86_64',
    rootfs: '',
    now: () => 0,
    readProc: closed('readProc'),
    sys: filesClosed('sys'),
    root: filesClosed('root'),
    moduleDirectories: MODULE_DIRECTORIES,
    askMounts: closed('askMounts'),
    runCommand: closed('runCommand'),
    cgroups: new CgroupTree('/nowhere'),
    systemd: async () => undefined,
    userSystemd: {
      user: 'nobody',
      systemd: { unitAnswers: closed('userSystemd'), close: () => undefined },
      remedy: '',
    },
    ...parts,
  };
}
