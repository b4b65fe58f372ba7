import { SystemdError } from '../../errors.ts';
import type { TimerFacts } from './timer-state.ts';
import { isUnitName } from './unit-name.ts';

/** Properties of one unit by name, as text. */
export type Properties = Readonly<Record<string, string>>;

/** Microseconds in the units of time spans. @see systemd.time(7) */
const spanUnits: Readonly<Record<string, number>> = {
  us: 1,
  ms: 1_000,
  s: 1_000_000,
  min: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
  w: 604_800_000_000,
  month: 2_629_800_000_000,
  y: 31_557_600_000_000,
};

/**
 * Names in the output of `systemctl list-units --plain --no-legend`; other lines are passed over.
 * @throws SystemdError when there are lines but no line names a unit
 */
export function parseUnitList(output: string): string[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  // Before systemd 246 a mark precedes failed units in spite of --plain.
  const names = lines.map((line) => /^\W*?([^\s\u25cf*]\S*)/u.exec(line)?.[1] ?? '').filter(isUnitName);
  if (lines.length > 0 && names.length === 0) {
    throw new SystemdError('could not understand systemctl list-units: expected names of units');
  }
  return names;
}

/** Blocks of `systemctl show`, one per unit asked about; an empty line separates them. */
export function parseShow(output: string): Properties[] {
  const text = output.replace(/\n+$/, '');
  if (text === '') return [];
  return text.split('\n\n').map((block) => {
    const properties: Record<string, string> = {};
    for (const line of block.split('\n')) {
      const equals = line.indexOf('=');
      if (equals > 0) properties[line.slice(0, equals)] = line.slice(equals + 1);
    }
    return properties;
  });
}

/** Facts about a timer, from its block and the block of the unit that it starts. */
export function timerFacts(timer: Properties, service: Properties): TimerFacts {
  return {
    service: timer.Unit ?? '',
    timerSub: timer.SubState ?? '',
    serviceActive: service.ActiveState ?? '',
    exitStatus: Number(service.ExecMainStatus ?? 0) || 0,
    lastTriggerUs: parseTimestamp(timer.LastTriggerUSec ?? ''),
    nextRealtimeUs: parseTimestamp(timer.NextElapseUSecRealtime ?? ''),
    nextMonotonicUs: parseTimeSpan(timer.NextElapseUSecMonotonic ?? ''),
  };
}

/** `Fri 2026-11-20 23:49:55 UTC` or `@1781146800` -> microseconds since 1970; 0 for any other text. */
export function parseTimestamp(text: string): number {
  const unix = /^@(\d+(?:\.\d+)?)$/.exec(text)?.[1];
  if (unix !== undefined) return Math.round(Number(unix) * 1_000_000);
  const [, date, time, fraction = ''] = /^\w{3} (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)? UTC$/.exec(text) ?? [];
  const milliseconds = date === undefined ? Number.NaN : Date.parse(`${date}T${time}Z`);
  return Number.isNaN(milliseconds) ? 0 : milliseconds * 1_000 + Math.round(Number(`0${fraction}`) * 1_000_000);
}

/** `1h 15min 44.139058s` -> microseconds; 0 for any other text, such as `infinity`. */
export function parseTimeSpan(text: string): number {
  let total = 0;
  for (const token of text.split(' ')) {
    const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(us|ms|s|min|h|d|w|month|y)$/.exec(token) ?? [];
    if (amount === undefined) return 0;
    total += Math.round(Number(amount) * (spanUnits[unit] ?? 0));
  }
  return total;
}
