import { expect, test } from 'vitest';
import { DEFAULT_TRANSLATIONS } from '../../../../src/termprog/translations/default-translations.ts';
import { MODIFIER_BITS } from '../../../../src/termprog/translations/event-pattern.ts';
import { processorMs } from '../../../harness/processor-time.ts';
import { keyboardOf, translate } from './translated.ts';

const { Shift, Ctrl, Lock, Mod1, Mod5, Button1, Button2 } = MODIFIER_BITS;
const NUM_LOCK = MODIFIER_BITS.Mod2;
/** State bits of the second group of the keyboard. */
const SECOND_GROUP = 1 << 13;

const KEYS = {
  a: 38,
  b: 56,
  g: 42,
  f: 41,
  one: 10,
  e: 26,
  Prior: 112,
  Next: 117,
  Up: 111,
  Down: 116,
  Insert: 118,
  KP_Add: 86,
  KP_Subtract: 82,
  KP_Home: 79,
  Shift_L: 50,
} as const;

/** Letters have Cyrillic ones in their second group, and e the euro sign on its third level. */
const rows = new Map<number, number[]>([
  [KEYS.a, [0x61, 0x41, 0x6c6, 0x6e6]],
  [KEYS.b, [0x62, 0x42]],
  [KEYS.g, [0x67, 0x47]],
  [KEYS.f, [0x66, 0x46]],
  [KEYS.one, [0x31, 0x21]],
  [KEYS.e, [0x65, 0x45, 0x65, 0x45, 0x20ac]],
  [KEYS.Prior, [0xff55]],
  [KEYS.Next, [0xff56]],
  [KEYS.Up, [0xff52]],
  [KEYS.Down, [0xff54]],
  [KEYS.Insert, [0xff63]],
  [KEYS.KP_Add, [0xffab]],
  [KEYS.KP_Subtract, [0xffad]],
  [KEYS.KP_Home, [0xff95, 0xffb7]],
  [KEYS.Shift_L, [0xffe1]],
  [66, [0xffe5]],
  [64, [0xffe9, 0xffe7]],
  [77, [0xff7f]],
  [133, [0xffeb]],
  [108, [0xfe03]],
]);
const keyboard = keyboardOf(rows, [[KEYS.Shift_L], [66], [37], [64], [77], [], [133], [108]]);
/** A keyboard that has Alt alone of these modifiers. */
const poorKeyboard = keyboardOf(new Map([...rows, [64, [0xffe9]]]), [[KEYS.Shift_L], [66], [37], [64], [], [], [], []]);

const press = (table: string, key: keyof typeof KEYS, state: number) =>
  translate(table, '', keyboard)('KeyPress', KEYS[key], state, 0);

