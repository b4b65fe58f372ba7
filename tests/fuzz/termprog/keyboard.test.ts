import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseComposeLine } from '../../../src/termprog/input/compose/compose-line.ts';
import { ComposeTable } from '../../../src/termprog/input/compose/compose-table.ts';
import { Composer } from '../../../src/termprog/input/compose/composer.ts';
import { encodeKey } from '../../../src/termprog/input/key-encoder.ts';
import { keyModifiers } from '../../../src/termprog/input/key-modifiers.ts';
import { encodeKittyKey } from '../../../src/termprog/input/kitty.ts';
import { XkbKeymap } from '../../../src/termprog/input/xkb-keymap.ts';
import { readMap } from '../../../src/termprog/x11/xkb.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';

const RUNS = fuzzRuns(500);

const word = fc.constantFrom(
  '<a>',
  '<Multi_key>',
  '<dead_acute>',
  '<',
  '>',
  ':',
  '"x"',
  '"\\',
  '\\xff',
  'Ctrl',
  '!',
  '~',
  'None',
  'eacute',
  'include',
  '#',
  ' ',
);
const line = fc.oneof(
  fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

test('any line of a Compose file is a sequence, an include, nothing or a fault, and sequences can be typed', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const table = new ComposeTable();
      const typed: number[][] = [];
      for (const parsed of lines.map(parseComposeLine)) {
        if (parsed.kind === 'problem') expect(parsed.problem).not.toBe('');
        if (parsed.kind !== 'sequence') continue;
        table.add(parsed.keys, parsed.result);
        typed.push(parsed.keys.map(({ keysym }) => keysym));
      }
      const composer = new Composer(table);
      for (const keysym of typed.flat()) expect(['passes', 'taken', 'made']).toContain(composer.press(keysym, 0).kind);
    }),
    { numRuns: RUNS },
  );
});

test('any answer about the keyboard is a map or refused, and each key of a map sends some text', () => {
  const modes = {
    applicationCursorKeys: true,
    applicationKeypad: true,
    backarrowIsBackspace: true,
    altNumLockModifiers: true,
    altSendsEscape: false,
    metaSendsEscape: true,
    metaSetsEighthBit: true,
    modified: { cursorKeys: 3, functionKeys: -1, keypadKeys: 0, otherKeys: 2, formatOtherKeys: 1 },
  };
  const numbers = fc.record({
    types: fc.integer({ min: 0, max: 6 }),
    keys: fc.integer({ min: 0, max: 40 }),
    flags: fc.integer({ min: 0, max: 31 }),
    state: fc.integer({ min: 0, max: 0xffff }),
  });
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 2000 }), numbers, (bytes, { types, keys, flags, state }) => {
      const body = Buffer.from(bytes);
      body[7] = types;
      body[12] = keys;
      let map: ReturnType<typeof readMap>;
      try {
        map = readMap(body);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return;
      }
      const keymap = new XkbKeymap(map);
      const modifiers = keyModifiers(keymap.modifiers, state);
      for (let keycode = 0; keycode < 256; keycode += 1) {
        const keysym = keymap.keysym(keycode, state);
        expect(typeof encodeKey(keysym, modifiers, modes)).toBe('string');
        const stroke = {
          keycode,
          keysym,
          plainKeysym: keymap.plainKeysym(keycode, state),
          shiftedKeysym: keymap.shiftedKeysym(keycode, state),
          modifiers,
          action: 'press',
        } as const;
        expect(['string', 'undefined']).toContain(typeof encodeKittyKey(stroke, flags));
      }
    }),
    { numRuns: RUNS },
  );
});
