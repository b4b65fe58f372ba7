import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SystemdError } from '../../../../../src/agent/errors.ts';
import {
  parseShow,
  parseTimeSpan,
  parseTimestamp,
  parseUnitList,
  timerFacts,
} from '../../../../../src/agent/host/systemd/systemctl-output.ts';

const recording = (name: string): string => readFileSync(`tests/golden/agent/recordings/systemd/${name}`, 'utf8');

test('the names of failed units are the first words of the lines', () => {
  expect(parseUnitList(recording('list-units-failed'))).toEqual([
    'mnt-nope.mount',
    'fail.service',
    'noexec.service',
    'sig.service',
    'tmo.service',
    'tpl@a-b.service',
    'tpl@x.service',
  ]);
  expect(parseUnitList('')).toEqual([]);
});

test('marks of old versions, escapes and garbage among the lines do no harm', () => {
  const output =
    '● a.service loaded failed failed A\n* b\\x2dc.mount loaded failed failed B\n\ufffd\ufffd\n  x.timer loaded\n';

  expect(parseUnitList(output)).toEqual(['a.service', 'b\\x2dc.mount', 'x.timer']);
});

test('lines of which none names a unit are an error', () => {
  expect(() => parseUnitList('Something else entirely\n')).toThrow(SystemdError);
});

test('each unit asked about has its block, in order, duplicates too', () => {
  const blocks = parseShow(recording('show'));

  expect(blocks.map(({ Id, LoadState, SubState, Result }) => [Id, LoadState, SubState, Result])).toEqual([
    ['ok.service', 'loaded', 'running', 'success'],
    ['fail.service', 'loaded', 'failed', 'exit-code'],
    ['nosuch.service', 'not-found', 'dead', 'success'],
    ['cal.timer', 'loaded', 'waiting', 'success'],
    ['mono.timer', 'loaded', 'waiting', 'success'],
    ['daily.timer', 'loaded', 'waiting', 'success'],
    ['both.timer', 'loaded', 'waiting', 'success'],
    ['runs.timer', 'loaded', 'running', 'success'],
    ['past.timer', 'loaded', 'elapsed', 'success'],
    ['masked.service', 'masked', 'dead', 'success'],
    ['ok.service', 'loaded', 'running', 'success'],
    ['bad.service', 'bad-setting', 'dead', 'success'],
    ['tpl@x.service', 'loaded', 'failed', 'exit-code'],
    ['sig.service', 'loaded', 'failed', 'exit-code'],
    ['noexec.service', 'loaded', 'failed', 'exit-code'],
    ['tmo.service', 'loaded', 'failed', 'timeout'],
  ]);
  expect(parseShow(recording('show-user'))).toHaveLength(3);
  expect(parseShow('')).toEqual([]);
});

test('a timer and the service it starts are put together', () => {
  const blocks = parseShow(recording('show'));
  const timer = blocks.find(({ Id }) => Id === 'both.timer') ?? {};
  const service = blocks.find(({ Id }) => Id === 'fail.service') ?? {};

  expect(timerFacts(timer, service)).toEqual({
    service: 'okone.service',
    timerSub: 'waiting',
    serviceActive: 'failed',
    exitStatus: 3,
    lastTriggerUs: 0,
    nextRealtimeUs: Date.UTC(2026, 10, 21) * 1000,
    nextMonotonicUs: (2 * 3600 + 15 * 60 + 40.333_436) * 1_000_000,
  });
});

for (const [text, us] of [
  ['Fri 2026-11-20 23:49:55 UTC', Date.UTC(2026, 10, 20, 23, 49, 55) * 1000],
  ['Fri 2026-11-20 23:49:55.000123 UTC', Date.UTC(2026, 10, 20, 23, 49, 55) * 1000 + 123],
  ['@1781146800', 1_781_146_800_000_000],
  ['@1781146800.5', 1_781_146_800_500_000],
  ['', 0],
  ['n/a', 0],
  ['0', 0],
  ['infinity', 0],
  ['Fri 2026-99-20 23:49:55 UTC', 0],
  ['Fri 2026-11-20 18:49:50 EST', 0],
] as const) {
  test(`the timestamp "${text}" is ${us} microseconds`, () => expect(parseTimestamp(text)).toBe(us));
}

for (const [text, us] of [
  ['1h 15min 44.139058s', 4_544_139_058],
  ['1y 2month 3w 4d 5ms 6us', 31_557_600_000_000 + 5_259_600_000_000 + 1_814_400_000_000 + 345_600_000_000 + 5_006],
  ['0', 0],
  ['infinity', 0],
  ['', 0],
  ['1h and more', 0],
] as const) {
  test(`the time span "${text}" is ${us} microseconds`, () => expect(parseTimeSpan(text)).toBe(us));
}
