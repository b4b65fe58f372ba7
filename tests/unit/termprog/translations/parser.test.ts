import { expect, test } from 'vitest';
import { actions } from '../../../../src/termprog/actions/index.ts';
import { keysymNamed } from '../../../../src/termprog/input/keysyms.ts';
import { DEFAULT_TRANSLATIONS } from '../../../../src/termprog/translations/default-translations.ts';
import { parseTranslations } from '../../../../src/termprog/translations/parser.ts';
import { processorMs } from '../../../harness/processor-time.ts';

const parse = (text: string) => parseTranslations(text, keysymNamed);
const firstStep = (text: string) => parse(text).bindings[0]?.steps[0];
const callsOf = (text: string) => parse(`<Key>a: ${text}`).bindings.map(({ calls }) => calls)[0];

/** Bits that every modifier and button has. */
const ALL = 0x1fff;

test('the built-in table has no problem, and each of its actions exists', () => {
  const { bindings, problems } = parse(DEFAULT_TRANSLATIONS);
  expect(problems).toEqual([]);
  const known = actions.map(({ name }) => name);
  expect(
    bindings.flatMap(({ calls }) => calls.map(({ action }) => action)).filter((name) => !known.includes(name)),
  ).toEqual([]);
});

test('a binding has modifiers, an event, a detail and actions', () => {
  expect(parse('#override\n Shift ~Ctrl <KeyPress> Prior : scroll-back( 1 , halfpage ) bell()')).toEqual({
    directive: 'override',
    problems: [],
    bindings: [
      {
        steps: [
          {
            mask: 5,
            held: 1,
            byKeysym: [],
            isStandard: false,
            event: 'KeyPress',
            detail: 0xff55,
            needsButton: false,
          },
        ],
        repeatsFrom: undefined,
        calls: [
          { action: 'scroll-back', parameters: ['1', 'halfpage'] },
          { action: 'bell', parameters: [] },
        ],
      },
    ],
  });
});

test('an exclamation mark and None compare every modifier, Any none', () => {
  expect(firstStep('!Ctrl<Btn1Down>: a()')).toMatchObject({ mask: ALL, held: 4, detail: 1 });
  expect(firstStep('None<Btn1Up>: a()')).toMatchObject({ mask: ALL, held: 0, event: 'ButtonRelease' });
  expect(firstStep('Any<Key>: a()')).toMatchObject({ mask: 0, detail: undefined });
});

test('each name of a modifier is read, and none needs a blank behind it where another sign follows', () => {
  for (const [name, bit] of [
    ['Shift', 1],
    ['s', 1],
    ['Lock', 2],
    ['l', 2],
    ['Caps', 2],
    ['Ctrl', 4],
    ['Control', 4],
    ['c', 4],
    ['^', 4],
    ['Mod1', 8],
    ['Mod2', 16],
    ['Mod3', 32],
    ['Mod4', 64],
    ['Mod5', 128],
    ['Button1', 256],
    ['Button5', 4_096],
  ] as const)
    expect(firstStep(`${name}<Key>a: x()`)).toMatchObject({ mask: bit, held: bit });
  expect(firstStep('Shift~Ctrl@Num_Lock<Key>a: x()')).toMatchObject({
    mask: 5,
    held: 1,
    byKeysym: [{ keysyms: [0xff7f], isHeld: true }],
  });
});

