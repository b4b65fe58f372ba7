import { expect, test } from 'vitest';
import { startEngine } from '../../../../harness/terminal-engine.ts';

function repliesTo(sent: string, start: Parameters<typeof startEngine>[0] = {}): string {
  const { write, told } = startEngine(start);
  write(sent);
  return told.replies;
}

for (const [what, sent, expected] of [
  ['the terminal is a VT420 with what works', '\x1b[c', '\x1b[?64;6;9;15;21;22;28;52c'],
  ['so it is for the older question', '\x1bZ', '\x1b[?64;6;9;15;21;22;28;52c'],
  ['it is compatible with a version of xterm', '\x1b[>c', '\x1b[>41;379;0c'],
  ['it has no number of its own', '\x1b[=c', '\x1bP!|00000000\x1b\\'],
  ['its name and version', '\x1b[>q', '\x1bP>|termprog(0.0.0)\x1b\\'],
  ['other numbers do not ask', '\x1b[1c\x1b[>1c\x1b[=1c\x1b[>1q', ''],
  ['there is no printer', '\x1b[?15n', '\x1b[?13n'],
  ['keys of users are locked', '\x1b[?25n', '\x1b[?21n'],
  ['the keyboard is ready', '\x1b[?26n', '\x1b[?27;0;0;5n'],
  ['there is no locator', '\x1b[?53n\x1b[?55n\x1b[?56n', '\x1b[?50n\x1b[?50n\x1b[?57;0n'],
  ['there are no macros', '\x1b[?62n\x1b[?63;7n', '\x1b[0*{\x1bP7!~0000\x1b\\'],
  ['the line works, and there is one session', '\x1b[?75n\x1b[?85n', '\x1b[?70n\x1b[?83n'],
  ['colours are light', '\x1b[?996n', '\x1b[?997;2n'],
  ['colours are dark', '\x1b]11;black\x1b\\\x1b[?996n', '\x1b[?997;1n'],
  ['unknown questions have no answer', '\x1b[?1n\x1b[7n\x1b[?997n', ''],
  ['pixels of the text', '\x1b[14t', '\x1b[4;312;480t'],
  ['pixels of the text, by a parameter that means nothing', '\x1b[14;1t', '\x1b[4;312;480t'],
  ['pixels of the window', '\x1b[14;2t', '\x1b[4;316;484t'],
  ['pixels of a cell', '\x1b[16t', '\x1b[6;13;6t'],
  ['rows and columns', '\x1b[18t', '\x1b[8;24;80t'],
  ['places and states of the window are not told', '\x1b[11t\x1b[13t\x1b[15t\x1b[19t', ''],
] as const) {
  test(`${JSON.stringify(sent)}: ${what}`, () => {
    expect(repliesTo(sent)).toBe(expected);
  });
}

test('selections are named only where applications may write them', () => {
  expect(repliesTo('\x1b[c', { permits: (operation) => operation !== 'SetSelection' })).toBe(
    '\x1b[?64;6;9;15;21;22;28c',
  );
});

for (const [operation, sent] of [
  ['GetWinSizePixels', '\x1b[14t'],
  ['GetScreenSizeChars', '\x1b[16t'],
  ['GetWinSizeChars', '\x1b[18t'],
  ['GetIconTitle', '\x1b[20t'],
  ['GetWinTitle', '\x1b[21t'],
  ['GetChecksum', '\x1b[1;1;1;1;1;1*y'],
  ['GetTcap', '\x1bP+q544e\x1b\\'],
  ['GetAnsiColor', '\x1b]4;1;?\x1b\\'],
  ['GetAnsiColor', '\x1b]5;1;?\x1b\\'],
  ['GetColor', '\x1b]10;?\x1b\\'],
] as const) {
  test(`${JSON.stringify(sent)} is answered only where ${operation} is permitted`, () => {
    expect(repliesTo(sent, { permits: (asked) => asked !== operation })).toBe('');
    expect(repliesTo(sent, { permits: (asked) => asked === operation })).not.toBe('');
  });
}

for (const [what, sent, expected] of [
  ['margins at the sides', '\x1b[?69h\x1b[3;40s\x1bP$qs\x1b\\', '\x1bP1$r3;40s\x1b\\'],
  ['the conformance level', '\x1bP$q"p\x1b\\', '\x1bP1$r64;1"p\x1b\\'],
  [
    'rows and columns',
    '\x1bP$qt\x1b\\\x1bP$q$|\x1b\\\x1bP$q*|\x1b\\',
    '\x1bP1$r24t\x1b\\\x1bP1$r80$|\x1b\\\x1bP1$r24*|\x1b\\',
  ],
  ['the extent of attribute changes', '\x1b[2*x\x1bP$q*x\x1b\\', '\x1bP1$r2*x\x1b\\'],
  ['no status line', '\x1bP$q$}\x1b\\\x1bP$q$~\x1b\\', '\x1bP1$r0$}\x1b\\\x1bP1$r0$~\x1b\\'],
] as const) {
  test(`settings are reported: ${what}`, () => {
    expect(repliesTo(sent)).toBe(expected);
  });
}

