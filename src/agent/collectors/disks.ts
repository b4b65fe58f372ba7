import type { ReportDisk } from '../../../schemas/report.ts';
import { systemCodeOf } from '../../kernel/errors.ts';
import { UnreadableSourceError } from '../errors.ts';
import { type Family, gauge, type Sample } from '../exposition/family.ts';
import type { Host } from '../host/host.ts';
import type { FilesystemUsage, MountAnswer } from '../host/mount-probe.ts';
import type { Collector, Contribution } from './collector.ts';
import { type Mount, parseMountinfo } from './filesystem/mountinfo.ts';
import { fileSystemKey, isRemote, realMounts } from './filesystem/real-mounts.ts';
import { firstOfEach, textOfBytes } from './kernel-text/byte-name.ts';

/**
 * Most file systems asked in one collection. On machines with more a program has made them, and one report cannot hold
 * them.
 */
const DISKS_MAX = 256;

/** Files below /proc with the machine's mounts: those of its first process, because this one may be in a sandbox. */
const SOURCES = ['1/mountinfo', 'self/mountinfo'] as const;

async function readMountinfo(host: Host): Promise<string> {
  const [first, own] = SOURCES;
  try {
    return await host.readProc(first);
  } catch (error) {
    // The file is hidden or missing where /proc shows only one's own processes.
    const code = error instanceof UnreadableSourceError ? systemCodeOf(error.cause) : undefined;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EPERM') return host.readProc(own);
    throw error;
  }
}

/** `st_dev` of a file system; makedev(3). Undefined for anonymous devices, whose number another namespace may not share. */
function deviceNumber({ major, minor }: Mount): number | undefined {
  return major === 0 ? undefined : (minor & 0xff) + (major & 0xfff) * 0x100 + (minor >>> 8) * 0x10_0000;
}

/** A mount point without the prefix under which this process sees the machine's root. */
function pointOf({ mountPoint }: Mount, rootfs: string): string {
  if (rootfs === '' || !(mountPoint === rootfs || mountPoint.startsWith(`${rootfs}/`))) return mountPoint;
  return mountPoint.slice(rootfs.length) || '/';
}

/** One entry of the report. Percentages are those of df(1), to one decimal. */
function diskOf(mount: Mount, point: string, usage: FilesystemUsage): ReportDisk {
  const { bsize, blocks, bfree, files, ffree } = usage;
  // A value above all blocks is a negative number: root has written into the blocks reserved for it.
  const bavail = usage.bavail > blocks ? 0 : usage.bavail;
  const used = Math.max(0, blocks - bfree);
  return {
    device: textOfBytes(mount.source),
    mount: textOfBytes(point),
    fsType: textOfBytes(mount.fsType),
    totalBytes: blocks * bsize,
    availBytes: bavail * bsize,
    usedPct: percent(used, used + bavail),
    inodesPct: percent(Math.max(0, files - ffree), files),
    files,
    filesFree: ffree,
  };
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10;
}

/** Error codes of a directory that the agent's account may not enter, and the remedy. */
const CLOSED_CODES: readonly (string | undefined)[] = ['EACCES', 'EPERM'];
const CLOSED_REMEDY =
  "let the agent's account enter each directory on the way (chmod o+x), or name it in agent.exclude.mountPoints";

const HANGING_REMEDY = 'bring back what is behind it, or unmount it (umount --lazy)';
const TOO_MANY_REMEDY = 'name those that need no watching in agent.exclude.mountPoints';

/** The problem to report, if the answer is one. */
function problemOf(answer: MountAnswer, point: string): string | undefined {
  switch (answer.state) {
    case 'hanging':
      return `${point} does not answer: ${HANGING_REMEDY}`;
    case 'unasked':
      return `${point} was not asked, because other file systems do not answer`;
    case 'failed':
      return `${point}: ${answer.reason}${CLOSED_CODES.includes(answer.code) ? `: ${CLOSED_REMEDY}` : ''}`;
    case 'answered':
    case 'elsewhere':
      return undefined;
  }
}