test('each name and abbreviation of an event is read', () => {
  const names: Readonly<Record<string, string>> = {
    'Key KeyPress KeyDown Ctrl Shift Meta': 'KeyPress',
    'KeyUp KeyRelease': 'KeyRelease',
    'BtnDown ButtonPress Btn1Down Btn2Down Btn3Down Btn4Down Btn5Down': 'ButtonPress',
    'BtnUp ButtonRelease Btn1Up Btn2Up Btn3Up Btn4Up Btn5Up': 'ButtonRelease',
    'Motion MotionNotify MouseMoved PtrMoved BtnMotion Btn1Motion Btn5Motion': 'MotionNotify',
    'Enter EnterWindow EnterNotify': 'EnterNotify',
    'Leave LeaveWindow LeaveNotify': 'LeaveNotify',
    FocusIn: 'FocusIn',
    FocusOut: 'FocusOut',
    'Keymap KeymapNotify': 'KeymapNotify',
    Expose: 'Expose',
    'GrExp GraphicsExpose': 'GraphicsExposure',
    'NoExp NoExpose': 'NoExposure',
    'Visible VisibilityNotify': 'VisibilityNotify',
    'Create CreateNotify': 'CreateNotify',
    'Destroy DestroyNotify': 'DestroyNotify',
    'Unmap UnmapNotify': 'UnmapNotify',
    'Map MapNotify': 'MapNotify',
    'MapReq MapRequest': 'MapRequest',
    'Reparent ReparentNotify': 'ReparentNotify',
    'Configure ConfigureNotify': 'ConfigureNotify',
    'ConfigureReq ConfigureRequest': 'ConfigureRequest',
    'Grav GravityNotify': 'GravityNotify',
    'ResReq ResizeRequest': 'ResizeRequest',
    'Circ CirculateNotify': 'CirculateNotify',
    'CircReq CirculateRequest': 'CirculateRequest',
    'Prop PropertyNotify': 'PropertyNotify',
    'SelClr SelectionClear': 'SelectionClear',
    'SelReq SelectionRequest': 'SelectionRequest',
    'Select SelectionNotify': 'SelectionNotify',
    'Clrmap ColormapNotify': 'ColormapNotify',
    'Message ClientMessage': 'ClientMessage',
    'Mapping MappingNotify': 'MappingNotify',
  };
  for (const [spellings, event] of Object.entries(names))
    for (const spelling of spellings.split(' ')) expect(firstStep(`<${spelling}>: x()`)).toMatchObject({ event });
});

test('a key is named as in keysymdef.h, as keys of vendors, by its number, or by its character', () => {
  for (const [detail, keysym] of [
    ['Prior', 0xff55],
    ['Page_Up', 0xff55],
    ['a', 0x61],
    ['A', 0x41],
    ['5', 0x35],
    ['0x61', 0x61],
    ['0141', 0x61],
    ['97', 97],
    ['U20AC', 0x100_20ac],
    ['U0041', 0x41],
    ['EuroSign', 0x20ac],
    ['XF86AudioMute', 0x1008_ff12],
    ['SunCopy', 0x1005_ff72],
    ['Dcircumflex_accent', 0x1000_fe5e],
    ['osfCopy', 0x1004_ff02],
    ['hpInsertLine', 0x1000_ff70],
    ['dead_acute', 0xfe51],
    ['combining_acute', 0x100_0301],
    ['\\:', 0x3a],
    ['\\,', 0x2c],
    ['(', 0x28],
    ['"', 0x22],
    ['<', 0x3c],
  ] as const)
    expect(firstStep(`<Key>${detail}: x()`)).toMatchObject({ detail: keysym });
});

test('details of buttons, motions, crossings and mappings are named', () => {
  expect(firstStep('<BtnDown>Button3: x()')).toMatchObject({ detail: 3 });
  expect(firstStep('<BtnUp> 2: x()')).toMatchObject({ detail: 2 });
  expect(firstStep('<Motion>Hint: x()')).toMatchObject({ detail: 1 });
  expect(firstStep('<Enter>WhileGrabbed: x()')).toMatchObject({ detail: 3 });
  expect(firstStep('<FocusOut>Ungrab: x()')).toMatchObject({ detail: 2 });
  expect(firstStep('<Mapping>Pointer: x()')).toMatchObject({ detail: 2 });
  expect(firstStep('<Message>WM_PROTOCOLS: x()')).toMatchObject({ detail: 'WM_PROTOCOLS' });
  expect(firstStep('Shift<Btn2Motion>: x()')).toMatchObject({ mask: 513, held: 513, needsButton: false });
  expect(firstStep('!Button1<BtnMotion>: x()')).toMatchObject({ mask: 0x1ff, held: 256, needsButton: true });
});

