import { expect, test } from 'vitest';
import { pressKeys } from '../../harness/press-keys.ts';
import { startXDesktop } from '../../harness/start-termprog.ts';
import { startTypist } from '../../harness/typist.ts';

/** Keycodes of a PC keyboard, by what they have in the layout of the United States. */
const Q = '024';
const W = '025';
const E = '026';
const A = '038';
const S = '039';
const APOSTROPHE = '048';
const GRAVE = '049';
const BRACKET = '034';
const SPACE = '065';
const TWO = '011';
const CAPS_LOCK = '066';

for (const { layout, strokes, text } of [
  { layout: ['us'], strokes: [Q, `shift+${Q}`, CAPS_LOCK, Q, `shift+${Q}`, TWO, CAPS_LOCK], text: 'qQQq2' },
  {
    layout: ['de'],
    strokes: ['029', '052', APOSTROPHE, `shift+${APOSTROPHE}`, '020', `ISO_Level3_Shift+${E}`, `ISO_Level3_Shift+${Q}`],
    text: 'zyäÄß€@',
  },
  { layout: ['de'], strokes: ['021', E, `shift+021`, A, GRAVE, '032', GRAVE, SPACE], text: 'éàô^' },
  {
    layout: ['fr'],
    strokes: [Q, A, TWO, `shift+${TWO}`, BRACKET, E, `shift+${BRACKET}`, '031', `ISO_Level3_Shift+019`],
    text: 'aqé2êï@',
  },
  { layout: ['es'], strokes: [APOSTROPHE, A, '047', `shift+${APOSTROPHE}`, '030'], text: 'áñü' },
  { layout: ['ru'], strokes: [Q, W, `shift+${Q}`, `shift+${TWO}`, CAPS_LOCK, Q, CAPS_LOCK], text: 'йцЙ"Й' },
  { layout: ['gr'], strokes: [A, S, `shift+${S}`, '047', A, CAPS_LOCK, A, CAPS_LOCK], text: 'ασΣάΑ' },
  { layout: ['il'], strokes: [A, S, '040'], text: 'שדג' },
  { layout: ['ara'], strokes: [A, S, '056'], text: 'شسلا' },
  { layout: ['th'], strokes: [Q, A, S, `shift+${A}`], text: 'ๆฟหฤ' },
  { layout: ['ge'], strokes: [Q, A, S], text: 'ქას' },
  { layout: ['am'], strokes: [Q, A], text: 'ճջ' },
  { layout: ['jp', 'kana'], strokes: [A, S, Q], text: 'チトタ' },
  { layout: ['us', 'dvorak'], strokes: [Q, W, E, A, S, '040'], text: "',.aoe" },
  {
    layout: ['de', 'neo'],
    strokes: [Q, W, `shift+${Q}`, `${CAPS_LOCK}+${Q}`, '040', `shift+${CAPS_LOCK}+040`, `${CAPS_LOCK}+094+040`],
    text: 'xvX…aα∀',
  },
] as const) {
  test(`the layout ${layout.join(' ')} types ${text}`, async () => {
    await using desktop = await startXDesktop();
    const [name, variant = ''] = layout;
    await desktop.run('setxkbmap', name, variant);
    await using typist = await startTypist(desktop);
    expect(await typist.type(...strokes)).toBe(text);
  });
}

test('a keyboard of three layouts types that of the group in effect, and Control takes its letters from any', async () => {
  await using desktop = await startXDesktop();
  await desktop.run('setxkbmap', 'us,ru,de', '-option', 'grp:caps_toggle');
  await using typist = await startTypist(desktop);
  const [capsLock, control, alt, y, c, f5] = [66, 37, 64, 29, 54, 71];
  const group = [[y], [control, c], [alt, c], [capsLock]];
  const typed = typist.next();
  await pressKeys(desktop, ...group, ...group, ...group, [y], [f5]);
  expect(await typed).toBe('y\x03\x1bcн\x03\x1bсz\x03\x1bcy');
});

test('keys typed right after the keyboard was changed have their new letters, in order', async () => {
  await using desktop = await startXDesktop();
  await using typist = await startTypist(desktop);
  expect(await typist.type(Q, W)).toBe('qw');
  for (const [layout, text] of [
    ['ru', 'йц'],
    ['fr', 'az'],
    ['gr', ';ς'],
    ['us', 'qw'],
  ] as const) {
    await desktop.run('setxkbmap', layout);
    expect(await typist.type(Q, W)).toBe(text);
  }
});
