import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ReportCpuTimes } from '../../../../schemas/report.ts';
import { parseStat, withoutStepsBack } from '../../../../src/agent/collectors/cpu.ts';

const times = (changes: Partial<ReportCpuTimes>): ReportCpuTimes => ({
  cpu: 0,
  user: 10,
  nice: 0,
  system: 5,
  idle: 100,
  iowait: 2,
  irq: 0,
  softirq: 1,
  steal: 0,
  ...changes,
});

test('a recorded machine has seconds per CPU and mode, and its boot time', () => {
  const { cpus, bootTime } = parseStat(readFileSync('tests/golden/agent/recordings/stat', 'utf8'));

  expect(bootTime).toBe(1795217641);
  expect(cpus).toEqual([
    times({ user: 417.43, system: 85.42, idle: 1057.38, iowait: 4.56, softirq: 1.2, steal: 2.36 }),
    times({ cpu: 1, user: 515.45, system: 95.77, idle: 935.35, iowait: 16.51, softirq: 4.35, steal: 2.3 }),
  ]);
});

test('columns an old kernel does not have are zero', () => {
  const { cpus } = parseStat('cpu  4 3 2 1\ncpu0 400 300 200 100\nbtime 5\n');

  expect(cpus).toEqual([times({ user: 4, nice: 3, system: 2, idle: 1, iowait: 0, softirq: 0 })]);
});

test('a last line that was cut off is not read', () => {
  const { cpus, bootTime } = parseStat('cpu  1 1 1 1\ncpu0 1 1 1 1\ncpu1 1 1');

  expect(cpus.map(({ cpu }) => cpu)).toEqual([0]);
  expect(bootTime).toBeUndefined();
});

test('a boot time that was cut off is not read', () => {
  expect(parseStat('cpu0 1 1 1 1\nbtime 179').bootTime).toBeUndefined();
});

for (const [why, text] of [
  ['no CPU', 'cpu  1 1 1 1\nbtime 5\n'],
  ['words for ticks', 'cpu0 a b c d\n'],
  ['negative ticks', 'cpu0 1 -1 1 1\n'],
  ['a word for the number of a CPU', 'cpux 1 1 1 1\n'],
  ['a CPU twice', 'cpu0 1 1 1 1\ncpu0 1 1 1 1\n'],
  ['a CPU no machine has', 'cpu1000001 1 1 1 1\n'],
] as const) {
  test(`a file with ${why} is refused`, () => {
    expect(() => parseStat(text)).toThrow('could not understand /proc/stat');
  });
}

test('a mode that steps back keeps its last value, the others go on', () => {
  const kept = withoutStepsBack([times({})], [times({ idle: 98, iowait: 1.9, user: 11 })]);

  expect(kept).toEqual([times({ user: 11 })]);
});

test('idle time that falls by three seconds or more starts the CPU anew', () => {
  const replugged = times({ user: 1, system: 1, idle: 97, iowait: 0, softirq: 0 });

  expect(withoutStepsBack([times({})], [replugged])).toEqual([replugged]);
});

test('a CPU that has gone is forgotten, one that comes is taken as it is', () => {
  const kept = withoutStepsBack([times({}), times({ cpu: 1 })], [times({ cpu: 1 }), times({ cpu: 2, idle: 3 })]);

  expect(kept).toEqual([times({ cpu: 1 }), times({ cpu: 2, idle: 3 })]);
});