test('sequences and counts become steps, with releases and pauses between presses', () => {
  const events = (text: string) =>
    parse(`${text}: x()`).bindings.map(({ steps, repeatsFrom }) => [
      steps.map((step) => (step === 'pause' ? step : step.event)).join(' '),
      repeatsFrom,
    ])[0];
  expect(events('<Key>a, <Key>b,<Btn1Up>')).toEqual(['KeyPress KeyPress ButtonRelease', undefined]);
  expect(events('"ab",<Map>')).toEqual(['KeyPress KeyPress MapNotify', undefined]);
  expect(events('<Btn1Down>(2)')).toEqual(['ButtonPress ButtonRelease pause ButtonPress', undefined]);
  expect(events('<Key>(2)a')).toEqual(['KeyPress KeyRelease pause KeyPress', undefined]);
  expect(events('<Key>a(2)')).toEqual(['KeyPress KeyRelease pause KeyPress', undefined]);
  expect(events('<Btn1Up>(2)')).toEqual(['ButtonPress ButtonRelease pause ButtonPress ButtonRelease', undefined]);
  expect(events('<Btn1Down>(2+)')).toEqual(['ButtonPress ButtonRelease pause ButtonPress ButtonRelease pause', 3]);
  expect(events('<Map>(3)')).toEqual(['MapNotify MapNotify MapNotify', undefined]);
  expect(events('<Btn1Down>(1)')).toEqual(['ButtonPress', undefined]);
});

test('parameters are separated by commas and blanks; quotes keep these, and ends of lines', () => {
  expect(callsOf('string("a, (b) \\"c\\"", d)')?.[0]?.parameters).toEqual(['a, (b) "c"', 'd']);
  expect(callsOf('x(a b,c)y(){')).toBeUndefined();
  expect(callsOf('x(a b,c) y(,z)z()')).toEqual([
    { action: 'x', parameters: ['a', 'b', 'c'] },
    { action: 'y', parameters: ['', 'z'] },
    { action: 'z', parameters: [] },
  ]);
  expect(callsOf('x("two\nlines")')?.[0]?.parameters).toEqual(['two\nlines']);
  expect(callsOf('x("C:\\dir", "ends in \\\\")')?.[0]?.parameters).toEqual(['C:\\dir', 'ends in \\']);
  expect(callsOf('')).toEqual([]);
});

test('empty lines and comments bind no action', () => {
  const { bindings, problems } = parse('# of mine\n\n! press F1\n!\n<Key>F1: x()\n \t\n#\n!Ctrl<Key>F2: y()\r\n');
  expect(problems).toEqual([]);
  expect(bindings).toHaveLength(2);
});

test('a directive stands before the first binding, on its line or above it', () => {
  expect(parse('#augment <Key>a: x()')).toMatchObject({ directive: 'augment', problems: [], bindings: [{}] });
  expect(parse(' \n #override\n<Key>a: x()')).toMatchObject({ directive: 'override', bindings: [{}] });
  expect(parse('#replace')).toMatchObject({ directive: 'replace', problems: [], bindings: [] });
  expect(parse('#overide\n<Key>a: x()')).toMatchObject({
    directive: 'replace',
    bindings: [{}],
    problems: ['line 1, column 1: expected #override, #augment or #replace, found "#overide"; it has no effect'],
  });
});

