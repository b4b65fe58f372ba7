import { expect, test } from 'vitest';
import type { Contribution } from '../../../../src/agent/collectors/collector.ts';
import { createDisksCollector } from '../../../../src/agent/collectors/disks.ts';
import { UnreadableSourceError } from '../../../../src/agent/errors.ts';
import type { Host } from '../../../../src/agent/host/host.ts';
import type { FilesystemUsage, MountAnswer, MountQuestion } from '../../../../src/agent/host/mount-probe.ts';
import { hostWith } from '../../../harness/host-double.ts';

const usage: FilesystemUsage = { bsize: 1024, blocks: 1000, bfree: 400, bavail: 300, files: 100, ffree: 99 };

const collect = async (host: Host): Promise<Contribution> => createDisksCollector().collect(host);
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

  const without = await createDisksCollector().collect(local);
  const { sections } = await createDisksCollector({ withRemote: true }).collect(all);

  expect(without.sections.disks?.map(({ mount }) => mount)).toEqual(['/']);
  expect(sections.disks?.map(({ mount, device, fsType }) => [mount, device, fsType])).toEqual([
    ['/', '/dev/sda1', 'ext4'],
    ['/share', 'nas:/share', 'nfs4'],
  ]);
  expect(local.asked).toEqual([{ path: '/', device: 0x801, isKnown: false, isRemote: false }]);
  expect(all.asked.map(({ isRemote }) => isRemote)).toEqual([false, true]);
});

test('a mount that does not answer is named and leaves the others alone', async () => {
  const host = hostOf(twoDisks, ({ path }) => (path === '/' ? { state: 'hanging' } : { state: 'answered', usage }));

  const { sections, problems } = await collect(host);

  expect(sections.disks?.map(({ mount }) => mount)).toEqual(['/data']);
  expect(problems).toEqual(['/ does not answer: bring back what is behind it, or unmount it (umount --lazy)']);
});

test('disks that were not asked and disks that failed are named with the reason', async () => {
  const host = hostOf(twoDisks, ({ path }) =>
    path === '/' ? { state: 'unasked' } : { state: 'failed', reason: 'EIO: i/o error', code: 'EIO' },
  );

  const { problems } = await collect(host);

  expect(problems).toEqual(['/ was not asked, because other file systems do not answer', '/data: EIO: i/o error']);
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
  expect(problems).toEqual([
    '44 more than 256 file systems: name those that need no watching in agent.exclude.mountPoints',
  ]);
});

test('mounts of other machines, however many, leave room to the disks of this one', async () => {
  const remote = Array.from(
    { length: 300 },
    (_, id) => `${id + 10} 1 0:${id + 50} / /home/m/${id} rw - fuse.sshfs m:${id} rw`,
  );
  const host = hostOf({ '1/mountinfo': [...remote, '2 1 8:2 / /var rw - ext4 /dev/sda2 rw'].join('\n') });

  const { sections, problems } = await createDisksCollector({ withRemote: true }).collect(host);

  expect(sections.disks?.at(-1)?.mount).toBe('/var');
  expect(problems).toEqual([
    '45 more than 256 file systems: name those that need no watching in agent.exclude.mountPoints',
  ]);
});

test('mounts are read again when they change', async () => {
  const files = { '1/mountinfo': '1 0 8:1 / / rw - ext4 /dev/sda1 rw\n' };
  const [host, collector] = [hostOf(files), createDisksCollector()];
  await collector.collect(host);

  files['1/mountinfo'] += '2 1 8:2 / /new rw - ext4 /dev/sda2 rw\n';

  expect((await collector.collect(host)).sections.disks?.map(({ mount }) => mount)).toEqual(['/', '/new']);
});

/** Makes an answer for each mount point of `/proc/1/mountinfo`. */
const answered =
  (usages: Record<string, Partial<FilesystemUsage>>) =>
  ({ path }: MountQuestion): MountAnswer => ({ state: 'answered', usage: { ...usage, ...usages[path] } });

const mountsOf = async (host: Host, options = {}): Promise<string[] | undefined> =>
  (await createDisksCollector(options).collect(host)).sections.disks?.map(({ mount }) => mount);

