import { expect, test } from 'vitest';
import { ResourceDatabase } from '../../../../src/termprog/xresource/resource-database.ts';
import { parseResources } from '../../../../src/termprog/xresource/resource-syntax.ts';

/** The value `term.vt100.font` has by the lines. */
function lookup(lines: readonly string[], resource = 'font', resourceClass = 'Font'): string | undefined {
  const database = new ResourceDatabase();
  for (const entry of parseResources(lines.join('\n'))) database.put(entry, 'test');
  return database.lookup({ names: ['term', 'vt100', resource], classes: ['Term', 'VT100', resourceClass] })?.value;
}

/** Lines in ascending order: each is weaker than every later one, in any order of loading; as libX11 documents. */
const weakestFirst = [
  '*Font',
  '*font',
  '*VT100.Font',
  '*VT100.font',
  '*vt100.Font',
  '*vt100*font',
  '*vt100.font',
  '?*Font',
  '?.vt100.font',
  'Term*font',
  'Term*vt100.font',
  'Term.vt100.font',
  'term*font',
  'term*?.font',
  'term.?.font',
  'term*VT100.Font',
  'term.VT100.Font',
  'term.VT100.font',
  'term*vt100.font',
  'term.vt100.Font',
  'term.vt100*font',
  'term.vt100.font',
] as const;

for (const [index, stronger] of weakestFirst.entries()) {
  const weaker = weakestFirst[index - 1];
  if (weaker === undefined) continue;
  test(`${stronger} is stronger than ${weaker}, in either order`, () => {
    expect(lookup([`${weaker}: weak`, `${stronger}: strong`])).toBe('strong');
    expect(lookup([`${stronger}: strong`, `${weaker}: weak`])).toBe('strong');
  });
}

test('the leftmost level decides over any number of better fits behind it', () => {
  const lines = [
    '*font: 1',
    'Term*font: 2',
    'term*font: 3',
    '*vt100.font: 4',
    'Term.vt100.font: 5',
    'term*VT100.Font: 6',
  ];
  expect(lookup(lines)).toBe('6');
});

test('a question mark stands for one level of any name', () => {
  expect(lookup(['?.vt100.color1: one level', '*color1: any'], 'color1', 'Color1')).toBe('one level');
  expect(lookup(['term.?.color2: one level', 'term*color2: any'], 'color2', 'Color2')).toBe('one level');
  expect(lookup(['?.font: too short'])).toBeUndefined();
  expect(lookup(['term.vt100.?: the resource itself is not a level'])).toBeUndefined();
});

test('a tight binding spans no level and a loose one any number', () => {
  expect(lookup(['term.font: tight'])).toBeUndefined();
  expect(lookup(['term*font: loose'])).toBe('loose');
  expect(lookup(['font: tight at the top'])).toBeUndefined();
  expect(lookup(['*term*vt100*font: loose everywhere'])).toBe('loose everywhere');
});

test('names are compared with regard to case', () => {
  expect(lookup(['TERM*font: no', 'term*FONT: no'])).toBeUndefined();
});

test('a later line with the same specifier replaces an earlier one', () => {
  expect(lookup(['term*font: first', 'term*font: second'])).toBe('second');
});

test('a lookup costs the same among many resources as among few', () => {
  const steps = (count: number): number => {
    const database = new ResourceDatabase();
    const lines = Array.from({ length: count }, (_, index) => `*a${index}: 1\n*a${index}*font: 2\na${index}.font: 3`);
    for (const entry of parseResources(lines.join('\n'))) database.put(entry, 'test');
    let reads = 0;
    const counted = (levels: string[]): string[] =>
      new Proxy(levels, {
        get: (target, key, receiver) => {
          reads += 1;
          return Reflect.get(target, key, receiver);
        },
      });
    const path = { names: counted(['term', 'vt100', 'font']), classes: counted(['Term', 'VT100', 'Font']) };
    expect(database.lookup(path)).toBeUndefined();
    return reads;
  };
  expect(steps(2_000)).toBe(steps(2));
});

test('a resource is found among thousands of others', () => {
  const others = Array.from({ length: 3_000 }, (_, index) => `*other${index}: 1`);
  expect(lookup(['term*font: first', ...others])).toBe('first');
  expect(lookup([...others, 'Term*Font: last'])).toBe('last');
  expect(lookup(others)).toBeUndefined();
});

test('the names that objects have in common are names like others', () => {
  expect(lookup(['*__proto__: a', 'constructor*font: b', 'term*toString.font: c'])).toBeUndefined();
  expect(lookup(['term.vt100.constructor: d'], 'constructor', 'Constructor')).toBe('d');
});
