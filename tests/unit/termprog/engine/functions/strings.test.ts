import { expect, test } from 'vitest';
import { startEngine } from '../../../../harness/terminal-engine.ts';

const ST = '\x1b\\';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

for (const [what, sent, expected] of [
  ['an entry of the palette', `\x1b]4;1;red${ST}`, [[1, 'red']]],
  [
    'several at once',
    `\x1b]4;1;red;255;#fff${ST}`,
    [
      [1, 'red'],
      [255, '#fff'],
    ],
  ],
  ['special colours, by number behind the palette', `\x1b]4;256;red${ST}`, [['bold', 'red']]],
  [
    'special colours by their own numbers',
    `\x1b]5;0;red;4;blue${ST}`,
    [
      ['bold', 'red'],
      ['italic', 'blue'],
    ],
  ],
  [
    'text, background and cursor',
    `\x1b]10;red;green;blue${ST}`,
    [
      ['foreground', 'red'],
      ['background', 'green'],
      ['cursor', 'blue'],
    ],
  ],
  ['none beyond the last', `\x1b]19;red;green${ST}`, [['highlightForeground', 'red']]],
  ['nothing for an empty field', `\x1b]10;;green${ST}`, [['background', 'green']]],
  ['none by a number that is none', `\x1b]4;1;red;x;green;2;blue${ST}`, [[1, 'red']]],
  ['none by a number that is too large', `\x1b]4;261;red${ST}`, []],
  ['none without a colour', `\x1b]4;1${ST}`, []],
  ['all, which are then reset', `\x1b]4;1;red;2;red${ST}\x1b]5;0;red${ST}\x1b]104${ST}`, [['bold', 'red']]],
  ['some, of which one is reset', `\x1b]4;1;red;2;red;3;red${ST}\x1b]104;1;3${ST}`, [[2, 'red']]],
  [
    'special ones, which are reset',
    `\x1b]5;0;red;1;red${ST}\x1b]105;1${ST}\x1b]11;red${ST}\x1b]111${ST}`,
    [['bold', 'red']],
  ],
  ['none after a full reset', `\x1b]4;1;red${ST}\x1b]11;red${ST}\x1bc`, []],
] as const) {
  test(`${JSON.stringify(sent)} sets ${what}`, () => {
    const { write, told } = startEngine();
    write(sent);
    expect([...told.colors]).toEqual(expected);
  });
}

test('colours are reported with the number that was asked for', () => {
  const { write, told } = startEngine();
  write(`\x1b]4;7;one;256;two${ST}\x1b]11;three${ST}\x1b]4;7;?;256;?${ST}\x1b]5;0;?${ST}\x1b]11;?;?${ST}`);
  const answers = ['4;7;one', '4;256;two', '5;0;two', '11;three', '12;rgb:0000/0000/0000'];
  expect(told.replies).toBe(answers.map((answer) => `\x1b]${answer}${ST}`).join(''));
});

for (const [what, request, answer] of [
  ['an entry of the palette', '4;1;?', '4;1;rgb:0000/0000/0000'],
  ['a special colour', '5;0;?', '5;0;rgb:0000/0000/0000'],
  ['the text', '10;?', '10;rgb:0000/0000/0000'],
  ['the cursor', '12;?', '12;rgb:0000/0000/0000'],
  ['a selection', '52;p;?', `52;p;${base64('primary')}`],
] as const) {
  for (const [end, sent, expected] of [
    ['BEL', '\x07', '\x07'],
    ['ST', ST, ST],
    ['ST in one character', '\x9c', ST],
    ['BEL behind characters without meaning', '\x01\x02\x07', '\x07'],
  ] as const) {
    test(`the answer to a question about ${what} ends as that does, by ${end}`, () => {
      const whole = startEngine();
      whole.write(`a\x07b\x1b]${request}${sent}`);
      expect(whole.told.replies).toBe(`\x1b]${answer}${expected}`);

      const pieces = startEngine();
      for (const character of `a\x07b\x1b]${request}${sent}\x07\x1b\\`) pieces.write(character);
      expect(pieces.told.replies).toBe(`\x1b]${answer}${expected}`);
    });
  }
}

