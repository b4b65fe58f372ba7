import { CgroupTree } from '../../src/agent/host/cgroup-tree.ts';
import type { Host } from '../../src/agent/host/host.ts';

const closed = (door: string) => (): never => {
  throw new Error(`this test gave its host no ${door}`);
};

/** A machine that has only these parts. */
export function hostWith<Parts extends Partial<Host>>(parts: Parts): Host & Parts {
  return {
    name: 'host',
    architecture: 'x86_64',
    rootfs: '',
    now: () => 0,
    readProc: closed('readProc'),
    existsInSys: closed('existsInSys'),
    root: {
      read: closed('root'),
      linkTarget: closed('root'),
      has: closed('root'),
      changedSec: closed('root'),
      names: closed('root'),
    },
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
