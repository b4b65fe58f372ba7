import { expect, test } from 'vitest';
import { keysymNamed } from '../../../../src/termprog/input/keysyms.ts';
import { DEFAULT_TRANSLATIONS } from '../../../../src/termprog/translations/default-translations.ts';
import { FIXED_MASKS, matchBinding } from '../../../../src/termprog/translations/matcher.ts';
import { parseTranslations } from '../../../../src/termprog/translations/parser.ts';

const masks = { ...FIXED_MASKS, Alt: 8, Meta: 8, Super: 64, Hyper: 0, '@Num_Lock': 16 };
const { Shift, Ctrl, Lock, Button1, Mod1 } = FIXED_MASKS;
const NUM_LOCK = 16;

function press(
  table: string,
  event: 'KeyPress' | 'ButtonPress' | 'ButtonRelease',
  detail: string | number,
  state: number,
) {
  const { bindings } = parseTranslations(table, keysymNamed);
  const details = [typeof detail === 'number' ? detail : (keysymNamed(detail) ?? 0)];
  return matchBinding(bindings, { event, state, details }, masks)?.map(
    ({ action, parameters }) => `${action}(${parameters.join()})`,
  );
}

/** @spec termprog#default-translations */
for (const [event, detail, state, expected] of [
  ['KeyPress', 'KP_Add', Shift, 'larger-vt-font()'],
  ['KeyPress', 'KP_Add', Shift | Ctrl, 'smaller-vt-font()'],
  ['KeyPress', 'KP_Subtract', Shift, 'smaller-vt-font()'],
  ['KeyPress', 'Insert', Shift, 'insert-selection(SELECT,CUT_BUFFER0)'],
  ['KeyPress', 'Prior', Shift, 'scroll-back(1,halfpage)'],
  ['KeyPress', 'Next', Shift, 'scroll-forw(1,halfpage)'],
  ['KeyPress', 'Up', Shift | Ctrl, 'previous-prompt()'],
  ['KeyPress', 'Down', Shift | Ctrl, 'next-prompt()'],
  ['KeyPress', 'g', Shift | Ctrl, 'pipe-command-output()'],
  ['KeyPress', 'f', Shift | Ctrl, 'start-search()'],
  ['KeyPress', 'Prior', 0, undefined],
  ['KeyPress', 'a', 0, undefined],
  ['ButtonPress', 1, Ctrl, 'popup-menu(mainMenu)'],
  ['ButtonPress', 2, Ctrl | Lock, 'popup-menu(vtMenu)'],
  ['ButtonPress', 3, Ctrl | NUM_LOCK, 'popup-menu(fontMenu)'],
  ['ButtonPress', 3, Ctrl | NUM_LOCK | Lock, 'popup-menu(fontMenu)'],
  ['ButtonPress', 1, Shift, 'hyperlink-start()'],
  ['ButtonPress', 1, 0, 'select-start()'],
  ['ButtonPress', 1, Ctrl | Shift, 'select-start()'],
  ['ButtonPress', 1, Mod1, 'select-start(block)'],
  ['ButtonPress', 2, 0, 'mouse-press()'],
  ['ButtonRelease', 2, 0, 'insert-selection(SELECT,CUT_BUFFER0)'],
  ['ButtonPress', 3, 0, 'start-extend()'],
  ['ButtonRelease', 1, Button1, 'select-end(SELECT,CUT_BUFFER0)'],
  ['ButtonPress', 4, Ctrl, 'scroll-back(1,halfpage,m)'],
  ['ButtonPress', 4, 0, 'scroll-back(5,line,m)'],
  ['ButtonPress', 5, Ctrl | Lock, 'scroll-forw(1,halfpage,m)'],
  ['ButtonPress', 5, NUM_LOCK, 'scroll-forw(5,line,m)'],
] as const) {
  test(`${event} ${detail} with modifiers ${state} is ${expected ?? 'not bound'}`, () => {
    expect(press(DEFAULT_TRANSLATIONS, event, detail, state)?.[0]).toBe(expected);
  });
}

test('the first line that fits takes the event', () => {
  expect(press('<Key>a: one()\n<Key>: two()', 'KeyPress', 'a', 0)).toEqual(['one()']);
  expect(press('<Key>: two()\n<Key>a: one()', 'KeyPress', 'a', 0)).toEqual(['two()']);
});

test('modifiers that are not named do not matter, unless the line is exact', () => {
  expect(press('Shift<Key>a: x()', 'KeyPress', 'a', Shift | Ctrl | Lock)).toEqual(['x()']);
  expect(press('!Shift<Key>a: x()', 'KeyPress', 'a', Shift | Ctrl)).toBeUndefined();
});

test('a modifier the keyboard does not have is never held', () => {
  expect(press('Hyper<Key>a: x()', 'KeyPress', 'a', 0xff)).toBeUndefined();
  expect(press('~Hyper<Key>a: x()', 'KeyPress', 'a', 0xff)).toEqual(['x()']);
});