test('each of several answers ends as the question did, and later questions have their own ends', () => {
  const { write, told } = startEngine();
  write(`\x1b]4;7;one;8;two${ST}\x1b]4;7;?;8;?\x07\x1b]4;7;?${ST}\x1b]10;?;?\x07`);
  const black = 'rgb:0000/0000/0000';
  expect(told.replies).toBe(
    `\x1b]4;7;one\x07\x1b]4;8;two\x07\x1b]4;7;one${ST}\x1b]10;${black}\x07\x1b]11;${black}\x07`,
  );
});

test('palette writes are never refused, those of text and background may be', () => {
  const { write, told } = startEngine({ permits: () => false });
  write(`\x1b]4;1;red${ST}\x1b]5;1;red${ST}\x1b]10;red${ST}\x1b]11;red${ST}`);
  expect([...told.colors.keys()]).toEqual([1, 'underline']);
  write(`\x1b]104${ST}`);
  expect([...told.colors.keys()]).toEqual(['underline']);
});

for (const [letters, expected] of [
  ['', ['SELECT', 'CUT_BUFFER0']],
  ['c', ['CLIPBOARD']],
  ['pqs7', ['PRIMARY', 'SECONDARY', 'SELECT', 'CUT_BUFFER7']],
  ['ccx', ['CLIPBOARD']],
] as const) {
  test(`text for the selections "${letters}" is written`, () => {
    const { write, told } = startEngine();
    write(`\x1b]52;${letters};${base64('häl lo')}${ST}`);
    expect(told.selections).toEqual([{ targets: expected, text: 'häl lo' }]);
  });
}

for (const [what, payload] of [
  ['an empty text', ''],
  ['what is not base64', '!'],
  ['a half group', 'QUJDR'],
] as const) {
  test(`${what} empties a selection`, () => {
    const { write, told } = startEngine();
    write(`\x1b]52;c;${payload}${ST}`);
    expect(told.selections).toEqual([{ targets: ['CLIPBOARD'], text: undefined }]);
  });
}

for (const sent of [`\x1b]52;x;QUJD${ST}`, `\x1b]52;c${ST}`, `\x1b]52;ccccccccccccc;QUJD${ST}`, `\x1b]52;c;QUJD\x18`]) {
  test(`${JSON.stringify(sent)} changes no selection`, () => {
    const { write, told } = startEngine();
    write(sent);
    expect(told.selections).toEqual([]);
  });
}

test('padding ends a payload, as in the reference terminal', () => {
  const { write, told } = startEngine();
  write(`\x1b]52;c;QUI='${ST}`);
  expect(told.selections.map(({ text }) => text)).toEqual(['AB']);
});

test('a payload may have as many bytes as is configured, above the general bound too', () => {
  const bytes = 1_500_000;
  const { write, told } = startEngine({ maxPayload: (bytes / 3) * 4 });
  write(`\x1b]52;c;${base64('x'.repeat(bytes))}${ST}`);
  expect(told.selections[0]?.text).toHaveLength(bytes);
  write(`\x1b]52;c;${base64('x'.repeat(bytes + 3))}${ST}`);
  expect(told.selections).toHaveLength(1);
});

test('a payload beyond a small bound is dropped', () => {
  const { write, told } = startEngine({ maxPayload: 8 });
  write(`\x1b]52;c;${base64('123456')}${ST}\x1b]52;c;${base64('1234567')}${ST}`);
  expect(told.selections.map(({ text }) => text)).toEqual(['123456']);
});

test('a selection is reported in base64, with the letters that mean something', () => {
  const { write, told } = startEngine();
  write(`\x1b]52;px;?${ST}\x1b]52;c;?${ST}\x1b]52;;?${ST}`);
  expect(told.replies).toBe(`\x1b]52;p;${base64('primary')}${ST}\x1b]52;c;${ST}\x1b]52;s0;${ST}`);
});

test('selections are written and read only where that is permitted, and a refused question is answered by an empty text', () => {
  const { write, told } = startEngine({ permits: (operation) => !operation.endsWith('Selection') });
  write(`\x1b]52;p;?${ST}\x1b]52;p;QUJD${ST}`);
  expect([told.replies, told.selections]).toEqual([`\x1b]52;p;${ST}`, []]);
});

