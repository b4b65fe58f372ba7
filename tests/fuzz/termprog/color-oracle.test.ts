import fc from 'fast-check';
import { expect } from 'vitest';
import { parseColor } from '../../../src/termprog/color/parse-color.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { needs } from '../../harness/needs.ts';
import { startXDesktop } from '../../harness/start-termprog.ts';
import { askLibrary } from '../../harness/x-colors/oracle.ts';

const COLORS = fuzzRuns(4_000);

/** On the axes of a space the last bit of a number decides which colour it is. */
const between = (min: number, max: number) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.double({ min, max, noNaN: true }).map((value) => value.toFixed(4)) },
    { weight: 1, arbitrary: fc.constantFrom('0', `${min}`, `${max}`) },
  );
const triple = (prefix: string, bounds: readonly (readonly [number, number])[]) =>
  fc.tuple(...bounds.map(([min, max]) => between(min, max))).map((values) => `${prefix}:${values.join('/')}`);
const part = [0, 1] as const;
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length });
const spec = fc.oneof(
  fc.constantFrom(1, 2, 3, 4).chain((digits) => hex(3 * digits).map((text) => `#${text}`)),
  fc
    .array(fc.constantFrom(1, 2, 3, 4).chain(hex), { minLength: 3, maxLength: 3 })
    .map((fields) => `rgb:${fields.join('/')}`),
  triple('rgbi', [part, part, part]),
  triple('CIEXYZ', [part, part, part]),
  triple('CIEuvY', [part, part, part]),
  triple('CIExyY', [part, part, part]),
  triple('CIELab', [
    [0, 100],
    [-100, 100],
    [-100, 100],
  ]),
  triple('CIELuv', [
    [0, 100],
    [-100, 100],
    [-100, 100],
  ]),
  triple('TekHVC', [
    [-400, 400],
    [0, 100],
    [0, 100],
  ]),
  // These values are outside of a space, or are not numbers.
  triple('CIExyY', [
    [-1, 2],
    [-1, 2],
    [-1, 2],
  ]),
  triple('TekHVC', [
    [0, 360],
    [-10, 110],
    [-10, 10],
  ]),
);

needs('headers of libXt')('a colour by numbers is the one that libX11 makes of it', async () => {
  await using desktop = await startXDesktop();
  const specs = fc.sample(spec, { numRuns: COLORS, seed: fc.readConfigureGlobal().seed ?? 0 });

  const theirs = askLibrary(specs, desktop.environment);

  const differing = specs.flatMap((text, index) => {
    const { red, green, blue } = parseColor(text) ?? {};
    const ours = red === undefined ? undefined : [red, green ?? 0, blue ?? 0];
    const expected = theirs[index] === undefined ? undefined : [...Buffer.from(theirs[index] ?? '', 'hex')];
    return `${ours}` === `${expected}` ? [] : [{ text, ours, expected }];
  });
  console.log(`${specs.length} colours compared with libX11`);
  expect(differing).toEqual([]);
});