/** @spec termprog#default-translations */
for (const [event, detail, state, expected] of [
  ['KeyPress', 'KP_Add', Shift, 'larger-vt-font()'],
  ['KeyPress', 'KP_Add', Shift | Lock, 'larger-vt-font()'],
  ['KeyPress', 'KP_Add', Shift | Ctrl, 'smaller-vt-font()'],
  ['KeyPress', 'KP_Subtract', Shift, 'smaller-vt-font()'],
  ['KeyPress', 'Insert', Shift, 'insert-selection([SELECT],[CUT_BUFFER0])'],
  ['KeyPress', 'Insert', Shift | NUM_LOCK, 'insert-selection([SELECT],[CUT_BUFFER0])'],
  ['KeyPress', 'Prior', Shift, 'scroll-back([1],[halfpage])'],
  ['KeyPress', 'Next', Shift, 'scroll-forw([1],[halfpage])'],
  ['KeyPress', 'Up', Shift | Ctrl, 'previous-prompt()'],
  ['KeyPress', 'Down', Shift | Ctrl, 'next-prompt()'],
  ['KeyPress', 'g', Shift | Ctrl, 'pipe-command-output()'],
  ['KeyPress', 'g', Shift | Ctrl | Lock, 'pipe-command-output()'],
  ['KeyPress', 'f', Shift | Ctrl, 'start-search()'],
  ['KeyPress', 'f', Shift | Ctrl | SECOND_GROUP, 'start-search()'],
  ['KeyPress', 'f', Ctrl, undefined],
  ['KeyPress', 'Prior', 0, undefined],
  ['KeyPress', 'a', 0, undefined],
  ...[0, Lock, NUM_LOCK, Lock | NUM_LOCK].flatMap((locks) => [
    ['ButtonPress', 1, Ctrl | locks, 'popup-menu([mainMenu])'] as const,
    ['ButtonPress', 2, Ctrl | locks, 'popup-menu([vtMenu])'] as const,
    ['ButtonPress', 3, Ctrl | locks, 'popup-menu([fontMenu])'] as const,
    ['ButtonPress', 4, Ctrl | locks, 'scroll-back([1],[halfpage],[m])'] as const,
    ['ButtonPress', 5, Ctrl | locks, 'scroll-forw([1],[halfpage],[m])'] as const,
    ['ButtonPress', 4, locks, 'scroll-back([5],[line],[m])'] as const,
    ['ButtonPress', 5, locks, 'scroll-forw([5],[line],[m])'] as const,
  ]),
  ['ButtonPress', 1, Ctrl | SECOND_GROUP, 'popup-menu([mainMenu])'],
  ['ButtonPress', 1, Shift, 'hyperlink-start()'],
  ['ButtonPress', 1, 0, 'select-start()'],
  ['ButtonPress', 1, Ctrl | Shift, 'select-start()'],
  ['ButtonPress', 1, Mod1, 'select-start([block])'],
  ['ButtonPress', 1, Mod1 | Shift, 'select-start([block])'],
  ['ButtonPress', 2, 0, 'mouse-press()'],
  ['ButtonPress', 2, Mod1, 'mouse-press()'],
  ['ButtonPress', 3, Ctrl | Shift, 'mouse-press()'],
  ['ButtonRelease', 2, Button2, 'insert-selection([SELECT],[CUT_BUFFER0])'],
  ['ButtonRelease', 2, Button2 | Ctrl, 'select-end([SELECT],[CUT_BUFFER0])'],
  ['ButtonPress', 3, 0, 'start-extend()'],
  ['ButtonRelease', 1, Button1, 'select-end([SELECT],[CUT_BUFFER0])'],
  ['ButtonPress', 7, 0, 'mouse-press()'],
  ['MotionNotify', 0, Button1, 'mouse-motion() select-extend()'],
  ['MotionNotify', 0, 0, undefined],
] as const) {
  test(`${event} ${detail} with modifiers ${state} is ${expected ?? 'not bound'}`, () => {
    const which = typeof detail === 'number' ? detail : KEYS[detail];
    expect(translate(DEFAULT_TRANSLATIONS, '', keyboard)(event, which, state, 0)).toBe(expected);
  });
}

test('the first line that fits takes the event', () => {
  expect(press('<Key>a: one()\n<Key>: two()', 'a', 0)).toBe('one()');
  expect(press('<Key>: two()\n<Key>a: one()', 'a', 0)).toBe('two()');
});

test('modifiers that are not named do not matter, unless the line is exact', () => {
  expect(press('Shift<Key>a: x()', 'a', Shift | Ctrl | Lock)).toBe('x()');
  expect(press('!Shift<Key>a: x()', 'a', Shift | Ctrl)).toBeUndefined();
  expect(press('!Shift<Key>a: x()', 'a', Shift)).toBe('x()');
  expect(press('None<Key>a: x()', 'a', Lock)).toBeUndefined();
  expect(press('Any<Key>a: x()', 'a', Lock | Ctrl)).toBe('x()');
});

test('an exact line counts modifiers and buttons, and not the group of the keyboard', () => {
  expect(press('!<Key>b: x()', 'b', SECOND_GROUP)).toBe('x()');
  expect(press('!<Key>b: x()', 'b', Button1)).toBeUndefined();
});

