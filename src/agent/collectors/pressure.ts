import type { ReportPressure } from '../../../schemas/report.ts';
import { systemCodeOf } from '../../kernel/errors.ts';
import { UnparsableSourceError, UnreadableSourceError } from '../errors.ts';
import { counter, type Family } from '../exposition/family.ts';
import type { Host } from '../host/host.ts';
import type { Collector } from './collector.ts';
import { countsOf } from './kernel-text/kernel-counts.ts';
import { restOfLine } from './kernel-text/rest-of-line.ts';
import { askEach, whenRead } from './kernel-text/when-read.ts';

const RESOURCES = ['cpu', 'memory', 'io'] as const;

type Resource = (typeof RESOURCES)[number];
type Pressures = Partial<Record<Resource, ReportPressure>>;

/** A kernel without pressure accounting has no such file; one that was booted with `psi=0` refuses to read it. */
const ABSENT_CODES: readonly (string | undefined)[] = ['ENOENT', 'ENOTSUP', 'EOPNOTSUPP'];

/** HELP texts of node_exporter, whose waiting is the kernel's `some` and stalled its `full`. */
const HELP = {
  cpu: { waiting: 'Total time in seconds that processes have waited for CPU time' },
  memory: {
    waiting: 'Total time in seconds that processes have waited for memory',
    stalled: 'Total time in seconds no process could make progress due to memory congestion',
  },
  io: {
    waiting: 'Total time in seconds that processes have waited due to IO congestion',
    stalled: 'Total time in seconds no process could make progress due to IO congestion',
  },
} as const satisfies Record<Resource, { waiting: string; stalled?: string }>;

/** One file of `/proc/pressure`; kernels before 5.13 have no line `full` for the CPU. @throws UnparsableSourceError */
export function parsePressure(text: string, resource: string): ReportPressure {
  const some = lineOf(text, 'some');
  if (some === undefined) throw new UnparsableSourceError(`/proc/pressure/${resource}`, 'a line some');
  const full = lineOf(text, 'full') ?? (resource === 'cpu' ? { total: 0, avg60: 0 } : undefined);
  if (full === undefined) throw new UnparsableSourceError(`/proc/pressure/${resource}`, 'a line full');
  return { someTotalUs: some.total, fullTotalUs: full.total, someAvg60: some.avg60, fullAvg60: full.avg60 };
}

/** Share of the last minute, and time in all. */
const SHARES = /^avg10=\d+\.\d\d avg60=(\d+\.\d\d) avg300=\d+\.\d\d total=(\d+)$/;

function lineOf(text: string, kind: 'some' | 'full'): { total: number; avg60: number } | undefined {
  const [, avg60 = '', digits = ''] = SHARES.exec(restOfLine(text, `${kind} `) ?? '') ?? [];
  const [total] = digits === '' ? [] : (countsOf([digits]) ?? []);
  return total === undefined ? undefined : { total, avg60: Math.min(100, Number(avg60)) };
}

/** Microseconds -> seconds by the two divisions of node_exporter; one by a million rounds otherwise. */
function seconds(microseconds: number): number {
  return microseconds / 1000 / 1000;
}

function familiesOf(pressures: Pressures): Family[] {
  return RESOURCES.flatMap((resource) => {
    const pressure = pressures[resource];
    if (pressure === undefined) return [];
    const help: { waiting: string; stalled?: string } = HELP[resource];
    const name = `node_pressure_${resource}`;
    const families = [counter(`${name}_waiting_seconds_total`, help.waiting, seconds(pressure.someTotalUs))];
    if (help.stalled !== undefined) {
      families.push(counter(`${name}_stalled_seconds_total`, help.stalled, seconds(pressure.fullTotalUs)));
    }
    return families;
  });
}

/** @throws UnreadableSourceError, at once or by the promise */
function readPressure(host: Host, resource: Resource): string | undefined | Promise<string | undefined> {
  try {
    const text = host.readProc(`pressure/${resource}`);
    return text instanceof Promise ? text.catch(undefinedIfAbsent) : text;
  } catch (error) {
    return undefinedIfAbsent(error);
  }
}

function undefinedIfAbsent(error: unknown): undefined {
  const code = error instanceof UnreadableSourceError ? systemCodeOf(error.cause) : undefined;
  if (ABSENT_CODES.includes(code)) return undefined;
  throw error;
}

/**
 * A file that was absent once is not read again, because pressure accounting is decided at boot.
 * @spec agent#metrics pressure family
 */
export function createPressureCollector(): Collector {
  const present = new Set<Resource>(RESOURCES);
  return {
    name: 'pressure',
    sections: ['counters'],
    collect: (host) => {
      const asked = [...present];
      return whenRead(
        askEach(asked, (resource) => readPressure(host, resource)),
        (texts) => {
          const pressure: Pressures = {};
          for (const [index, resource] of asked.entries()) {
            const text = texts[index];
            if (text === undefined) present.delete(resource);
            else pressure[resource] = parsePressure(text, resource);
          }
          return {
            sections: {},
            counters: present.size === 0 ? {} : { pressure },
            families: familiesOf(pressure),
          };
        },
      );
    },
  };
}
