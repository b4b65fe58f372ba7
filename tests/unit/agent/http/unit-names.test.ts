import { expect, test } from 'vitest';
import { parseUnitQuery } from '../../../../src/agent/http/unit-names.ts';

const asked = (...names: string[]): string => names.map((name) => `unit=${encodeURIComponent(name)}`).join('&');

for (const name of [
  'nginx.service',
  'a@b@c.timer',
  '-.mount',
  '--help.service',
  'dev-disk-by\\x2duuid-1.device',
  '..service',
  `${'x'.repeat(247)}.service`,
]) {
  test(`${name.slice(0, 40)} is a unit name`, () => {
    expect(parseUnitQuery(asked(name))).toEqual({ ok: true, questions: [{ name, manager: 'system' }] });
  });
}

for (const name of [
  '',
  'nginx',
  '../../etc/passwd',
  'a/b.service',
  '*',
  '*.service',
  '\0.service',
  '--help',
  'template@.service',
  '@a.service',
  '.service',
  'a b.service',
  'é.service',
  'a.snapshot',
  'a.service\n',
  `${'x'.repeat(248)}.service`,
]) {
  test(`${JSON.stringify(name.slice(0, 40))} is refused and repeated at most in part`, () => {
    expect(parseUnitQuery(asked(name))).toEqual({
      ok: false,
      refusal: { error: 'invalid unit name', unit: name.slice(0, 64) },
    });
  });
}

test('user units count and are checked like system units', () => {
  expect(parseUnitQuery('unit=a.service&userUnit=b.timer')).toMatchObject({ questions: { length: 2 } });
  expect(parseUnitQuery('unit=a.service&userUnit=b')).toMatchObject({ ok: false });
});

test('64 names are answered, also the same one, and 65 are refused', () => {
  const names = Array<string>(64).fill('a.service');

  expect(parseUnitQuery(asked(...names))).toMatchObject({ ok: true, questions: { length: 64 } });
  expect(parseUnitQuery(`${asked(...names)}&userUnit=b.service`)).toEqual({
    ok: false,
    refusal: { error: 'too many unit names', limit: 64 },
  });
});

test('other parameters are not looked at', () => {
  expect(parseUnitQuery('x=1&units=a')).toEqual({ ok: true, questions: [] });
});

test('both parameters are asked in the order of the query', () => {
  expect(parseUnitQuery('userUnit=b.timer&unit=a.service&userUnit=b.timer')).toEqual({
    ok: true,
    questions: [
      { name: 'b.timer', manager: 'user' },
      { name: 'a.service', manager: 'system' },
      { name: 'b.timer', manager: 'user' },
    ],
  });
});
