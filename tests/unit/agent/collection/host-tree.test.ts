import { utimesSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { collectionConfig } from '../../../../schemas/agent.ts';
import { hostReport } from '../../../../schemas/report.ts';
import { Collection } from '../../../../src/agent/collection/collection.ts';
import type { Snapshot } from '../../../../src/agent/collection/snapshot.ts';
import { openCollectors } from '../../../../src/agent/collectors/index.ts';
import { openHost } from '../../../../src/agent/host/host.ts';
import type { FilesystemUsage } from '../../../../src/agent/host/mount-probe.ts';
import type { Systemd } from '../../../../src/agent/host/systemd/systemd-answers.ts';
import { createLog } from '../../../../src/kernel/log.ts';
import { VERSION } from '../../../../src/kernel/version.ts';

const golden = 'tests/golden/agent';
const root = `${golden}/root`;
const nowMs = Date.UTC(2026, 1, 3, 4, 5, 6, 789);
const packagesChangedSec = Date.UTC(2026, 0, 20, 12) / 1000;

const usageOf = (blocks: number, rest: Partial<FilesystemUsage> = {}): FilesystemUsage => ({
  bsize: 4096,
  blocks,
  bfree: blocks / 2,
  bavail: blocks / 4,
  files: 1000,
  ffree: 875,
  ...rest,
});

/** Mount point -> what the tree's machine says about it; a copied tree cannot answer that itself. */
const usages: Record<string, FilesystemUsage> = {
  '/': usageOf(2_621_440),
  '/boot': usageOf(131_072, { files: 0, ffree: 0 }),
  '/media/USB stick\t\\': usageOf(1000, { bavail: 2 ** 64 - 8, bfree: 3 }),
  '/mnt/pool': usageOf(10 ** 9, { bsize: 16_384, files: 0, ffree: 0 }),
  '/tank': usageOf(5000, { bsize: 131_072 }),
  '/opt/empty': usageOf(0),
  '/srv/café': usageOf(3000),
  '/home/hidden': usageOf(4000),
};

/** `st_dev` of those directories; at /home/hidden the agent sees another file system. */
const devices: Record<string, number> = {
  '/': 0xfd02,
  '/boot': 0x801,
  '/media/USB stick\t\\': 0x811,
  '/opt/empty': 0x831,
  '/srv/café': 0x841,
  '/home/hidden': 0x1c,
};

const systemd: Systemd = {
  failedUnits: async () => ['mnt-nope.mount', 'fail.service', 'dev-disk-by\\x2duuid-1.swap'],
  unitAnswers: async () => [],
  close: () => undefined,
};

const config = collectionConfig.parse({
  agent: { wgPeers: { ada: 'C5KalKt9ZaU3y/IOSjsj6ZX41K1n4oxH3haqUBUZk10=' }, postfix: true, knot: true },
  hosts: {
    wgPeers: {
      grace: 'ZfRFzU0j7KWmJFwvbNoaAJcrgp0oq8gXn60DlfUKjG8=',
      // The host itself calls this one otherwise.
      augusta: 'C5KalKt9ZaU3y/IOSjsj6ZX41K1n4oxH3haqUBUZk10=',
    },
  },
});

test('the report of a recorded machine is the expected one, whole', async () => {
  const { report } = await collectTree();

  await expect(`${JSON.stringify(report, null, 2)}\n`).toMatchFileSnapshot(
    `../../../../${golden}/expected.report.json`,
  );
});

test('the metrics of a recorded machine are the expected ones, whole', async () => {
  const snapshot = await collectTree();

  const text = snapshot.metrics(nowMs, 'identity').toString();
  await expect(text.replaceAll(`"${VERSION}"`, '"VERSION"')).toMatchFileSnapshot(
    `../../../../${golden}/expected.metrics`,
  );
});

test('the report has exactly the fields its schema describes', async () => {
  const { report } = await collectTree();

  expect(hostReport.parse(report)).toEqual(report);
});

async function collectTree(): Promise<Snapshot> {
  const pointOf = (path: Buffer): string => path.toString('utf8').slice(root.length);
  const mountCalls = {
    usage: async (path: Buffer) => {
      const usage = usages[pointOf(path)];
      if (usage === undefined) throw new Error(`asked for ${path}`);
      return usage;
    },
    device: async (path: Buffer) => devices[pointOf(path)] ?? 0,
  };
  // A checkout keeps no times.
  utimesSync(`${root}/var/lib/dpkg/status`, packagesChangedSec, packagesChangedSec);
  const host = openHost({
    roots: { procfs: `${root}/proc`, sysfs: `${root}/sys`, rootfs: root },
    threads: 4,
    path: resolve(`${golden}/programs`),
    clock: { now: () => nowMs },
    machine: { name: 'tree', mountCalls, systemd },
  });
  const collection = new Collection({
    host,
    collectors: openCollectors()(config),
    clock: { now: () => nowMs, monotonic: () => 0 },
    log: createLog('test', 'error'),
  });
  return collection.run();
}
