import type { ReportCpuTimes } from '../../../schemas/report.ts';
import { UnparsableSourceError } from '../errors.ts';
import { counter, type Family, gauge } from '../exposition/family.ts';
import type { Collector } from './collector.ts';
import { whenRead } from './kernel-text/when-read.ts';

const SOURCE = '/proc/stat';

/** Columns of a CPU line; time of guests is within user and nice already. */
const MODES = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'] as const;

/** USER_HZ of the interface, the same on every architecture Linux runs Node on; proc_stat(5). */
const TICKS_PER_SECOND = 100;

/** Highest number of a CPU: Linux can be built for at most 8192. */
const CPU_NUMBER_MAX = 8_191;

/** Drop in idle time that is no correction of the kernel: the CPU was taken out and put back. */
const HOTPLUG_IDLE_DROP_SECONDS = 3;

interface CpuStat {
  cpus: ReportCpuTimes[];
  /** Unix seconds. */
  bootTime: number | undefined;
}

/** CPU times and boot time of `/proc/stat`; columns that old kernels lack are 0. @see proc_stat(5) @throws UnparsableSourceError */
export function parseStat(text: string): CpuStat {
  const cpus: ReportCpuTimes[] = [];
  // The CPU lines come first; the line of interrupts behind them can be tens of kilobytes and is never looked at.
  let start = 0;
  while (text.startsWith('cpu', start)) {
    const end = text.indexOf('\n', start);
    if (end === -1) break;
    const line = text.slice(start, end);
    if (!line.startsWith('cpu ')) cpus.push(parseCpuLine(line, cpus.at(-1)?.cpu ?? -1));
    start = end + 1;
  }
  if (cpus.length === 0) throw new UnparsableSourceError(SOURCE, 'a line for each CPU');
  return { cpus, bootTime: parseBootTime(text, start) };
}

/** @param before number of the CPU in the line before; the kernel lists each once, in order */
function parseCpuLine(line: string, before: number): ReportCpuTimes {
  const fields = line.split(' ');
  const cpu = Number((fields[0] ?? '').slice('cpu'.length));
  const seconds = (column: number): number => Number(fields[column] ?? 0) / TICKS_PER_SECOND;
  const times: ReportCpuTimes = {
    cpu,
    user: seconds(1),
    nice: seconds(2),
    system: seconds(3),
    idle: seconds(4),
    iowait: seconds(5),
    irq: seconds(6),
    softirq: seconds(7),
    steal: seconds(8),
  };
  const isNext = Number.isInteger(cpu) && cpu > before && cpu <= CPU_NUMBER_MAX;
  if (!isNext || MODES.some((mode) => !(times[mode] >= 0 && times[mode] < Number.POSITIVE_INFINITY))) {
    throw new UnparsableSourceError(SOURCE, 'ticks in the lines of the CPUs');
  }
  return times;
}

function parseBootTime(text: string, from: number): number | undefined {
  const start = text.startsWith('btime ', from) ? from : text.indexOf('\nbtime ', from) + 1;
  if (start === 0 && from !== 0) return undefined;
  const end = text.indexOf('\n', start);
  const seconds = Number(text.slice(start + 'btime '.length, end === -1 ? start : end));
  return end !== -1 && seconds > 0 ? seconds : undefined;
}

/**
 * The newer times, with no mode smaller than before: kernels let idle and iowait step back a little,
 * which would look like a restart of the counter. CPUs that have gone are forgotten.
 */
export function withoutStepsBack(before: readonly ReportCpuTimes[], now: readonly ReportCpuTimes[]): ReportCpuTimes[] {
  const byCpu = new Map(before.map((times) => [times.cpu, times]));
  return now.map((times) => {
    const last = byCpu.get(times.cpu);
    if (last === undefined || last.idle - times.idle >= HOTPLUG_IDLE_DROP_SECONDS) return times;
    if (MODES.every((mode) => times[mode] >= last[mode])) return times;
    const kept = { ...times };
    for (const mode of MODES) kept[mode] = Math.max(times[mode], last[mode]);
    return kept;
  });
}

function familiesOf({ cpus, bootTime }: CpuStat): Family[] {
  const samples = cpus.flatMap((times) =>
    MODES.map((mode) => ({ labels: { cpu: String(times.cpu), mode }, value: times[mode] })),
  );
  const families = [counter('node_cpu_seconds_total', 'Seconds the CPUs spent in each mode.', samples)];
  if (bootTime !== undefined) {
    families.push(gauge('node_boot_time_seconds', 'Node boot time, in unixtime.', bootTime));
  }
  return families;
}

/** Remembers the last times, so that no reported counter ever decreases. @spec agent#metrics CPU and time families */
export function createCpuCollector(): Collector {
  let last: readonly ReportCpuTimes[] = [];
  return {
    name: 'cpu',
    sections: ['cpus', 'counters'],
    collect: (host) =>
      whenRead(host.readProc('stat'), (text) => {
        const { cpus: read, bootTime } = parseStat(text);
        const cpus = withoutStepsBack(last, read);
        last = cpus;
        return {
          sections: { cpus: cpus.length },
          counters: { ...(bootTime === undefined ? {} : { bootTime }), cpu: cpus },
          families: familiesOf({ cpus, bootTime }),
          problems: bootTime === undefined ? [`${SOURCE} has no line btime`] : [],
        };
      }),
  };
}