test('a modifier the keyboard does not have is never held', () => {
  expect(press('Hyper<Key>a: x()', 'a', 0xff)).toBeUndefined();
  expect(press('~Hyper<Key>a: x()', 'a', 0xff)).toBe('x()');
  expect(press('@F35<Key>a: x()', 'a', 0xff)).toBeUndefined();
});

test('Meta, Alt, Super and keys behind @ are the modifiers that the keyboard gives them', () => {
  for (const name of ['Meta', 'm', '$', 'Alt', 'a', '@Alt_L', '@Meta_L', 'Mod1']) {
    expect(press(`${name}<Key>b: x()`, 'b', Mod1)).toBe('x()');
    expect(press(`~${name}<Key>b: x()`, 'b', Mod1)).toBeUndefined();
    expect(press(`${name}<Key>b: x()`, 'b', Shift)).toBeUndefined();
  }
  for (const name of ['Super', 'su', '@Super_L']) expect(press(`${name}<Key>b: x()`, 'b', 1 << 6)).toBe('x()');
  expect(press('@Num_Lock<Key>b: x()', 'b', NUM_LOCK)).toBe('x()');
});

test('on a keyboard without Meta, Alt is Meta', () => {
  const run = translate('Meta<Key>b: x()', '', poorKeyboard);
  expect(run('KeyPress', KEYS.b, Mod1, 0)).toBe('x()');
});

test('a key is bound by anything it can mean with modifiers that the line does not name', () => {
  expect(press('<Key>A: x()', 'a', 0)).toBe('x()');
  expect(press('<Key>a: x()', 'a', Shift)).toBe('x()');
  expect(press('<Key>exclam: x()', 'one', 0)).toBe('x()');
  expect(press('Shift<Key>exclam: x()', 'one', Shift)).toBeUndefined();
  expect(press('Shift<Key>1: x()', 'one', Shift)).toBe('x()');
  expect(press('<Key>KP_7: x()', 'KP_Home', 0)).toBe('x()');
  expect(press('<Key>KP_Home: x()', 'KP_Home', NUM_LOCK)).toBe('x()');
  expect(press('<Key>EuroSign: x()', 'e', 0)).toBe('x()');
});

test('behind a colon, a key is bound by what it means with what is held', () => {
  expect(press(':<Key>A: x()', 'a', 0)).toBeUndefined();
  expect(press(':<Key>A: x()', 'a', Shift)).toBe('x()');
  expect(press(':<Key>A: x()', 'a', Lock)).toBe('x()');
  expect(press(':<Key>exclam: x()', 'one', Shift)).toBe('x()');
  expect(press(':<Key>KP_7: x()', 'KP_Home', NUM_LOCK)).toBe('x()');
  expect(press(':<Key>EuroSign: x()', 'e', Mod5)).toBe('x()');
  expect(press('!:Ctrl<Key>A: x()', 'a', Shift | Ctrl)).toBe('x()');
  expect(press('!:Ctrl<Key>A: x()', 'a', Shift | Ctrl | Mod1)).toBeUndefined();
});

test('in another group, a key is bound by its letters there and in the first one', () => {
  expect(press('<Key>Cyrillic_ef: x()', 'a', SECOND_GROUP)).toBe('x()');
  expect(press('<Key>a: x()', 'a', SECOND_GROUP)).toBe('x()');
  expect(press('<Key>Cyrillic_ef: x()', 'a', 0)).toBeUndefined();
  expect(press(':<Key>a: x()', 'a', SECOND_GROUP)).toBeUndefined();
});

test('characters in quotes are pressed one after the other', () => {
  const run = translate('"a^b$1": x()', '<Key>: y()', keyboard);
  const keys: [keyof typeof KEYS, number][] = [
    ['a', 0],
    ['Shift_L', 0],
    ['b', Ctrl],
    ['one', Mod1],
  ];
  expect(keys.map(([key, state]) => run('KeyPress', KEYS[key], state, 0))).toEqual(['', undefined, '', 'x()']);
  const short = translate('#override "ab": x()', '<Key>: y()', keyboard);
  expect(['a', 'one', 'b'].map((key) => short('KeyPress', KEYS[key as 'a'], 0, 0))).toEqual(['', 'y()', undefined]);
});

