import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { type Collected, copyAgentTree } from '../../harness/agent-tree.ts';
import { needs } from '../../harness/needs.ts';
import { processorMsUntil } from '../../harness/processor-time.ts';
import { agentCommand, startAgent } from '../../harness/start-agent.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** The values of a metric by its labels as they are written. */
const valuesOf = ({ metrics }: Collected, name: string): Record<string, number> =>
  Object.fromEntries(
    [...metrics.samples].flatMap(([key, value]) =>
      key.startsWith(`${name}{`) ? [[key.slice(name.length), value]] : [],
    ),
  );

const errorsOf = (collected: Collected, collector: string): number | undefined =>
  valuesOf(collected, 'monitor_agent_collect_errors_total')[`{collector="${collector}"}`];

/** Returns promtool's complaints, without those about the mixed case of node_exporter's names. */
async function complaintsOf({ text }: Collected): Promise<string[]> {
  const { all } = await execa('promtool', ['check', 'metrics'], { input: text, reject: false, all: true });
  return all.split('\n').filter((line) => line !== '' && !line.includes("'snake_case'"));
}

test('a source in an unknown form affects only its own section', async () => {
  await using tree = await copyAgentTree();
  const { report: whole } = await tree.collect();

  tree.write('proc/meminfo', 'MemTotal:       3654 MB\nMemFree:         100 MB\n');
  const damaged = await tree.collect();

  expect(whole.errors).toEqual({});
  const { memory, time, errors, ...others } = damaged.report;
  expect(memory).toBeUndefined();
  expect(errors).toEqual({ memory: 'could not understand /proc/meminfo: expected MemTotal in kB' });
  expect({ ...whole, ...others }).toEqual(whole);
  expect(damaged.text).not.toContain('node_memory_');
  expect(errorsOf(damaged, 'memory')).toBe(1);
});

test('the complete lines of a file that was cut off count', async () => {
  await using tree = await copyAgentTree();

  tree.write('proc/stat', 'cpu  7 7 7 7\ncpu0 100 200 300 400\ncpu1 100 2');
  const collected = await tree.collect();

  expect(collected.report.cpus).toBe(1);
  expect(collected.report.counters?.cpu).toEqual([
    { cpu: 0, user: 1, nice: 2, system: 3, idle: 4, iowait: 0, irq: 0, softirq: 0, steal: 0 },
  ]);
  expect(collected.report.errors).toEqual({
    cpus: '/proc/stat has no line btime',
    counters: '/proc/stat has no line btime',
  });
});

test('a kernel without pressure accounting reports none, and that is not an error', async () => {
  await using tree = await copyAgentTree();

  tree.remove('proc/pressure');
  const collected = await tree.collect();

  expect(collected.report.counters).not.toHaveProperty('pressure');
  expect(collected.report.errors).toEqual({});
  expect(collected.text).not.toContain('node_pressure_');
  expect(errorsOf(collected, 'pressure')).toBe(0);
});

test('a CPU that is taken out has no series, one that steps back does not fall, and one put back starts anew', async () => {
  await using tree = await copyAgentTree();
  const stat = (...cpus: string[]): void => tree.write('proc/stat', `${cpus.join('\n')}\nbtime 1700000000\n`);
  const idle = async (): Promise<Record<string, number>> => {
    const collected = await tree.collect();
    const modes = Object.entries(valuesOf(collected, 'node_cpu_seconds_total'));
    return Object.fromEntries(modes.filter(([labels]) => labels.includes('mode="idle"')));
  };

  stat('cpu0 0 0 0 100000 0 0 0 0', 'cpu2 0 0 0 200000 0 0 0 0');
  expect(await idle()).toEqual({ '{cpu="0",mode="idle"}': 1000, '{cpu="2",mode="idle"}': 2000 });
  stat('cpu0 0 0 0 99999 0 0 0 0');
  expect(await idle()).toEqual({ '{cpu="0",mode="idle"}': 1000 });
  stat('cpu0 0 0 0 100100 0 0 0 0', 'cpu2 0 0 0 500 0 0 0 0');
  expect(await idle()).toEqual({ '{cpu="0",mode="idle"}': 1001, '{cpu="2",mode="idle"}': 5 });
});

