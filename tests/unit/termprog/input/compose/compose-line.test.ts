import { expect, test } from 'vitest';
import { parseComposeLine } from '../../../../../src/termprog/input/compose/compose-line.ts';
import { keysymNamed } from '../../../../../src/termprog/input/keysyms.ts';

const key = (name: string, mask = 0, modifiers = 0) => ({ keysym: keysymNamed(name), mask, modifiers });
const [SHIFT, CONTROL, MOD1] = [1, 4, 8];
const ALL = 0b1111;

for (const [line, keys, text] of [
  ['<Multi_key> <a> <e> : "æ" ae # AE', [key('Multi_key'), key('a'), key('e')], 'æ'],
  ['<dead_acute><e>:eacute', [key('dead_acute'), key('e')], 'é'],
  ['< a >\t: "\\"\\\\\\t\\n"', [key('a')], '"\\\t\n'],
  ['<U2603> : "\\342\\202\\254\\x41"', [key('U2603')], '€A'],
  ['Ctrl <a> : "x"', [key('a', CONTROL, CONTROL)], 'x'],
  ['! Ctrl Shift <a> : "x"', [key('a', ALL, CONTROL | SHIFT)], 'x'],
  ['None <a> <b> : "x"', [key('a', ALL), key('b')], 'x'],
  ['Ctrl ~Alt <a> : "x"', [key('a', CONTROL | MOD1, CONTROL)], 'x'],
  ['<a> : ""', [key('a')], ''],
] as const) {
  test(`a line is a sequence: ${line}`, () =>
    expect(parseComposeLine(line)).toEqual({ kind: 'sequence', keys, result: { text } }));
}

for (const line of ['', '   ', '# <a> : "b"', '\r']) {
  test(`a line has no effect: ${JSON.stringify(line)}`, () =>
    expect(parseComposeLine(line)).toEqual({ kind: 'nothing' }));
}

test('a line includes a file', () => {
  expect(parseComposeLine('include "%L"  # the locale')).toEqual({ kind: 'include', path: '%L' });
});

for (const [line, problem] of [
  ['<nosuchkey> : "x"', '<nosuchkey> is not a key'],
  ['<a> "x"', 'has no keys and colon'],
  [': "x"', 'has no keys and colon'],
  ['<a> :', 'has no text behind the colon'],
  ['<a> : nosuchkey', '"nosuchkey" is not a key with a text'],
  ['<a> : "x" a b', 'has more than a text and a keysym behind the colon'],
  ['Strg <a> : "x"', '"Strg" is not a modifier'],
  ['<a> Ctrl : "x"', 'has modifiers without a key'],
  ['~<a> : "x"', '<a> is not a key'],
  [`${'<a> '.repeat(11)}: "x"`, 'has more than 10 keys'],
  ['include %L', 'can\'t be read as `<key> … : "text" keysym`'],
  ['<a> : "x', 'can\'t be read as `<key> … : "text" keysym`'],
] as const) {
  test(`a line has a fault: ${line}`, () => expect(parseComposeLine(line)).toEqual({ kind: 'problem', problem }));
}
