import { expect, test } from 'vitest';
import type { Contribution } from '../../../../src/agent/collectors/collector.ts';
import { createDisksCollector } from '../../../../src/agent/collectors/disks.ts';
import { UnreadableSourceError } from '../../../../src/agent/errors.ts';
import type { Host } from '../../../../src/agent/host/host.ts';
import type { FilesystemUsage, MountAnswer, MountQuestion } from '../../../../src/agent/host/mount-probe.ts';
import { hostWith } from '../../../harness/host-double.ts';

const usage: FilesystemUsage = { bsize: 1024, blocks: 1000, bfree: 400, bavail: 300, files: 100, ffree: 99 };

/** A host of these files; `answer` speaks for its mounts. */
function hostOf(
  files: Record<string, string>,
  answer: (question: MountQuestion) => MountAnswer = () => ({ state: 'answered', usage }),
  rootfs = '',
): Host & { asked: MountQuestion[] } {
  const asked: MountQuestion[] = [];
  return hostWith({
    rootfs,
    asked,
    readProc: (path) => {
      const text = files[path];
      if (text === undefined)
        throw new UnreadableSourceError(path, Object.assign(new Error('gone'), { code: 'ENOENT' }));
      return text;
    },
    askMounts: async (questions) => {
      asked.push(...questions);
      return questions.map(answer);
    },
  });
}

const collect = async (host: Host): Promise<Contribution> => createDisksCollector(false).collect(host);
const twoDisks = { '1/mountinfo': '1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 259:300 / /data rw - xfs /dev/nvme rw\n' };

test('percentages are those of df, to one decimal', async () => {
  const { sections } = await collect(hostOf({ '1/mountinfo': '1 0 8:1 / / rw - ext4 /dev/sda1 rw\n' }));

  expect(sections.disks).toEqual([
    {
      device: '/dev/sda1',
      mount: '/',
      fsType: 'ext4',
      totalBytes: 1_024_000,
      availBytes: 307_200,
      usedPct: 66.7,
      inodesPct: 1,
      files: 100,
      filesFree: 99,
    },
  ]);
});

test('file systems of other machines are left out, or asked apart and reported', async () => {
  const mounts = { '1/mountinfo': '1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:50 / /share rw - nfs4 nas:/share rw\n' };
  const [local, all] = [hostOf(mounts), hostOf(mounts)];

  const without = await createDisksCollector(false).collect(local);
  const { sections } = await createDisksCollector(true).collect(all);

  expect(without.sections.disks?.map(({ mount }) => mount)).toEqual(['/']);
  expect(sections.disks?.map(({ mount, device, fsType }) => [mount, device, fsType])).toEqual([
    ['/', '/dev/sda1', 'ext4'],
    ['/share', 'nas:/share', 'nfs4'],
  ]);
  expect(local.asked).toEqual([{ path: '/', device: 0x801, isRemote: false }]);
  expect(all.asked.map(({ isRemote }) => isRemote)).toEqual([false, true]);
});

test('a mount that does not answer is named and leaves the others alone', async () => {
  const host = hostOf(twoDisks, ({ path }) => (path === '/' ? { state: 'hanging' } : { state: 'answered', usage }));

  const { sections, problems } = await collect(host);

  expect(sections.disks?.map(({ mount }) => mount)).toEqual(['/data']);
  expect(problems).toEqual(['/ does not answer']);
});

test('what was not asked and what failed are named with the reason', async () => {
  const host = hostOf(twoDisks, ({ path }) =>
    path === '/' ? { state: 'unasked' } : { state: 'failed', reason: 'EACCES: permission denied' },
  );

  const { problems } = await collect(host);

  expect(problems).toEqual([
    '/ was not asked, because other file systems do not answer',
    '/data: EACCES: permission denied',
  ]);
});

test('a mount hidden from the agent by another one is left out without an error', async () => {
  const { sections, problems } = await collect(hostOf(twoDisks, () => ({ state: 'elsewhere' })));

  expect(sections.disks).toEqual([]);
  expect(problems).toEqual([]);
});

test('the device number asked for is the one the kernel would answer', async () => {
  const host = hostOf(twoDisks);

  await collect(host);

  expect(host.asked.map(({ device }) => device)).toEqual([0x801, 0x11_032c]);
});

test('the mounts of the own process are read where those of the first are hidden', async () => {
  const { sections } = await collect(hostOf({ 'self/mountinfo': '1 0 8:1 / / rw - ext4 /dev/sda1 rw\n' }));

  expect(sections.disks?.map(({ mount }) => mount)).toEqual(['/']);
});

test('under another root directory mounts are asked there and reported without it', async () => {
  const mountinfo =
    '1 0 8:1 / /host rw - ext4 /dev/sda1 rw\n2 1 8:2 / /host/boot rw - ext4 /dev/sda2 rw\n3 1 8:3 / /srv rw - ext4 /dev/sda3 rw\n';
  const host = hostOf({ '1/mountinfo': mountinfo }, undefined, '/host');

  const { sections } = await collect(host);

  expect(host.asked.map(({ path }) => path)).toEqual(['/host/', '/host/boot', '/host/srv']);
  expect(sections.disks?.map(({ mount }) => mount)).toEqual(['/', '/boot', '/srv']);
});

test('more file systems than one report holds are counted, not asked', async () => {
  const lines = Array.from({ length: 300 }, (_, id) => `${id + 10} 1 8:${id} / /m/${id} rw - ext4 /dev/d${id} rw`);
  const host = hostOf({ '1/mountinfo': lines.join('\n') });

  const { problems } = await collect(host);

  expect(host.asked).toHaveLength(256);
  expect(problems).toEqual(['44 more than 256 file systems']);
});

test('mounts are read again when they change', async () => {
  const files = { '1/mountinfo': '1 0 8:1 / / rw - ext4 /dev/sda1 rw\n' };
  const [host, collector] = [hostOf(files), createDisksCollector(false)];
  await collector.collect(host);

  files['1/mountinfo'] += '2 1 8:2 / /new rw - ext4 /dev/sda2 rw\n';

  expect((await collector.collect(host)).sections.disks?.map(({ mount }) => mount)).toEqual(['/', '/new']);
});
