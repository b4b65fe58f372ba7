import type { ReportDisk } from '../../../schemas/report.ts';
import { systemCodeOf } from '../../kernel/errors.ts';
import { UnreadableSourceError } from '../errors.ts';
import { type Family, gauge, type Sample } from '../exposition/family.ts';
import type { Host } from '../host/host.ts';
import type { FilesystemUsage, MountAnswer } from '../host/mount-probe.ts';
import type { Collector, Contribution } from './collector.ts';
import { type Mount, parseMountinfo } from './filesystem/mountinfo.ts';
import { isRemote, realMounts } from './filesystem/real-mounts.ts';
import { firstOfEach, textOfBytes } from './kernel-text/byte-name.ts';

/** File systems asked in one collection; machines with more have them made by a program, and one report cannot hold them. */
const DISKS_MAX = 256;

/** Where the mounts of the machine stand: those of its first process, not those of a sandbox around this one. */
const SOURCES = ['1/mountinfo', 'self/mountinfo'] as const;

async function readMountinfo(host: Host): Promise<string> {
  const [first, own] = SOURCES;
  try {
    return await host.readProc(first);
  } catch (error) {
    // Hidden or missing where /proc shows only processes of one's own.
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
  // More than all is a negative number: root has written into the blocks reserved for it.
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

/** Undefined where there is nothing to complain about. */
function problemOf(answer: MountAnswer, point: string): string | undefined {
  switch (answer.state) {
    case 'hanging':
      return `${point} does not answer`;
    case 'unasked':
      return `${point} was not asked, because other file systems do not answer`;
    case 'failed':
      return `${point}: ${answer.reason}`;
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

/** @param confirmed paths at which the right file system has answered since the mounts last changed; grows */
async function collectDisks(host: Host, real: readonly Mount[], confirmed: Set<string>): Promise<Contribution> {
  const mounts = real.slice(0, DISKS_MAX);
  const points = mounts.map((mount) => pointOf(mount, host.rootfs));
  const questions = mounts.map((mount, index) => {
    const path = `${host.rootfs}${points[index] ?? ''}`;
    return { path, device: confirmed.has(path) ? undefined : deviceNumber(mount), isRemote: isRemote(mount) };
  });
  const answers = await host.askMounts(questions);
  const disks: ReportDisk[] = [];
  const problems: string[] = [];
  for (const [index, mount] of mounts.entries()) {
    const answer = answers[index] ?? { state: 'unasked' };
    const point = points[index] ?? '';
    if (answer.state === 'answered') confirmed.add(`${host.rootfs}${point}`);
    // Without blocks it is not storage, whatever its type says; df(1) leaves it out too.
    if (answer.state === 'answered' && answer.usage.blocks > 0) disks.push(diskOf(mount, point, answer.usage));
    const problem = problemOf(answer, textOfBytes(point));
    if (problem !== undefined) problems.push(problem);
  }
  if (real.length > DISKS_MAX) problems.push(`${real.length - DISKS_MAX} more than ${DISKS_MAX} file systems`);
  return {
    sections: { disks },
    families: familiesOf(firstOfEach(disks, ({ device, mount }) => `${device} ${mount}`)),
    problems,
  };
}

/**
 * Parses the mounts again only when they have changed.
 * @param withRemote file systems of other machines too
 * @spec agent#metrics filesystems family
 */
export function createDisksCollector(withRemote: boolean): Collector {
  let lastText: string | undefined;
  let lastMounts: readonly Mount[] = [];
  const confirmed = new Set<string>();
  return {
    name: 'disks',
    sections: ['disks'],
    collect: async (host) => {
      const text = await readMountinfo(host);
      if (text !== lastText) {
        lastMounts = realMounts(parseMountinfo(text), { withRemote });
        confirmed.clear();
      }
      lastText = text;
      return collectDisks(host, lastMounts, confirmed);
    },
  };
}
