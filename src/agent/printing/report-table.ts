import type { HostReport } from '../../../schemas/report.ts';
import { formatBytes, formatDuration } from './quantities.ts';

/** Least width in which lines are broken; below it the terminal wraps them. */
const BREAK_MIN_CHARACTERS = 20;

/** Units with much memory that are shown; the JSON has all. */
const UNITS_SHOWN_MAX = 5;

/** Returns the lines of one section; an empty list if the report lacks it. */
type Section = (report: HostReport, reader: Reader) => readonly string[];

/** Name in the left column -> its lines, in the order shown. The `services` of a request have no row here. */
const sections: Readonly<Record<string, Section>> = {
  host: ({ host }) => [host],
  system: systemLines,
  kernel: ({ kernel }) => (kernel === undefined ? [] : [kernelLine(kernel)]),
  packages: ({ packages }) =>
    packages === undefined ? [] : [`${packages.manager}, last changed ${dateOf(packages.changed)}`],
  time: ({ time }) => [time],
  uptime: ({ uptimeSec }) => (uptimeSec === undefined ? [] : [formatDuration(uptimeSec)]),
  load: ({ load, cpus }) => {
    if (load === undefined) return [];
    const onCpus = cpus === undefined ? '' : `  on ${cpus} CPU${cpus === 1 ? '' : 's'}`;
    return [`${load.map((average) => average.toFixed(2)).join('  ')}${onCpus}`];
  },
  memory: memoryLines,
  swap: ({ memory: { swapTotalKB = 0, swapFreeKB = 0 } = { totalKB: 0 } }) =>
    swapTotalKB === 0 ? [] : [`${formatBytes(swapFreeKB * 1024)} free of ${formatBytes(swapTotalKB * 1024)}`],
  pressure: pressureLines,
  disks: ({ disks }) =>
    orNone(disks, ({ mount, device, fsType, usedPct, inodesPct, availBytes, totalBytes }) => {
      const room = `${formatBytes(availBytes)} free of ${formatBytes(totalBytes)}`;
      return `${mount}  ${usedPct.toFixed(1)} % used, ${room}, inodes ${inodesPct.toFixed(1)} %  (${device}, ${fsType})`;
    }),
  network: ({ counters: { net = [] } = {} }) =>
    net.map(({ device, rxBytes, txBytes, ...faults }) => {
      const count = Object.values(faults).reduce((sum, value) => sum + value, 0);
      return `${device}  ${formatBytes(rxBytes)} in, ${formatBytes(txBytes)} out${count === 0 ? '' : `, ${count} errors and drops`}`;
    }),
  failed: ({ failedUnits }) => orNone(failedUnits, (unit) => unit),
  units: unitLines,
  tunnels: tunnelLines,
  mail: mailLines,
  zones: ({ knot = [] }) =>
    knot.map(({ name, role, serial, expiresInSec }) => {
      const expiry =
        expiresInSec < 0 ? '' : `, ${expiresInSec === 0 ? 'expired' : `expires in ${formatDuration(expiresInSec)}`}`;
      return `${name}  ${role}, ${serial === undefined ? 'no serial' : `serial ${serial}`}${expiry}`;
    }),
  errors: ({ errors }) => Object.entries(errors).map(([section, reason]) => `${section}: ${reason}`),
};

/** Sections whose lines report trouble, except for the line `none`. */
const TROUBLE: ReadonlySet<string> = new Set(['failed', 'errors']);
const NO_TROUBLE = 'none';

/** Settings for a reader: names of peers, width, colours. */
export interface Reader {
  /** Public key of a tunnel peer -> the name people know it by. */
  peerNames?: ReadonlyMap<string, string>;
  /** Longer lines are broken between words; undefined leaves them whole. */
  columns?: number | undefined;
  hasColours?: boolean;
}

/** The report for a person at a terminal, one fact a line, without a newline at the end. */
export function formatReport(report: HostReport, reader: Reader = {}): string {
  const { columns, hasColours = false } = reader;
  const width = Math.max(...Object.keys(sections).map((name) => name.length)) + 2;
  const room = (columns ?? Number.POSITIVE_INFINITY) - width;
  return Object.entries(sections)
    .flatMap(([section, linesOf]) => {
      const paint = hasColours && TROUBLE.has(section) ? red : (text: string) => text;
      const pieces = linesOf(report, reader).flatMap((line) => broken(printable(line), room));
      return pieces.map((text, index) => `${(index === 0 ? section : '').padEnd(width)}${paint(text)}`);
    })
    .join('\n');
}