function familiesOf(disks: readonly ReportDisk[]): Family[] {
  const samples = (value: (disk: ReportDisk) => number): Sample[] =>
    disks.map((disk) => ({
      labels: { device: disk.device, fstype: disk.fsType, mountpoint: disk.mount },
      value: value(disk),
    }));
  return [
    gauge(
      'node_filesystem_size_bytes',
      'Filesystem size in bytes.',
      samples((disk) => disk.totalBytes),
    ),
    gauge(
      'node_filesystem_avail_bytes',
      'Filesystem space available to non-root users in bytes.',
      samples((disk) => disk.availBytes),
    ),
    gauge(
      'node_filesystem_files',
      'Filesystem total file nodes.',
      samples((disk) => disk.files),
    ),
    gauge(
      'node_filesystem_files_free',
      'Filesystem total free file nodes.',
      samples((disk) => disk.filesFree),
    ),
  ];
}

/** A mount as options exclude it. */
export interface ExcludableMount {
  /** Mount point, as the report has it. */
  point: string;
  fsType: string;
}

/** Largest difference in free space that two mounts of one storage have only because one was asked a moment later. */
const SAME_SPACE_SHARE = 0.01;
const SAME_SPACE_BYTES = 64 * 1024 * 1024;

/**
 * Like df(1), counts a file system without blocks as no storage. One that is read-only and has no free block is an
 * image, always full.
 */
function isStorage({ isReadOnly }: Mount, { blocks, bfree }: FilesystemUsage): boolean {
  return blocks > 0 && !(isReadOnly && bfree === 0);
}

/** Whether two mounts of one storage have separate space, as under a quota. */
function hasOtherSpace(a: ReportDisk, b: ReportDisk): boolean {
  const difference = Math.abs(a.availBytes - b.availBytes);
  return difference > Math.max(SAME_SPACE_BYTES, SAME_SPACE_SHARE * Math.max(a.availBytes, b.availBytes));
}

/**
 * Largest difference in used nodes that two directories of one quota have only because one was asked a moment later.
 */
const SAME_NODES = 16;

/**
 * Whether two directories of one file system have separate quotas. Free space alone does not show it: two full ones
 * have 0 each.
 */
function hasOtherSize(a: ReportDisk, b: ReportDisk): boolean {
  const nodes = [a, b].map(({ files, filesFree }) => files - filesFree) as [number, number];
  return hasOtherSpace(a, b) || a.totalBytes !== b.totalBytes || Math.abs(nodes[0] - nodes[1]) > SAME_NODES;
}

interface Asked {
  mount: Mount;
  point: string;
  answer: MountAnswer;
}

interface FoundDisk {
  mount: Mount;
  disk: ReportDisk;
}

/** Whether a mount has separate space. The first disk of its storage reports the space that all mounts share. */
function hasOwnSpace({ mount, disk }: FoundDisk, [whole, ...parts]: readonly FoundDisk[]): boolean {
  if (whole === undefined) return true;
  const sameFileSystem = parts.filter((part) => fileSystemKey(part.mount) === fileSystemKey(mount));
  return hasOtherSpace(disk, whole.disk) && sameFileSystem.every((part) => hasOtherSize(disk, part.disk));
}

/** The disks of one storage, and the problem if no mount of it answered. */
function disksOf(asked: readonly Asked[]): { disks: ReportDisk[]; problem: string | undefined } {
  const found: FoundDisk[] = [];
  for (const { mount, point, answer } of asked) {
    if (answer.state !== 'answered' || !isStorage(mount, answer.usage)) continue;
    const next = { mount, disk: diskOf(mount, point, answer.usage) };
    if (hasOwnSpace(next, found)) found.push(next);
  }
  const disks = found.map(({ disk }) => disk);
  if (asked.some(({ answer }) => answer.state === 'answered')) return { disks, problem: undefined };
  const problems = asked.map(({ answer, point }) => problemOf(answer, textOfBytes(point)));
  return { disks, problem: problems.find((problem) => problem !== undefined) };
}