test('an image that is never written to is no disk, with any type, and a full disk is one', async () => {
  const lines = [
    '1 0 0:30 / / ro - overlay composefs ro,seclabel,lowerdir=/run/a::/run/b',
    '2 1 8:4 /ostree /sysroot ro - xfs /dev/sda4 rw,seclabel',
    '3 1 11:0 / /media/disc ro - udf /dev/sr0 ro',
    '4 1 8:5 / /srv rw - ext4 /dev/sda5 rw',
  ];
  const full = { bfree: 0, bavail: 0 };
  const host = hostOf(
    { '1/mountinfo': `${lines.join('\n')}\n` },
    answered({ '/': full, '/media/disc': full, '/srv': full }),
  );

  expect(await mountsOf(host)).toEqual(['/srv', '/sysroot']);
});

test('an overlay that is written to is the disk of its container', async () => {
  const host = hostOf({ '1/mountinfo': '1 0 0:30 / / rw - overlay overlay rw,lowerdir=/l,upperdir=/u,workdir=/w\n' });

  expect(await mountsOf(host)).toEqual(['/']);
});

const GIB = 1024 * 1024;

test('a dataset with a quota of its own is a disk beside its pool, one without is not', async () => {
  const lines = [
    '1 0 0:40 / / rw - zfs tank/root rw',
    '2 1 0:41 / /home rw - zfs tank/home rw',
    '3 1 0:42 / /srv/data rw - zfs tank/data rw',
    '4 1 0:43 / /other rw - zfs other rw',
  ];
  const host = hostOf(
    { '1/mountinfo': `${lines.join('\n')}\n` },
    answered({
      '/': { blocks: 100 * GIB, bfree: 80 * GIB, bavail: 80 * GIB },
      // Asked a moment later than the pool, which is being written to.
      '/home': { blocks: 90 * GIB, bfree: 80 * GIB - 3000, bavail: 80 * GIB - 3000 },
      '/srv/data': { blocks: 10 * GIB, bfree: 0, bavail: 0 },
    }),
  );

  const { disks } = (await collect(host)).sections;
  expect(disks?.map(({ mount, usedPct }) => [mount, usedPct])).toEqual([
    ['/', 20],
    ['/srv/data', 100],
    ['/other', 66.7],
  ]);
});

/** Datasets of one pool, each below /data by its number, and what is free of the pool and in each of them. */
function poolOf(count: number, usageOf: (id: number) => Pick<FilesystemUsage, 'blocks' | 'bfree' | 'bavail'>): Host {
  const lines = Array.from(
    { length: count },
    (_, id) => `${id + 2} 1 0:${id + 41} / /data/${id} rw - zfs tank/${id} rw\n`,
  );
  const usages = Object.fromEntries(lines.map((_, id) => [`/data/${id}`, usageOf(id)]));
  const pool = { blocks: 900 * GIB, bfree: 500 * GIB, bavail: 500 * GIB };
  return hostOf(
    { '1/mountinfo': `1 0 0:40 / / rw - zfs tank rw\n${lines.join('')}` },
    answered({ '/': pool, ...usages }),
  );
}

test('each full dataset is a disk in a pool with many, as hosts of containers have it', async () => {
  const shared = { blocks: 510 * GIB, bfree: 500 * GIB, bavail: 500 * GIB };
  const full = { blocks: 10 * GIB, bfree: 0, bavail: 0 };

  expect(await mountsOf(poolOf(200, (id) => (id >= 150 && id < 153 ? full : shared)))).toEqual([
    '/',
    '/data/150',
    '/data/151',
    '/data/152',
  ]);
});

test('datasets beyond those that one report holds are counted, mounts that show a file system again are not', async () => {
  const shared = { blocks: 510 * GIB, bfree: 500 * GIB, bavail: 500 * GIB };
  const bound = Array.from({ length: 400 }, (_, id) => `${id + 2} 1 8:1 /b/${id} /b/${id} rw - xfs /dev/sda1 rw\n`);
  const host = hostOf(
    { '1/mountinfo': `1 0 8:1 / / rw - xfs /dev/sda1 rw\n${bound.join('')}` },
    answered({ '/': shared }),
  );

  expect((await collect(poolOf(300, () => shared))).problems).toEqual([
    '45 more than 256 file systems: name those that need no watching in agent.exclude.mountPoints',
  ]);
  expect((await collect(host)).problems).toEqual([]);
});

