import type { HostReport, ReportDisk, ReportMemory } from '../../../schemas/report.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Bytes for a person: `23.5 GiB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}

/** Seconds for a person: `3 d 4 h 5 min`. */
export function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  return [...(days > 0 ? [`${days} d`] : []), ...(days + hours > 0 ? [`${hours} h`] : []), `${minutes % 60} min`].join(
    ' ',
  );
}

/** The report for a person at a terminal, one section a line, without a newline at the end. */
export function formatReport({ host, time, uptimeSec, load, cpus, memory, disks, errors }: HostReport): string {
  const rows: [name: string, value: string][] = [
    ['host', host],
    ['time', time],
  ];
  if (uptimeSec !== undefined) rows.push(['uptime', formatDuration(uptimeSec)]);
  if (load !== undefined) rows.push(['load', load.map((average) => average.toFixed(2)).join('  ')]);
  if (cpus !== undefined) rows.push(['cpus', String(cpus)]);
  if (memory !== undefined) rows.push(...memoryRows(memory));
  for (const [index, disk] of (disks ?? []).entries()) rows.push([index === 0 ? 'disks' : '', diskLine(disk)]);
  for (const [section, reason] of Object.entries(errors)) rows.push(['error', `${section}: ${reason}`]);
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, value]) => `${name.padEnd(width)}${printable(value)}`).join('\n');
}

function memoryRows({ totalKB, availableKB, swapTotalKB = 0, swapFreeKB = 0 }: ReportMemory): [string, string][] {
  const available = availableKB === undefined ? '' : `${formatBytes(availableKB * 1024)} available of `;
  const rows: [string, string][] = [['memory', `${available}${formatBytes(totalKB * 1024)}`]];
  if (swapTotalKB > 0) {
    rows.push(['swap', `${formatBytes(swapFreeKB * 1024)} free of ${formatBytes(swapTotalKB * 1024)}`]);
  }
  return rows;
}

function diskLine({ mount, device, fsType, usedPct, availBytes, totalBytes }: ReportDisk): string {
  const room = `${formatBytes(availBytes)} free of ${formatBytes(totalBytes)}`;
  return `${mount}  ${usedPct.toFixed(1)} % used, ${room}  (${device}, ${fsType})`;
}

/** Names of mounts may hold anything; what would steer the terminal is shown as U+FFFD. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
