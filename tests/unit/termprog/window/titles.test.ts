import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Titles } from '../../../../src/termprog/window/titles.ts';
import type { WindowAtoms } from '../../../../src/termprog/window/window-atoms.ts';
import type { XConnection } from '../../../../src/termprog/x11/connection.ts';

const atoms = new Proxy({}, { get: (_, name) => String(name) }) as unknown as WindowAtoms;

/** What a window manager would read, as `property(type)` -> text. */
function start(settings: Partial<ConstructorParameters<typeof Titles>[3]> = {}) {
  const properties: Record<string, string> = {};
  let writes = 0;
  const client = {
    ChangeProperty: (_mode: number, _window: number, property: string, type: string, _format: number, data: Buffer) => {
      writes += 1;
      properties[`${property}(${type})`] = data.toString(type === 'string' ? 'latin1' : 'utf8');
    },
  };
  const connection = { client } as unknown as XConnection;
  const titles = new Titles(connection, 1, atoms, {
    mayChange: true,
    skipRepeated: true,
    writeUtf8: true,
    ...settings,
  });
  return { titles, properties, writes: () => writes };
}

test('a title is written in the old property and in that of UTF-8', () => {
  const { titles, properties } = start();
  titles.request('title', 'naïve');
  titles.request('iconName', 'Жук');
  expect(properties).toEqual({
    'wmName(string)': 'naïve',
    'netWmName(utf8String)': 'naïve',
    'wmIconName(utf8String)': 'Жук',
    'netWmIconName(utf8String)': 'Жук',
  });
});

test('without UTF-8 titles the old property alone is written', () => {
  const { titles, properties } = start({ writeUtf8: false });
  titles.request('title', 'x');
  expect(Object.keys(properties)).toEqual(['wmName(string)']);
});

test('the label requested last is skipped when it is requested again', () => {
  const { titles, writes } = start();
  titles.request('title', 'x');
  titles.request('title', 'x');
  expect(writes()).toBe(2);
  const always = start({ skipRepeated: false });
  always.titles.request('title', 'x');
  always.titles.request('title', 'x');
  expect(always.writes()).toBe(4);
});

test('applications change nothing where they may not', () => {
  const { titles, properties } = start({ mayChange: false });
  titles.set('title', 'configured');
  titles.request('title', 'requested');
  expect(properties['wmName(string)']).toBe('configured');
});

test('no title carries a control character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { titles, properties } = start();
      titles.request('title', text);
      expect(Object.values(properties).some((value) => /\p{Cc}/u.test(value))).toBe(false);
    }),
  );
});
