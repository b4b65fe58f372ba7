import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Titles } from '../../../../../src/termprog/window/desktop/titles.ts';
import type { WindowAtoms } from '../../../../../src/termprog/window/desktop/window-atoms.ts';
import { optionsWith } from '../../options/options-with.ts';

const atoms = new Proxy({}, { get: (_, name) => String(name) }) as unknown as WindowAtoms;

test('a title is written in the old property and in that of UTF-8', () => {
  const { show, properties } = start();
  show('title', 'naïve');
  show('iconName', 'Жук');
  expect(properties).toEqual({
    'wmName(string)': 'naïve',
    'netWmName(utf8String)': 'naïve',
    'wmIconName(utf8String)': 'Жук',
    'netWmIconName(utf8String)': 'Жук',
  });
});

test('a flood of titles is written once a frame, the last one', () => {
  const { titles, properties, writes } = start();
  for (let number = 0; number < 10_000; number += 1) titles.set('title', `title ${number}`);
  expect(writes()).toBe(0);
  titles.flush();
  titles.flush();
  expect([writes(), properties['wmName(string)']]).toEqual([2, 'title 9999']);
});

test('without UTF-8 titles the old property alone is written', () => {
  const { show, properties } = start({ utf8Title: 'false' });
  show('title', 'x');
  expect(Object.keys(properties)).toEqual(['wmName(string)']);
});

test('utf8Title takes effect live: the property comes and goes', () => {
  const { titles, show, options, properties } = start({ utf8Title: 'false' });
  show('title', 'x');
  options.set('utf8Title', 'true');
  titles.flush();
  expect(properties).toEqual({ 'wmName(string)': 'x', 'netWmName(utf8String)': 'x' });
  options.set('utf8Title', 'false');
  titles.flush();
  expect(properties).toEqual({ 'wmName(string)': 'x' });
});

test('the label requested last is skipped when it is requested again, as long as sameName says so', () => {
  const { show, options, writes } = start();
  show('title', 'x');
  show('title', 'x');
  expect(writes()).toBe(2);
  options.set('sameName', false);
  show('title', 'x');
  expect(writes()).toBe(4);
});

test('titles have no control character, and at most 4,096 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { show, properties } = start();
      show('title', text.repeat(200));
      expect(Object.values(properties).some((value) => /\p{Cc}/u.test(value) || value.length > 4_096)).toBe(false);
    }),
  );
});

test('a label that can’t be written is given up, and the others are written', () => {
  const { titles, properties, refused } = start();
  refused.add('wmName');
  titles.set('title', 'lost');
  titles.set('iconName', 'kept');
  expect(() => titles.flush()).toThrow('no wmName');
  titles.flush();
  expect(titles.isDue).toBe(false);
  expect(Object.values(properties)).toEqual(['kept', 'kept']);
});

/** Starts the titles of a window, with the properties that a window manager would read, as `property(type)` -> text. */
function start(values: Record<string, string> = {}) {
  const properties: Record<string, string> = {};
  const refused = new Set<string>();
  let writes = 0;
  const client = {
    ChangeProperty: (_mode: number, _window: number, name: unknown, type: unknown, _format: number, data: unknown) => {
      if (refused.has(String(name))) throw new Error(`no ${name}`);
      writes += 1;
      properties[`${name}(${type})`] = (data as Buffer).toString(type === 'string' ? 'latin1' : 'utf8');
    },
    DeleteProperty: (_window: number, name: unknown) => {
      for (const key of Object.keys(properties)) if (key.startsWith(`${name}(`)) delete properties[key];
    },
  };
  const options = optionsWith(values);
  const titles = new Titles({ client, window: 1, atoms, options, isUtf8Locale: true, request: () => {} });
  const show = (kind: 'title' | 'iconName', label: string): void => {
    titles.set(kind, label);
    titles.flush();
  };
  return { titles, show, options, properties, refused, writes: () => writes };
}