test('clicks count when each comes within the time of a multiple click, by the clock of the events', () => {
  const run = translate('<Btn1Down>(2): x()', '', keyboard);
  const click = (at: number) => [run('ButtonPress', 1, 0, at), run('ButtonRelease', 1, Button1, at + 10)];
  expect([click(0), click(260)].flat()).toEqual(['', '', 'x()', undefined]);
  expect([click(10_000), click(10_261)].flat()).toEqual(['', '', '', '']);
  // The server's clock starts again at 0.
  expect([click(2 ** 32 - 20), click(200)].flat()[2]).toBe('x()');
});

test('motion and modifier keys do not end a sequence, other keys do', () => {
  const table = '<Key>a,<Key>b: x()\n<BtnMotion>: m()\n<Key>1: y()';
  const run = translate(table, '', keyboard);
  expect(run('KeyPress', KEYS.a, 0, 0)).toBe('');
  expect(run('MotionNotify', 0, Button1, 0)).toBeUndefined();
  expect(run('KeyPress', KEYS.Shift_L, 0, 0)).toBeUndefined();
  expect(run('KeyPress', KEYS.b, 0, 0)).toBe('x()');
  expect(run('KeyPress', KEYS.a, 0, 0)).toBe('');
  expect(run('KeyPress', KEYS.one, 0, 0)).toBe('y()');
  expect(run('KeyPress', KEYS.b, 0, 0)).toBeUndefined();
});

test('a line with an open count runs at every click from that number on', () => {
  const run = translate('<Btn1Down>(2+): x()', '', keyboard);
  const clicks = [0, 100, 200, 300].map((at) => {
    const pressed = run('ButtonPress', 1, 0, at);
    run('ButtonRelease', 1, Button1, at + 10);
    return pressed;
  });
  expect(clicks).toEqual(['', 'x()', 'x()', 'x()']);
});

test('a line without actions takes its event', () => {
  expect(translate('#override <Key>a:', '<Key>: y()', keyboard)('KeyPress', KEYS.a, 0, 0)).toBe('');
});

test('changes of focus, crossings, atoms and mappings are bound by their details', () => {
  const run = translate(
    '<FocusIn>Grab: g()\n<FocusIn>: f()\n<EnterWindow>: e()\n<Prop>WM_NAME: p()\n<Map>: m()\n<Mapping>Keyboard: k()',
    '',
    keyboard,
  );
  expect(run('FocusIn', 1, 0, 0)).toBe('g()');
  expect(run('FocusIn', 0, 0, 0)).toBe('f()');
  expect(run('EnterNotify', 0, Shift, 0)).toBe('e()');
  expect(run('PropertyNotify', 39, 0, 0)).toBe('p()');
  expect(run('PropertyNotify', 40, 0, 0)).toBeUndefined();
  expect(run('MapNotify', 0, 0, 0)).toBe('m()');
  expect(run('MappingNotify', 1, 0, 0)).toBe('k()');
  expect(run('MappingNotify', 2, 0, 0)).toBeUndefined();
});

test('a key finds its line in microseconds, also among ten thousand lines', () => {
  const lines = Array.from({ length: 9_000 }, (_, index) => `Ctrl <Key>0x${(0x100_0100 + index).toString(16)}: x()`);
  const run = translate(`${lines.join('\n')}\nCtrl <Key>a: y()`, '', keyboard);
  expect(run('KeyPress', KEYS.a, Ctrl, 0)).toBe('y()');

  const PRESSES = 100_000;
  const took = processorMs(() => {
    for (let press = 0; press < PRESSES; press += 1) run('KeyPress', KEYS.a, Ctrl, press);
  });

  expect(took / PRESSES).toBeLessThan(0.01);
});