for (const [line, column, reason] of [
  ['Shift Prior: x()', 7, 'expected a modifier, found "Prior"'],
  ['Shift: x()', 6, 'expected a modifier or "<", found ":"'],
  ['#override', 1, 'expected a modifier or "<", found "#override"'],
  ['Sift <Key>a: x()', 1, 'expected a modifier, found "Sift"'],
  ['!Ctrl F1: x()', 7, 'expected a modifier, found "F1"'],
  ['@Foo <Key>a: x()', 2, 'expected a key behind "@", found "Foo"'],
  ['None Shift<Key>a: x()', 6, 'expected "<", found "Shift<Key>a:"'],
  ['<Keyy>a: x()', 2, 'expected an event, found "Keyy"'],
  ['<>a: x()', 2, 'expected an event, found ">a:"'],
  ['<K y>a: x()', 2, 'expected an event, found "K"'],
  ['<Key a: x()', 6, 'expected ">", found "a:"'],
  ['<Key>NoSuchKey: x()', 6, 'expected a key, found "NoSuchKey"'],
  ['<Key>0x: x()', 6, 'expected a key, found "0x"'],
  ['<BtnDown>9: x()', 10, 'expected a button, found "9"'],
  ['<Enter>Often: x()', 8, 'expected a mode, found "Often"'],
  ['<Btn1Down>Button1: x()', 11, 'expected ":" or ",", found "Button1:"'],
  ['<Btn1Down>(0): x()', 11, 'expected a count from (1) to (100+), found "(0)"'],
  ['<Btn1Down>(): x()', 11, 'expected a count from (1) to (100+), found "()"'],
  ['<Btn1Down>(101): x()', 11, 'expected a count from (1) to (100+), found "(101)"'],
  ['<Btn1Down>(2: x()', 11, 'expected a count from (1) to (100+), found "(2"'],
  ['<Key>a b: x()', 8, 'expected ":" or ",", found "b:"'],
  ['<Key>a x()', 8, 'expected ":" or ",", found "x()"'],
  ['<Key>a', 7, 'expected ":" or ",", found the end of the line'],
  ['<Key>a,: x()', 10, 'expected a modifier, found "x"'],
  ['"abc: x()', 1, 'expected a closing quote on the same line, found none'],
  ['"é": x()', 2, 'expected a character of ASCII, found "é"'],
  ['<Key>a: x', 10, 'expected "(" behind the action, found the end of the line'],
  ['<Key>a: ?()', 9, 'expected an action, found "?()"'],
  ['<Key>a: x(1', 12, 'expected ")", found the end of the line'],
  ['<Key>a: x("1', 11, 'expected a closing quote, found none'],
  ['<constructor>: x()', 2, 'expected an event, found "constructor"'],
  ['toString <Key>a: x()', 1, 'expected a modifier, found "toString"'],
] as const) {
  test(`the line ${line} is left out with a reason, and the others hold`, () => {
    const { bindings, problems } = parse(`#override\n<Key>a: y()\n${line}\n<Key>b: y()`);
    expect(problems).toEqual([`line 3, column ${column}: ${reason}; the line is left out`]);
    expect(bindings).toHaveLength(2);
  });
}

test('blanks may stand between all parts of a binding', () => {
  const [spaced, plain] = parse(' !  Shift ~  Ctrl  < Key >  a  :  x ( 1 ) \n!Shift ~Ctrl<Key>a:x(1)').bindings;
  expect(spaced).toEqual(plain);
  expect(spaced?.steps).toMatchObject([{ mask: ALL, held: 1, detail: 0x61 }]);
});

test('a table of a million unreadable lines is done at once, and reports a few of them', () => {
  let problems: readonly string[] = [];
  expect(
    processorMs(() => {
      ({ problems } = parse(`<Key>a: y()\n${'x\n'.repeat(1_000_000)}`));
    }),
  ).toBeLessThan(1_000);
  expect(problems).toHaveLength(12);
  expect(problems.slice(-2)).toEqual([
    "9989 more lines can't be read and are left out",
    'only the first 10000 lines are read',
  ]);
});

test('a table of very many events is read in part', () => {
  const { bindings, problems } = parse('<Btn1Down>(100): x()\n'.repeat(1_000));
  expect(bindings.length).toBeLessThan(120);
  expect(problems).toEqual(['bindings of more than 30000 events in all are left out']);
});

test('a quoted text of very many characters is left out, and the lines behind it are read', () => {
  const { bindings, problems } = parse(`"${'a'.repeat(300_000)}": x()\n<Key>b: y()`);
  expect(bindings.length).toBe(1);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^line 1, column 1: .{0,60}at most 30000 events.{0,100}; the line is left out$/);
});
