import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readlinkSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { units } from '../../../src/agent/collectors/units.ts';
import { CgroupTree } from '../../../src/agent/host/cgroup-tree.ts';
import { has } from '../../harness/capabilities.ts';
import { hostWith } from '../../harness/host-double.ts';
import { needs } from '../../harness/needs.ts';
import { agentCommand } from '../../harness/start-agent.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const tree = new CgroupTree('/sys');
const root = tree.isUnified ? '/sys/fs/cgroup' : '/sys/fs/cgroup/memory';
const slice = `${root}/homeport-test-${process.pid}.slice`;
const services = ['a', 'b'].map((name) => `${slice}/homeport-test-${process.pid}-${name}.service`);

const canMakeGroups = has('memory control groups');
const sleeper = canMakeGroups ? spawn('sleep', ['1000'], { stdio: 'ignore' }) : undefined;

beforeAll(() => {
  if (!canMakeGroups) return;
  mkdirSync(slice);
  // The second version hands a controller down only on request.
  if (tree.isUnified) writeFileSync(`${slice}/cgroup.subtree_control`, '+memory');
  for (const folder of services) mkdirSync(folder);
  writeFileSync(`${services[0]}/cgroup.procs`, String(sleeper?.pid));
  writeFileSync(`${services[0]}/${tree.isUnified ? 'memory.max' : 'memory.limit_in_bytes'}`, String(64 * 1024 * 1024));
});

afterAll(async () => {
  tree.close();
  sleeper?.kill('SIGKILL');
  for (const folder of [...services, slice]) {
    await waitFor(`${folder} is empty`, () => {
      try {
        rmdirSync(folder);
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT';
      }
      return true;
    });
  }
});

const mine = async () => {
  const { sections } = await units.collect(hostWith({ cgroups: tree }));
  return sections.units?.filter(({ unit }) => unit.startsWith(`homeport-test-${process.pid}`));
};

const openFiles = () =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(slice);
    } catch {
      return false;
    }
  });

needs('memory control groups')(
  'the kernel reports the memory of services, and a stopped service leaves no value',
  async () => {
    const name = `homeport-test-${process.pid}`;
    expect(await mine()).toEqual([
      { unit: `${name}-a.service`, bytes: expect.any(Number), maxBytes: 64 * 1024 * 1024 },
      { unit: `${name}-b.service`, bytes: expect.any(Number) },
    ]);
    expect(await mine()).toHaveLength(2);
    expect(openFiles()).toHaveLength(4);

    rmdirSync(services[1] ?? '');

    expect((await mine())?.map(({ unit }) => unit)).toEqual([`${name}-a.service`]);
    expect(openFiles()).toHaveLength(2);
  },
);

needs('control groups of the first version', 'mount namespaces')(
  'a machine whose services have no memory controller says so, and what to do',
  async () => {
    await using folder = await tempFolder();
    const [sysfs, name] = [join(folder.path, 'sys'), `homeport-test-${process.pid}`];
    const mounted = `${sysfs}/fs/cgroup`;
    const service = `${mounted}/${name}.slice/${name}.service`;
    mkdirSync(mounted, { recursive: true });
    // The kernel's own files without the controller of memory, which is with the first version here.
    const script = `mount -t cgroup2 none ${mounted} && mkdir -p ${service} && ${agentCommand('report', `--sysfs=${sysfs}`).join(' ')}
      rmdir ${service} ${mounted}/${name}.slice`;

    const { stdout } = await execa('unshare', ['--mount', 'sh', '-c', script]);
    const real = hostReport.parse(JSON.parse(stdout));

    expect(real.errors).toEqual({ units: expect.stringContaining('boot the kernel with cgroup_enable=memory') });
    expect(real.units?.filter(({ unit }) => unit === `${name}.service`)).toEqual([]);
  },
);
