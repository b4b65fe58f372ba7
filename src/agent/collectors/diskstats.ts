import type { ReportDiskCounters } from '../../../schemas/report.ts';
import { UnparsableSourceError } from '../errors.ts';
import { counter, type Family, type Sample } from '../exposition/family.ts';
import type { Host } from '../host/host.ts';
import type { Collector, Contribution } from './collector.ts';
import { firstOfEach, textOfBytes } from './kernel-text/byte-name.ts';
import { countsOf } from './kernel-text/kernel-counts.ts';
import { whenRead } from './kernel-text/when-read.ts';

const SOURCE = '/proc/diskstats';

/** Unit of the kernel's sector counts, independent of the device's own sector size. */
const SECTOR_BYTES = 512;

/**
 * Two numbers of the device, its name, and eleven counts; the partitions of ancient kernels have fewer, newer kernels more.
 * The captured counts are reads, sectors read, writes, sectors written and milliseconds. @see proc_diskstats(5)
 */
const LINE = /^ *\d+ +\d+ +([^ ]+) +(\d+) +\d+ +(\d+) +\d+ +(\d+) +\d+ +(\d+) +\d+ +\d+ +(\d+) +\d/;

/** Most devices of one report; on a machine with more a program has made them. */
const DEVICES_MAX = 1024;

/** Devices that are not disks, and partitions by their names, as node_exporter leaves them out. */
const IGNORED = /^(z?ram|loop|fd|(h|s|v|xv)d[a-z]|nvme\d+n\d+p)\d+$/;

/** Partitions of further drivers by their names. */
const PARTITION = /^(mmcblk\d+|nbd\d+|md\d+|loop\d+|rbd\d+|bcache\d+)p\d+$/;

/**
 * Counters of disks since boot; partitions and devices in memory are left out. @see proc_diskstats(5)
 * @throws UnparsableSourceError
 */
export function parseDiskstats(text: string): ReportDiskCounters[] {
  const disks: ReportDiskCounters[] = [];
  let understood = 0;
  const lines = text.split('\n');
  // The text after the last newline is empty, or a line that was cut.
  lines.pop();
  for (const line of lines) {
    const [, device, ...digits] = LINE.exec(line) ?? [];
    const counts = countsOf(digits);
    if (device === undefined || counts === undefined) continue;
    understood += 1;
    if (IGNORED.test(device) || PARTITION.test(device)) continue;
    disks.push(diskOf(device, counts));
  }
  if (understood === 0 && text.trim() !== '') throw new UnparsableSourceError(SOURCE, 'a line for each device');
  return firstOfEach(disks, ({ device }) => device);
}

function diskOf(device: string, counts: readonly number[]): ReportDiskCounters {
  const [reads = 0, sectorsRead = 0, writes = 0, sectorsWritten = 0, ioTimeMs = 0] = counts;
  return {
    device: textOfBytes(device),
    reads,
    writes,
    readBytes: sectorsRead * SECTOR_BYTES,
    writtenBytes: sectorsWritten * SECTOR_BYTES,
    ioTimeMs,
  };
}

function familiesOf(disks: readonly ReportDiskCounters[]): Family[] {
  const samples = (value: (disk: ReportDiskCounters) => number): Sample[] =>
    disks.map((disk) => ({ labels: { device: disk.device }, value: value(disk) }));
  return [
    counter(
      'node_disk_reads_completed_total',
      'The total number of reads completed successfully.',
      samples((disk) => disk.reads),
    ),
    counter(
      'node_disk_writes_completed_total',
      'The total number of writes completed successfully.',
      samples((disk) => disk.writes),
    ),
    counter(
      'node_disk_read_bytes_total',
      'The total number of bytes read successfully.',
      samples((disk) => disk.readBytes),
    ),
    counter(
      'node_disk_written_bytes_total',
      'The total number of bytes written successfully.',
      samples((disk) => disk.writtenBytes),
    ),
    counter(
      'node_disk_io_time_seconds_total',
      'Total seconds spent doing I/Os.',
      // node_exporter multiplies, too; a division would round differently.
      samples((disk) => disk.ioTimeMs * 0.001),
    ),
  ];
}

/** Whether the device is a partition by sysfs, which writes a slash in its name as an exclamation mark. */
function isPartition(host: Host, device: string): boolean | Promise<boolean> {
  return host.sys.has(`/class/block/${device.replaceAll('/', '!')}/partition`);
}

/**
 * Asks sysfs once for each device whether it is a partition, as long as the device stays.
 * @param isLeftOut devices to leave out beside those that no report has
 * @spec agent#metrics disks family
 */
export function createDiskstatsCollector(isLeftOut: (name: string) => boolean = () => false): Collector {
  let partitions = new Map<string, boolean>();
  const contributionOf = (listed: readonly ReportDiskCounters[], left: number): Contribution => {
    const disks = listed.filter(({ device }) => partitions.get(device) !== true);
    const problems = left > 0 ? [`${left} more than ${DEVICES_MAX} devices`] : [];
    return { sections: {}, counters: { disks }, families: familiesOf(disks), problems };
  };
  return {
    name: 'diskstats',
    sections: ['counters'],
    collect: (host) =>
      whenRead(host.readProc('diskstats'), (text) => {
        const found = parseDiskstats(text).filter(({ device }) => !isLeftOut(device));
        const listed = found.slice(0, DEVICES_MAX);
        const left = found.length - listed.length;
        const isKnown = listed.every(({ device }) => partitions.has(device));
        if (isKnown && listed.length === partitions.size) return contributionOf(listed, left);
        const answers = listed.map(
          async ({ device }): Promise<[string, boolean]> => [
            device,
            partitions.get(device) ?? (await isPartition(host, device)),
          ],
        );
        return Promise.all(answers).then((known) => {
          partitions = new Map(known);
          return contributionOf(listed, left);
        });
      }),
  };
}