for (const [what, permitted, sent, expected] of [
  ['a text that is not permitted', false, `\x1b]52;p;QUJD${ST}`, ['permission']],
  ['a clearing that is not permitted', false, `\x1b]52;c;!${ST}`, ['permission']],
  ['a text that is too long', true, `\x1b]52;c;QUJDQUJDQUJD${ST}`, ['length']],
  ['a text that is too long to be read', true, `\x1b]52;c;${'QUJD'.repeat(10)}${ST}`, ['length']],
  ['a text that is neither permitted nor short', false, `\x1b]52;c;${'QUJD'.repeat(10)}${ST}`, ['permission']],
  ['a text that is given up', false, `\x1b]52;c;QUJD\x18`, []],
  ['a text for nothing', false, `\x1b]52;x;QUJD${ST}`, []],
  ['a question', false, `\x1b]52;c;?${ST}`, []],
  ['a long title', false, `\x1b]2;${'x'.repeat(100)}${ST}`, []],
] as const) {
  test(`${what} is reported as a refused write ${expected.length} times`, () => {
    const { write, told } = startEngine({ maxPayload: 8, permits: () => permitted });
    write(sent);
    expect([told.refusedWrites, told.selections]).toEqual([expected, []]);
  });
}

for (const [sent, expected] of [
  [`\x1b]9;done${ST}`, [{ title: '', body: 'done' }]],
  [`\x1b]9;4;1;50${ST}\x1b]9;12${ST}\x1b]9;${ST}`, []],
  [`\x1b]777;notify;Build;done; really${ST}`, [{ title: 'Build', body: 'done; really' }]],
  [`\x1b]777;precmd${ST}\x1b]777;notify${ST}\x1b]777;notify;;${ST}`, []],
  [`\x1b]9;${'x'.repeat(3_000)}${ST}`, []],
] as const) {
  test(`${JSON.stringify(sent.slice(0, 40))} shows ${expected.length} messages`, () => {
    const { write, told } = startEngine();
    write(sent);
    expect(told.notifications).toEqual(expected);
  });
}

test('messages are shown only where that is permitted', () => {
  const { write, told } = startEngine({ permits: (operation) => operation !== 'Notify' });
  write(`\x1b]9;done${ST}\x1b]777;notify;a;b${ST}`);
  expect(told.notifications).toEqual([]);
});

test('titles are saved and restored, each by itself or both', () => {
  const { write, told } = startEngine();
  const present = (): (string | undefined)[] => [told.titles.at(-1), told.iconNames.at(-1)];
  write(`\x1b]2;t1${ST}\x1b]1;i1${ST}\x1b[22t\x1b]0;both${ST}`);
  write('\x1b[23;2t');
  expect(present()).toEqual(['t1', 'both']);
  write('\x1b[23;1t');
  expect(present()).toEqual(['t1', 'both']);
  write(`\x1b]2;t2${ST}\x1b[22;1t\x1b]1;i3${ST}\x1b[22;2t\x1b]0;x${ST}\x1b[23t`);
  expect(present()).toEqual(['t2', 'both']);
});

test('only the last ten titles are saved', () => {
  const { write, told } = startEngine();
  for (let number = 0; number < 12; number += 1) write(`\x1b]2;${number}${ST}\x1b[22t`);
  const before = told.titles.length;
  write('\x1b[23t'.repeat(12));
  expect(told.titles.slice(before)).toEqual(['11', '10', '9', '8', '7', '6', '5', '4', '3', '2']);
});

for (const [refused, expected] of [
  ['PushTitle', ['two']],
  ['PopTitle', ['two']],
  ['SetTitle', []],
] as const) {
  test(`without ${refused} no title comes back`, () => {
    let isRefused = false;
    const { write, told } = startEngine({ permits: (operation) => !isRefused || operation !== refused });
    write(`\x1b]2;one${ST}`);
    isRefused = true;
    write(`\x1b[22t\x1b]2;two${ST}\x1b[23t`);
    expect(told.titles.slice(1)).toEqual(expected);
  });
}

test('titles may be written and reported as hexadecimal digits, until a reset', () => {
  const { write, told } = startEngine();
  write(`\x1b[>0;1t\x1b]2;c3a4${ST}\x1b]2;zz${ST}\x1b[21t\x1b[>1T\x1b[21t\x1b[20t`);
  expect(told.titles).toEqual(['ä']);
  expect(told.replies).toBe(`\x1b]lc3a4${ST}${Buffer.from(`\x1b]lä${ST}`).toString('utf8')}\x1b]L${ST}`);
  write(`\x1bc\x1b]2;61${ST}`);
  expect(told.titles.at(-1)).toBe('61');
});
