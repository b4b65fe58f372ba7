import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStat } from '../../../src/agent/collectors/cpu.ts';
import { parseDiskstats } from '../../../src/agent/collectors/diskstats.ts';
import { parseMountinfo } from '../../../src/agent/collectors/filesystem/mountinfo.ts';
import { realMounts } from '../../../src/agent/collectors/filesystem/real-mounts.ts';
import { parseLoadavg } from '../../../src/agent/collectors/load.ts';
import { parseMeminfo } from '../../../src/agent/collectors/memory.ts';
import { parseNetdev } from '../../../src/agent/collectors/netdev.ts';
import { parsePressure } from '../../../src/agent/collectors/pressure.ts';
import { QueueCount } from '../../../src/agent/collectors/programs/queue-count.ts';
import { parsePeers } from '../../../src/agent/collectors/programs/wg-output.ts';
import { parseZoneStatus } from '../../../src/agent/collectors/programs/zone-status.ts';
import { compareKernelVersions } from '../../../src/agent/collectors/release/kernel-version.ts';
import { nixpkgsDateOf } from '../../../src/agent/collectors/release/nixos-version.ts';
import { parseOsRelease } from '../../../src/agent/collectors/release/os-release.ts';
import { parseBytes } from '../../../src/agent/collectors/units.ts';
import { parseUptime } from '../../../src/agent/collectors/uptime.ts';
import { parseVmstat } from '../../../src/agent/collectors/vmstat.ts';
import { UnparsableSourceError } from '../../../src/agent/errors.ts';
import { codingFor } from '../../../src/agent/http/accept-encoding.ts';
import { parseUnitQuery } from '../../../src/agent/http/unit-names.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';

const RUNS = { numRuns: fuzzRuns(500) };

const recording = (name: string): string => readFileSync(`tests/golden/agent/recordings/${name}`, 'latin1');

const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
const digitOrBreak = fc.constantFrom('0', '9', ' ', '\n', ':', '-', '\\', '.', 'e', 'kB', '99999999999999999999');

const parsers: readonly [name: string, text: string, parse: (text: string) => unknown][] = [
  ['stat', recording('stat'), parseStat],
  ['meminfo', recording('meminfo'), parseMeminfo],
  ['loadavg', recording('loadavg'), parseLoadavg],
  ['uptime', '951042.08 3650114.55\n', parseUptime],
  ['mountinfo', recording('mountinfo-container'), (text) => realMounts(parseMountinfo(text))],
  ['pressure', recording('pressure-io'), (text) => parsePressure(text, 'io')],
  ['vmstat', recording('vmstat'), parseVmstat],
  ['diskstats', recording('diskstats'), parseDiskstats],
  ['net/dev', recording('net-dev'), parseNetdev],
  ['os-release', readFileSync('tests/golden/agent/root/usr/lib/os-release', 'latin1'), parseOsRelease],
  ['limit of memory', '67108864\n', (text) => parseBytes(text, 'memory.max')],
  ['list of handshakes', recording('wg-latest-handshakes'), (text) => parsePeers(text, recording('wg-transfer'))],
  ['list of transfers', recording('wg-transfer'), (text) => parsePeers(recording('wg-latest-handshakes'), text)],
  ['mail queue', recording('postqueue-j'), countQueue],
  ['zone status', recording('zone-status-expired-extended'), withoutNever],
  ['zone status of a primary', recording('zone-status-primary'), withoutNever],
];

for (const [name, text, parse] of parsers) {
  test(`a damaged ${name} gives numbers of zero or more, or is refused by name`, () => {
    fc.assert(
      fc.property(fc.oneof(mutationOf(text), fc.string({ unit: 'binary', maxLength: 400 })), (mutant) => {
        let value: unknown;
        try {
          value = parse(mutant);
        } catch (error) {
          expect(error).toBeInstanceOf(UnparsableSourceError);
          return;
        }
        expect(numbersIn(value).filter((number) => !(number >= 0 && Number.isFinite(number)))).toEqual([]);
      }),
      RUNS,
    );
  });
}

test('the agent never throws on a query of units, and accepted names have only the characters of unit names', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webQueryParameters()), (text) => {
      const value = decodeURIComponent(encodeURIComponent(text.toWellFormed()));
      const query = parseUnitQuery(`unit=${encodeURIComponent(value)}.service&${text}`);
      if (query.ok) expect(value).toMatch(/^[0-9A-Za-z:_.\\@-]+$/);
    }),
    RUNS,
  );
});

test('the agent never throws on a list of codings, and answers in plain text if it has neither gzip nor *', () => {
  const list = fc.oneof(mutationOf('gzip;q=0.5, *;q=0, deflate, x-gzip;q=1.0'), fc.string());
  fc.assert(
    fc.property(list, (header) => {
      const coding = codingFor(header);
      if (!/gzip|\*/i.test(header)) expect(coding).toBe('identity');
    }),
    RUNS,
  );
});

test('versions of kernels, however odd, are in one order, and a day of packages is a day or nothing', () => {
  const version = fc.oneof(
    mutationOf('6.12.117-rc2+deb12-rt-amd64'),
    mutationOf('25.11.20260101.abcdef1'),
    fc.string(),
  );
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(Math.sign(compareKernelVersions(a, b))).toBe(-Math.sign(compareKernelVersions(b, a)) + 0);
      if (compareKernelVersions(a, b) <= 0 && compareKernelVersions(b, c) <= 0) {
        expect(compareKernelVersions(a, c)).toBeLessThanOrEqual(0);
      }
      expect(nixpkgsDateOf(a)).toMatch(/^(\d{8})?$/);
    }),
    RUNS,
  );
});

/** The recording with a few spots overwritten, cut out or filled, and often without its end. */
function mutationOf(text: string): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat(text.length),
    length: fc.nat(6),
    insert: fc.array(fc.oneof(byte, digitOrBreak), { maxLength: 4 }).map((parts) => parts.join('')),
  });
  const end = fc.oneof({ weight: 3, arbitrary: fc.constant(text.length) }, fc.nat(text.length));
  return fc
    .tuple(fc.array(edit, { maxLength: 8 }), end)
    .map(([edits, length]) =>
      edits
        .reduce((mutant, { at, length: cut, insert }) => mutant.slice(0, at) + insert + mutant.slice(at + cut), text)
        .slice(0, length),
    );
}

/** Every number in a value, however deep. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

/** Counts a queue that comes in two pieces, at a time before all its messages. */
function countQueue(text: string): unknown {
  const count = new QueueCount();
  const bytes = Buffer.from(text, 'latin1');
  count.take(bytes.subarray(0, bytes.length / 2));
  count.take(bytes.subarray(bytes.length / 2));
  return { ...count.finish(1000), badLines: count.badLines };
}

/** Zones with the one negative number they may have taken out. */
function withoutNever(text: string): unknown {
  return parseZoneStatus(text).map(({ expiresInSec, ...zone }) =>
    expiresInSec === -1 ? zone : { ...zone, expiresInSec },
  );
}