/** Asks the mounts, each given with the index of its storage, and appends each answer to `known` at that index. */
async function askInto(
  known: readonly Asked[][],
  { host, confirmed }: { host: Host; confirmed: Set<string> },
  mounts: readonly StorageMount[],
): Promise<void> {
  const points = mounts.map(([, mount]) => pointOf(mount, host.rootfs));
  const questions = mounts.map(([, mount], index) => {
    const path = `${host.rootfs}${points[index] ?? ''}`;
    return { path, device: deviceNumber(mount), isKnown: confirmed.has(path), isRemote: isRemote(mount) };
  });
  const answers = await host.askMounts(questions);
  for (const [index, [storage, mount]] of mounts.entries()) {
    const answer = answers[index] ?? { state: 'unasked' };
    if (answer.state === 'answered') confirmed.add(questions[index]?.path ?? '');
    known[storage]?.push({ mount, point: points[index] ?? '', answer });
  }
}

type StorageMount = readonly [storage: number, mount: Mount];

/** Splits mounts: `own` has one of each file system not asked yet, `again` those that show a file system once more. */
function byFileSystem(
  mounts: readonly StorageMount[],
  asked: readonly StorageMount[],
): { own: StorageMount[]; again: StorageMount[] } {
  const known = new Set(asked.map(([, mount]) => fileSystemKey(mount)));
  const [own, again]: [StorageMount[], StorageMount[]] = [[], []];
  for (const entry of mounts) {
    const key = fileSystemKey(entry[1]);
    (known.has(key) ? again : own).push(entry);
    known.add(key);
  }
  return { own, again };
}

/** @param confirmed paths at which the right file system has answered since the mounts last changed; grows */
async function collectDisks(
  host: Host,
  storages: readonly (readonly Mount[])[],
  confirmed: Set<string>,
): Promise<Contribution> {
  const asked = storages.map((): Asked[] => []);
  const parts = { host, confirmed };
  const first = storages.flatMap(([mount], storage) => (mount === undefined ? [] : [[storage, mount] as const]));
  // Accounts may mount other machines below their homes, as many as they like: local disks come first.
  const localFirst = first.toSorted(([, a], [, b]) => Number(isRemote(a)) - Number(isRemote(b)));
  await askInto(asked, parts, localFirst.slice(0, DISKS_MAX));
  // A storage that hangs at one mount hangs at all: asking its other mounts would take threads from other storages.
  const answers = ({ answer: { state } }: Asked): boolean => state !== 'hanging' && state !== 'unasked';
  const others = storages.flatMap((mounts, storage) =>
    asked[storage]?.every(answers) === true ? mounts.slice(1).map((mount) => [storage, mount] as const) : [],
  );
  const room = Math.max(0, DISKS_MAX - first.length);
  const { own, again } = byFileSystem(others, first);
  if (others.length > 0 && room > 0) await askInto(asked, parts, [...own, ...again].slice(0, room));
  const found = asked.map(disksOf);
  const disks = found.flatMap((storage) => storage.disks);
  const problems = found.flatMap(({ problem }) => problem ?? []);
  const left = first.length + own.length - DISKS_MAX;
  if (left > 0) problems.push(`${left} more than ${DISKS_MAX} file systems: ${TOO_MANY_REMEDY}`);
  return {
    sections: { disks },
    families: familiesOf(firstOfEach(disks, ({ device, mount }) => `${device} ${mount}`)),
    problems,
  };
}

/** Configuration of the disks section. */
interface DisksOptions {
  /** File systems of other machines too. */
  withRemote?: boolean;
  /** Mounts to leave out. */
  exclude?: (mount: ExcludableMount) => boolean;
}

/**
 * Parses the mounts again only when they have changed.
 * @spec agent#metrics filesystems family
 */
export function createDisksCollector({ withRemote = false, exclude = () => false }: DisksOptions = {}): Collector {
  let lastText: string | undefined;
  let lastMounts: readonly (readonly Mount[])[] = [];
  const confirmed = new Set<string>();
  return {
    name: 'disks',
    sections: ['disks'],
    collect: async (host) => {
      const text = await readMountinfo(host);
      if (text !== lastText) {
        const isLeftOut = (mount: Mount): boolean =>
          exclude({ point: textOfBytes(pointOf(mount, host.rootfs)), fsType: mount.fsType });
        lastMounts = realMounts(parseMountinfo(text), { withRemote, isLeftOut });
        confirmed.clear();
      }
      lastText = text;
      return collectDisks(host, lastMounts, confirmed);
    },
  };
}