/** Breaks a line at blanks into pieces of at most this many characters, where there are blanks. */
function broken(line: string, width: number): string[] {
  if (line.length <= Math.max(width, BREAK_MIN_CHARACTERS)) return [line];
  const blank = line.lastIndexOf(' ', width);
  const end = blank > 0 ? blank : line.indexOf(' ', width);
  if (end === -1 || width < BREAK_MIN_CHARACTERS) return [line];
  return [line.slice(0, end).trimEnd(), ...broken(line.slice(end).trimStart(), width)];
}

function red(text: string): string {
  return text === NO_TROUBLE ? text : `\x1b[31m${text}\x1b[39m`;
}

/** A line for each entry, or the line `none` for an empty section; no line for a missing one. */
function orNone<T>(entries: readonly T[] | undefined, lineOf: (entry: T) => string): string[] {
  return entries?.length === 0 ? [NO_TROUBLE] : (entries ?? []).map(lineOf);
}

const dateOf = (unixSec: number): string => new Date(unixSec * 1000).toISOString().replace('.000', '');

function systemLines({ os, system }: HostReport): string[] {
  const lines = os === undefined ? [] : [`${os.name} ${system?.nixosVersion ?? os.versionId}`.trim()];
  if (system?.rebootNeeded === true) lines.push('reboot needed: another system is booted than the current one');
  return lines;
}

function kernelLine({ running, newest }: NonNullable<HostReport['kernel']>): string {
  return newest === '' || newest === running ? running : `${running}  (newest installed: ${newest})`;
}

function memoryLines({ memory }: HostReport): string[] {
  if (memory === undefined) return [];
  const { totalKB, availableKB } = memory;
  const available = availableKB === undefined ? '' : `${formatBytes(availableKB * 1024)} available of `;
  return [`${available}${formatBytes(totalKB * 1024)}`];
}

function pressureLines({ counters }: HostReport): string[] {
  const shares = Object.entries(counters?.pressure ?? {}).map(([what, waits]) => `${what} ${waits?.someAvg60 ?? 0} %`);
  return shares.length === 0 ? [] : [`${shares.join(', ')}  of the last minute some program waited`];
}

function unitLines({ units = [] }: HostReport): string[] {
  const largest = units.toSorted((a, b) => b.bytes - a.bytes).slice(0, UNITS_SHOWN_MAX);
  const lines = largest.map(({ unit, bytes, maxBytes }) => {
    const limit = maxBytes === undefined ? '' : ` of ${formatBytes(maxBytes)}`;
    return `${unit}  ${formatBytes(bytes)}${limit}`;
  });
  const more = units.length - largest.length;
  return more > 0 ? [...lines, `and ${more} smaller, which --json shows`] : lines;
}

function tunnelLines({ wireguard = [], time }: HostReport, { peerNames }: Reader): string[] {
  return wireguard.map(({ publicKey, latestHandshake, rxBytes, txBytes }) => {
    const age = Math.max(0, Date.parse(time) / 1000 - latestHandshake);
    const handshake = latestHandshake === 0 ? 'no handshake yet' : `handshake ${formatDuration(age)} ago`;
    return `${peerNames?.get(publicKey) ?? publicKey}  ${handshake}, ${formatBytes(rxBytes)} in, ${formatBytes(txBytes)} out`;
  });
}

function mailLines({ postfix }: HostReport): string[] {
  if (postfix === undefined) return [];
  const { messages, queues, oldestAgeSec } = postfix;
  if (messages === 0) return ['no message waits'];
  const filled = Object.entries(queues).filter(([, count]) => count > 0);
  const parts = filled.map(([queue, count]) => `${queue} ${count}`).join(', ');
  return [`${messages} waiting (${parts}), the oldest for ${formatDuration(oldestAgeSec)}`];
}

/** Replaces control characters by U+FFFD, because names of mounts may contain any character. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
