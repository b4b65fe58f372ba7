import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStat } from '../../../src/agent/collectors/cpu.ts';
import { parseMountinfo } from '../../../src/agent/collectors/filesystem/mountinfo.ts';
import { realMounts } from '../../../src/agent/collectors/filesystem/real-mounts.ts';
import { parseLoadavg } from '../../../src/agent/collectors/load.ts';
import { parseMeminfo } from '../../../src/agent/collectors/memory.ts';
import { parseUptime } from '../../../src/agent/collectors/uptime.ts';
import { UnparsableSourceError } from '../../../src/agent/errors.ts';
import { parseUnitQuery } from '../../../src/agent/http/unit-names.ts';

const RUNS = { numRuns: 500 };

const recording = (name: string): string => readFileSync(`tests/golden/agent/recordings/${name}`, 'latin1');

const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
const digitOrBreak = fc.constantFrom('0', '9', ' ', '\n', ':', '-', '\\', '.', 'e', 'kB', '99999999999999999999');

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

const parsers: readonly [name: string, text: string, parse: (text: string) => unknown][] = [
  ['stat', recording('stat'), parseStat],
  ['meminfo', recording('meminfo'), parseMeminfo],
  ['loadavg', recording('loadavg'), parseLoadavg],
  ['uptime', '951042.08 3650114.55\n', parseUptime],
  ['mountinfo', recording('mountinfo-container'), (text) => realMounts(parseMountinfo(text))],
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

test('no query of units makes the agent throw, and what it accepts holds only the characters of unit names', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webQueryParameters()), (text) => {
      const value = decodeURIComponent(encodeURIComponent(text.toWellFormed()));
      const query = parseUnitQuery(`unit=${encodeURIComponent(value)}.service&${text}`);
      if (query.ok) expect(value).toMatch(/^[0-9A-Za-z:_.\\@-]+$/);
    }),
    RUNS,
  );
});