test('a directory with a project quota that is mounted by itself is a disk beside its file system', async () => {
  const lines = [
    '1 0 8:1 / / rw - xfs /dev/sda1 rw',
    '2 1 8:1 /vm/a /srv/a rw - xfs /dev/sda1 rw',
    '3 1 8:1 /b /b rw - xfs /dev/sda1 rw',
    '4 1 8:1 /vm/c /srv/c rw - xfs /dev/sda1 rw',
    '5 1 8:1 /vm/d /srv/d rw - xfs /dev/sda1 rw',
    '6 1 8:1 /vm/d/part /srv/part rw - xfs /dev/sda1 rw',
  ];
  const full = { blocks: 10 * GIB, bfree: 0, bavail: 0 };
  const whole = { blocks: 100 * GIB, bfree: 50 * GIB, bavail: 50 * GIB };
  const host = hostOf(
    { '1/mountinfo': `${lines.join('\n')}\n` },
    answered({
      '/': whole,
      '/srv/a': { blocks: 10 * GIB, bfree: GIB, bavail: GIB },
      '/b': whole,
      '/srv/c': { ...full, ffree: 50 },
      '/srv/d': full,
      '/srv/part': full,
    }),
  );

  expect(await mountsOf(host)).toEqual(['/', '/srv/a', '/srv/c', '/srv/d']);
});

test('where the first mount of a storage is a single file, a directory of it stands for it, or nothing', async () => {
  const files = ['1 0 8:1 /c/hosts /etc/hosts rw - ext4 /dev/sda1 rw', '2 0 8:2 /c/h /etc/h rw - ext4 /dev/sda2 rw'];
  const directory = '3 0 8:1 /volumes/long /data rw - ext4 /dev/sda1 rw';
  const host = hostOf({ '1/mountinfo': `${[...files, directory].join('\n')}\n` }, ({ path }) =>
    path.startsWith('/etc/') ? { state: 'elsewhere' } : { state: 'answered', usage },
  );

  const { sections, problems } = await collect(host);

  expect(sections.disks?.map(({ mount }) => mount)).toEqual(['/data']);
  expect(problems).toEqual([]);
});

test('the other mounts of a storage that hangs are not asked, so that they take no threads', async () => {
  const lines = Array.from({ length: 9 }, (_, id) => `${id + 2} 1 8:2 /${id} /hung/${id} rw - ext4 /dev/sdb rw\n`);
  const host = hostOf({ '1/mountinfo': lines.join('') }, () => ({ state: 'hanging' }));

  const { problems } = await collect(host);

  expect(host.asked.map(({ path }) => path)).toEqual(['/hung/0']);
  expect(problems).toEqual(['/hung/0 does not answer: bring back what is behind it, or unmount it (umount --lazy)']);
});

test('a mount that the account may not enter is named with its remedy, and not where another shows the same storage', async () => {
  const lines = [
    '1 0 8:1 / / rw - ext4 /dev/sda1 rw',
    '2 1 8:1 /x /closed/x rw - ext4 /dev/sda1 rw',
    '3 1 8:2 / /closed/y rw - ext4 /dev/sdb rw',
  ];
  const host = hostOf({ '1/mountinfo': `${lines.join('\n')}\n` }, ({ path }) =>
    path.startsWith('/closed/')
      ? { state: 'failed', reason: 'EACCES: permission denied', code: 'EACCES' }
      : { state: 'answered', usage },
  );

  expect((await collect(host)).problems).toEqual([
    "/closed/y: EACCES: permission denied: let the agent's account enter each directory on the way (chmod o+x), or name it in agent.exclude.mountPoints",
  ]);
  const exclude = ({ point }: { point: string }): boolean => point === '/closed/y';
  expect((await createDisksCollector({ exclude }).collect(host)).problems).toEqual([]);
});

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