for (const [configured, sent, expected] of [
  ['block', '', 2],
  ['underline', '', 4],
  ['bar', '', 6],
  ['block', '\x1b[ q', 1],
  ['underline', '\x1b[2 q\x1b[0 q', 3],
  ['bar', '\x1b[2 q\x1b[ q', 5],
  ['bar', '\x1b[1 q', 1],
  ['bar', '\x1b[4 q', 4],
  ['block', '\x1b[5 q\x1b[?12l', 6],
  ['block', '\x1b[4 q\x1b[?12h', 3],
  ['block', '\x1b[6 q\x1b[7 q', 6],
  ['underline', '\x1b[5 q\x1bc', 4],
  ['bar', '\x1b[3 q\x1b[!p', 6],
] as const) {
  test(`the style of a cursor that is configured as ${configured} is ${expected} after ${JSON.stringify(sent)}`, () => {
    expect(repliesTo(`${sent}\x1bP$q q\x1b\\`, { cursorShape: configured })).toBe(`\x1bP1$r${expected} q\x1b\\`);
  });
}

for (const [what, sent, expected] of [
  ['a mode that is on', '\x1b[?7$p', '\x1b[?7;1$y'],
  ['one that is off', '\x1b[?69$p', '\x1b[?69;2$y'],
  ['one that is always on', '\x1b[?8$p', '\x1b[?8;3$y'],
  ['one that is always off', '\x1b[?60$p\x1b[1$p', '\x1b[?60;4$y\x1b[1;4$y'],
  ['one that nobody knows', '\x1b[?31337$p\x1b[99$p', '\x1b[?31337;0$y\x1b[99;0$y'],
  ['one that was set', '\x1b[2h\x1b[2$p\x1b[12l\x1b[12$p', '\x1b[2;1$y\x1b[12;2$y'],
] as const) {
  test(`modes are reported: ${what}`, () => {
    expect(repliesTo(sent)).toBe(expected);
  });
}

const asHex = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();

test('capabilities are reported up to the first that is unknown', () => {
  const answer = `${asHex('TN')}=${asHex('xterm-256color')};${asHex('Co')}=${asHex('256')}`;
  expect(repliesTo('\x1bP+q544e;436f;7878;524742\x1b\\')).toBe(`\x1bP1+r${answer}\x1b\\`);
});

for (const [what, sent] of [
  ['an unknown name', '\x1bP+q414141\x1b\\'],
  ['what is not a name', '\x1bP+qZZ\x1b\\'],
  ['the name of a method of objects', `\x1bP+q${asHex('toString')}\x1b\\`],
  ['nothing', '\x1bP+q\x1b\\'],
] as const) {
  test(`${what} is not a capability, and is not repeated`, () => {
    expect(repliesTo(sent)).toBe('\x1bP0+r\x1b\\');
  });
}

test('a terminal name of more than 128 bytes is not reported', () => {
  expect(repliesTo('\x1bP+q544e\x1b\\', { termName: 'x'.repeat(128) })).toContain('1+r');
  expect(repliesTo('\x1bP+q544e\x1b\\', { termName: 'x'.repeat(129) })).toBe('');
});

for (const [level, sent, isAnswered] of [
  [61, '\x1b[6n', true],
  [61, '\x1bP$qr\x1b\\', false],
  [62, '\x1bP$qr\x1b\\', true],
  [62, '\x1b[4$p', false],
  [63, '\x1b[4$p', true],
  [63, '\x1b[=c', false],
  [64, '\x1b[=c', true],
  [63, '\x1b[1;1;1;1;1;1*y', false],
  // A higher level than there is is the highest.
  [65, '\x1b[1;1;1;1;1;1*y', true],
] as const) {
  test(`at the conformance level ${level}, ${JSON.stringify(sent)} has ${isAnswered ? 'an' : 'no'} answer`, () => {
    expect(repliesTo(`\x1b[${level};1"p${sent}`) !== '').toBe(isAnswered);
  });
}

test('a full reset brings the highest level back', () => {
  expect(repliesTo('\x1b[61"p\x1bc\x1bP$q"p\x1b\\')).toBe('\x1bP1$r64;1"p\x1b\\');
});

test('a checksum is the sum of the characters, where an empty cell is a space', () => {
  const { write, told } = startEngine();
  write('ab\x1b[2;2H漢\x1b[H\x1b[9;1;1;1;2;3*y');
  // The second cell of the wide character counts, too: -1 in sixteen bits.
  const sum = 'a'.charCodeAt(0) + 'b'.charCodeAt(0) + 0x20 + 0x20 + 0x6f22 - 1;
  expect(told.replies).toBe(`\x1bP9!~${sum.toString(16).toUpperCase()}\x1b\\`);
});

for (const [what, sent, expected] of [
  ['one that makes a character with its base counts as that', 'e\u0301', 'é'],
  ['another one does not', 'x\u0336', 'x'],
] as const) {
  test(`in a checksum, of marks ${what}`, () => {
    const digits = (expected.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    expect(repliesTo(`${sent}\x1b[1;1;1;1;1;1*y`)).toBe(`\x1bP1!~${digits}\x1b\\`);
  });
}