test('names of devices, mounts and interfaces hold anything, and a scraper reads them', async () => {
  await using tree = await copyAgentTree();
  const odd = 'a "quoted" \\ name\nof two lines';
  mkdirSync(join(tree.root, odd));
  mkdirSync(Buffer.from(`${tree.root}/\xff`, 'latin1'));
  const escaped = odd.replaceAll('\\', '\\134').replaceAll('\n', '\\012').replaceAll(' ', '\\040');
  tree.write(
    'proc/1/mountinfo',
    `1 0 0:90 / /${escaped} rw - ext4 /dev/x"\\134 rw\n2 0 0:91 / /\xff rw - ext4 /dev/\xfe rw\n`,
  );
  const counts = ' 1 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0\n';
  tree.write('proc/net/dev', `a\nb\n"\\:${counts} \xff0:${counts} e{}=,:1:${counts}`);
  tree.write('proc/diskstats', '8 0 d"\\ 1 0 0 0 0 0 0 0 0 0 0\n8 1 \xff 1 0 0 0 0 0 0 0 0 0 0\n');

  const collected = await tree.collect();

  expect(collected.report.errors).toEqual({});
  expect(await complaintsOf(collected)).toEqual([]);
  expect(collected.report.disks?.map(({ mount, device }) => [mount, device])).toEqual([
    [`/${odd}`, '/dev/x"\\'],
    ['/\ufffd', '/dev/\ufffd'],
  ]);
  expect(Object.keys(valuesOf(collected, 'node_filesystem_size_bytes'))).toEqual([
    '{device="/dev/x\\"\\\\",fstype="ext4",mountpoint="/a \\"quoted\\" \\\\ name\\nof two lines"}',
    '{device="/dev/\ufffd",fstype="ext4",mountpoint="/\ufffd"}',
  ]);
  expect(collected.report.counters?.net?.map(({ device }) => device)).toEqual(['"\\', '\ufffd0', 'e{}=,:1']);
  expect(collected.report.counters?.disks?.map(({ device }) => device)).toEqual(['d"\\', '\ufffd']);
});

test('two names that become the same text have one series', async () => {
  await using tree = await copyAgentTree();
  const counts = ' 1 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0\n';
  tree.write('proc/net/dev', `a\nb\n\xfe:${counts}\xff:${counts}`);
  tree.write('proc/diskstats', '8 0 \xfe 1 0 0 0 0 0 0 0 0 0 0\n8 1 \xff 1 0 0 0 0 0 0 0 0 0 0\n');
  for (const name of ['\xfe', '\xff']) mkdirSync(Buffer.from(`${tree.root}/${name}`, 'latin1'));
  tree.write('proc/1/mountinfo', '1 0 0:90 / /\xfe rw - ext4 \xfe rw\n2 0 0:91 / /\xff rw - ext4 \xff rw\n');

  // Reading it fails on a series that is there twice.
  const collected = await tree.collect();

  expect(valuesOf(collected, 'node_network_receive_bytes_total')).toEqual({ '{device="\ufffd"}': 1 });
  expect(collected.report.disks).toHaveLength(2);
});

test('with a hundred thousand mounts the report has as many as it can hold, in time, and says so', async () => {
  await using tree = await copyAgentTree();
  const pods = Array.from({ length: 100_000 }, (_, id) => `${id + 2} 1 0:${id} / /pods/${id} rw - overlay overlay rw`);
  const real = Array.from({ length: 300 }, (_, id) => `${id + 200_000} 1 0:1 / / rw - ext4 /dev/d${id} rw`);
  tree.write('proc/1/mountinfo', `${[...pods, ...real].join('\n')}\n`);
  let collected: Collected | undefined;

  const tookMs = await processorMsUntil(async () => {
    collected = await tree.collect();
  });

  const report = collected?.report;
  // Well below the time that an answer may take.
  expect(tookMs).toBeLessThan(6_000);
  expect(report?.disks).toHaveLength(256);
  expect(report?.errors).toEqual({
    disks: '44 more than 256 file systems: name those that need no watching in agent.exclude.mountPoints',
  });
});

test('the agent still answers on a machine where no file of Linux can be read', async () => {
  await using folder = await tempFolder();
  await using agent = await startAgent(...['procfs', 'sysfs', 'rootfs'].map((root) => `--${root}=${folder.path}`));

  const [report, metrics] = await Promise.all([agent.get('/v1/report'), agent.get('/metrics')]);

  expect([report.status, metrics.status]).toEqual([200, 200]);
  expect(Object.keys(hostReport.parse(await report.json()).errors)).toContain('memory');
  expect(await metrics.text()).toContain('monitor_agent_collect_errors_total{collector="memory"} 1\n');
  expect((await fetch(`${agent.baseUrl}/healthz`)).status).toBe(200);
});

test('a machine without systemd has no failed units, no count of them and no error', async () => {
  await using tree = await copyAgentTree();

  const collected = await tree.collect();

  expect(collected.report).toMatchObject({ failedUnits: [], errors: {} });
  expect(collected.text).not.toContain('monitor_systemd_units_failed');
  expect(errorsOf(collected, 'systemd')).toBe(0);
});

for (const hidepid of [1, 2, 4]) {
  needs('mount namespaces')(
    `where /proc hides other processes (hidepid=${hidepid}), the mounts are those the agent sees itself`,
    async () => {
      await using folder = await tempFolder();
      const report = agentCommand('report', '--procfs', folder.path).join(' ');
      const script = `mount -t proc -o hidepid=${hidepid} proc ${folder.path}; exec setpriv --reuid=65534 --regid=65534 --clear-groups ${report}`;

      const { stdout } = await execa('unshare', ['--mount', 'sh', '-c', script]);

      const { disks, errors } = hostReport.parse(JSON.parse(stdout));
      expect(errors).toEqual({});
      expect(disks?.map(({ mount }) => mount)).toContain('/');
    },
  );
}
