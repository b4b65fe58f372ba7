import { expect, test } from 'vitest';
import { actions } from '../../../../src/termprog/actions/index.ts';
import { keysymNamed } from '../../../../src/termprog/input/keysyms.ts';
import { DEFAULT_TRANSLATIONS, PENDING_ACTIONS } from '../../../../src/termprog/translations/default-translations.ts';
import { parseTranslations } from '../../../../src/termprog/translations/parser.ts';
import { processorMs } from '../../../harness/processor-time.ts';

const parse = (text: string) => parseTranslations(text, keysymNamed);

test('the built-in table has no problem, and each of its actions is built or known to be missing', () => {
  const { bindings, problems } = parse(DEFAULT_TRANSLATIONS);
  expect(problems).toEqual([]);
  const known = [...actions.map(({ name }) => name), ...PENDING_ACTIONS];
  expect(
    bindings.flatMap(({ calls }) => calls.map(({ action }) => action)).filter((name) => !known.includes(name)),
  ).toEqual([]);
});

test('an action is built or missing, not both', () => {
  expect(actions.map(({ name }) => name).filter((name) => PENDING_ACTIONS.includes(name))).toEqual([]);
});

test('a binding has modifiers, an event, a detail and actions', () => {
  expect(parse('#override\n Shift ~Ctrl <KeyPress> Prior : scroll-back( 1 , halfpage ) bell()')).toEqual({
    directive: 'override',
    problems: [],
    bindings: [
      {
        required: ['Shift'],
        forbidden: ['Ctrl'],
        isExact: false,
        event: 'KeyPress',
        detail: 0xff55,
        calls: [
          { action: 'scroll-back', parameters: ['1', 'halfpage'] },
          { action: 'bell', parameters: [] },
        ],
      },
    ],
  });
});

test('an exclamation mark and None allow no other modifier, Any allows all', () => {
  expect(parse('!Ctrl<Btn1Down>: a()').bindings[0]).toMatchObject({ required: ['Ctrl'], isExact: true, detail: 1 });
  expect(parse('None<Btn1Up>: a()').bindings[0]).toMatchObject({ required: [], isExact: true, event: 'ButtonRelease' });
  expect(parse('Any<Key>: a()').bindings[0]).toMatchObject({ required: [], isExact: false, detail: undefined });
});

test('parameters in quotes keep blanks, commas and parentheses', () => {
  expect(parse('<Key>a: string("a, (b) \\"c\\"", d)').bindings[0]?.calls[0]?.parameters).toEqual(['a, (b) "c"', 'd']);
});

for (const [line, reason] of [
  ['Shift Prior: x()', 'expected MODIFIERS <EVENT> DETAIL: ACTION()'],
  ['Sift <Key>a: x()', 'no modifier is named Sift'],
  ['<Keyy>a: x()', 'no event is named <Keyy>'],
  ['<Key>NoSuchKey: x()', 'no key is named NoSuchKey'],
  ['<BtnDown>9: x()', 'no button is named 9'],
  ['<Key>a: x', 'expected actions as NAME(PARAMETERS)'],
  ['<Key>a b: x()', 'expected MODIFIERS <EVENT> DETAIL: ACTION()'],
  ['<Key>(: x()', 'expected MODIFIERS <EVENT> DETAIL: ACTION()'],
  ['<K y>a: x()', 'expected MODIFIERS <EVENT> DETAIL: ACTION()'],
  ['<Key a: x()', 'expected MODIFIERS <EVENT> DETAIL: ACTION()'],
  ['<Key>a x()', 'expected MODIFIERS <EVENT> DETAIL: ACTION()'],
  ['<constructor>: x()', 'no event is named <constructor>'],
  ['toString <Key>a: x()', 'no modifier is named toString'],
  ['<Btn1Motion>: x()', 'motion with one button is written Button1 <BtnMotion>'],
] as const) {
  test(`the line "${line}" is left out with a reason, and the others hold`, () => {
    const { bindings, problems } = parse(`${line}\n<Key>b: y()`);
    expect(problems).toEqual([`"${line}": ${reason}; the line is left out`]);
    expect(bindings).toHaveLength(1);
  });
}

test('blanks may stand between all parts of a binding', () => {
  const [spaced, plain] = parse(' !  Shift ~  Ctrl  < Key >  a  :  x ( 1 ) \n!Shift ~Ctrl<Key>a:x(1)').bindings;
  expect(spaced).toEqual(plain);
  expect(spaced).toMatchObject({ required: ['Shift'], forbidden: ['Ctrl'], isExact: true, detail: 0x61 });
});

test('a table of a million unreadable lines is done at once, and tells of a few of them', () => {
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
