import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agentConfig, collectionConfig } from '../../../../schemas/agent.ts';
import { openCollectors } from '../../../../src/agent/collectors/index.ts';
import { filesWith, hostWith } from '../../../harness/host-double.ts';

/** Returns the sections and collectors of a configuration with these members of `agent`. */
function collectedBy(agent: object): { sections: string[]; names: string[] } {
  const config = agentConfig.parse({ agent: { tokenFile: '/token', ...agent } });
  const collectors = openCollectors()(config);
  return {
    sections: [...new Set(collectors.flatMap(({ sections }) => sections))],
    names: collectors.map(({ name }) => name),
  };
}

test('an empty configuration reports what none does: all but what has to be asked for', () => {
  const always = ['uptimeSec', 'load', 'cpus', 'counters', 'memory', 'disks', 'failedUnits'];
  const installed = ['os', 'system', 'kernel', 'packages'];

  expect(collectedBy({}).sections.sort()).toEqual([...always, ...installed, 'wireguard', 'units'].sort());
  expect(collectedBy({}).names).toEqual(openCollectors()(collectionConfig.parse({})).map(({ name }) => name));
});

for (const section of ['wireguard', 'postfix', 'knot']) {
  test(`${section} is reported exactly where the configuration says so`, () => {
    expect(collectedBy({ [section]: true }).sections).toContain(section);
    expect(collectedBy({ [section]: false }).sections).not.toContain(section);
  });
}

test('the metric with the host name is there on request alone', () => {
  expect(collectedBy({}).names).not.toContain('uname');
  expect(collectedBy({ unameInfo: true }).names).toContain('uname');
});

test('each collector has a label of its own', () => {
  const { names } = collectedBy({ postfix: true, knot: true, unameInfo: true });

  expect(new Set(names).size).toBe(names.length);
});

test('a reload keeps the collectors that remember their last readings', () => {
  const collectorsFor = openCollectors();
  const config = collectionConfig.parse({});
  const remembering = () => collectorsFor(config).filter(({ name }) => ['cpu', 'pressure'].includes(name));

  const before = remembering();

  expect(before).toHaveLength(2);
  expect(remembering().every((collector, index) => collector === before[index])).toBe(true);
});

/** Disks, disk devices and interfaces of the recorded machine, whose mounts all answer, with these options of `exclude`. */
async function toldWith(exclude: object) {
  const usage = { bsize: 1, blocks: 2 ** 30, bfree: 2 ** 20, bavail: 2 ** 20, files: 9, ffree: 9 };
  const host = hostWith({
    rootfs: '',
    readProc: (path) => readFileSync(`tests/golden/agent/root/proc/${path}`, 'latin1'),
    sys: filesWith({}),
    askMounts: async (questions) => questions.map(() => ({ state: 'answered', usage })),
  });
  const config = agentConfig.parse({ agent: { tokenFile: '/token', exclude } });
  const asked = openCollectors()(config).filter(({ name }) => ['disks', 'diskstats', 'netdev'].includes(name));
  const [disks, devices, interfaces] = await Promise.all(asked.map((collector) => collector.collect(host)));
  return {
    mounts: disks?.sections.disks?.map(({ mount }) => mount) ?? [],
    devices: devices?.counters?.disks?.map(({ device }) => device) ?? [],
    interfaces: interfaces?.counters?.net?.map(({ device }) => device) ?? [],
    problems: [disks, devices, interfaces].flatMap((found) => found?.problems ?? []),
    metrics: JSON.stringify([disks, devices, interfaces].flatMap((found) => found?.families ?? [])),
  };
}

for (const [option, expression, of, gone] of [
  ['mountPoints', '^/(boot|media/.*)$', 'mounts', ['/boot', '/media/USB stick\t\\']],
  ['filesystemTypes', '^(btrfs|zfs)$', 'mounts', ['/mnt/pool', '/tank']],
  ['devices', '^(dm-|mmc)', 'devices', ['dm-0', 'mmcblk0']],
  ['interfaces', '^wg', 'interfaces', ['wg0']],
] as const) {
  test(`exclude.${option} leaves out only what its expression finds, without an error`, async () => {
    const [all, some] = [await toldWith({}), await toldWith({ [option]: expression })];

    expect(all[of]).toEqual(expect.arrayContaining([...gone]));
    expect(some).toEqual({
      ...all,
      [of]: all[of].filter((name) => !gone.some((left) => left === name)),
      metrics: expect.any(String),
    });
    for (const name of gone) {
      expect(all.metrics).toContain(JSON.stringify(name));
      expect(some.metrics).not.toContain(JSON.stringify(name));
    }
  });
}
