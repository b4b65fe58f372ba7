import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/selections.ts';
import { desktop } from '../../harness/fixtures/shared-desktop.ts';
import { ATOMS } from '../../harness/selection-peer.ts';
import { openSelectionScene } from './selection-scene.ts';

const PRIMARY: number = ATOMS.PRIMARY;

/** Resource that binds a key to copy. */
const COPIES = ['-xrm', '*vt100.translations: #override <Key>F5: select-end(CLIPBOARD)'];

/** Clicks of a multiple click may be as far apart, so that they are one on a busy machine, too. */
const PATIENT = ['-mc', '2000'];

/** Pauses that are longer than the time between the clicks of a multiple click: by default, and with `PATIENT`. */
const CALM_MS = 400;
const LONG_CALM_MS = 2_200;

let clipboard: number;

test.beforeAll(({ atoms }) => {
  ({ clipboard } = atoms);
});

const calm = (ms = CALM_MS): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('two clicks select a word, three a line, four nothing, and so on', async () => {
  const { pointer, isGiven, given } = await openSelectionScene(desktop, PATIENT);
  await pointer.click([8, 1], { times: 2 });
  await isGiven('line');
  await calm(LONG_CALM_MS);
  await pointer.click([8, 1], { times: 3 });
  await isGiven('second line\n');
  await calm(LONG_CALM_MS);
  await pointer.click([8, 1], { times: 5 });
  await isGiven('line');
  await calm(LONG_CALM_MS);
  await pointer.click([0, 3], { times: 4 });
  await calm(LONG_CALM_MS);
  expect(await given()).toBe('fourth line here\n');
});

test('clicks count as one by default when less than a quarter of a second is between them', async () => {
  verifies('termprog.limit.multiClickTime');
  const { pointer, given } = await openSelectionScene(desktop);
  await waitFor('a word is selected', async () => {
    await calm();
    await pointer.click([1, 1], { times: 2, gapMs: 150 });
    return (await given()) === 'second';
  });
});

/** Two clicks that are slower than by default count as one with these arguments. */
async function takesSlowClicks(args: readonly string[]): Promise<void> {
  const { pointer, given } = await openSelectionScene(desktop, args);
  await waitFor('a word is selected', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await pointer.click([1, 1], { times: 2, gapMs: 350 });
    return (await given()) === 'second';
  });
}

test('the resource says how slow clicks may be', async () => {
  verifies('termprog.resource.multiClickTime');
  await takesSlowClicks(['-xrm', '*multiClickTime: 900']);
});

test('-mc says how slow clicks may be', async () => {
  verifies('termprog.option.mc');
  await takesSlowClicks(['-mc', '900']);
});

test('clicks that are slower than by default select no word', async () => {
  const { pointer, isGiven, peer } = await openSelectionScene(desktop);
  await peer.writeBuffer(0, Buffer.from('before'));
  await pointer.click([0, 3], { times: 2, gapMs: 350 });
  expect((await peer.readBuffer(0)).data.toString()).toBe('before');
  await pointer.drag([0, 1], [3, 1]);
  await isGiven('sec');
});

/** The classes join a whole line into a word. */
async function joinsWords(args: readonly string[]): Promise<void> {
  const { pointer, isGiven } = await openSelectionScene(desktop, [...PATIENT, ...args]);
  await pointer.click([8, 0], { times: 2 });
  await isGiven('first-line of text');
}

test('the resource says which characters make a word', async () => {
  verifies('termprog.resource.charClass');
  await joinsWords(['-xrm', '*charClass: 45:48,32-33:48']);
});

test('-cc says which characters make a word', async () => {
  verifies('termprog.option.cc');
  await joinsWords(['-cc', '45:48,32-33:48']);
});

test('with Meta held the selection is a block', async () => {
  verifies('termprog.translation.Meta-Btn1Down');
  const { pointer, isGiven } = await openSelectionScene(desktop);
  await pointer.do('keydown', 'alt');
  await pointer.drag([2, 0], [6, 3]);
  await pointer.do('keyup', 'alt');
  await isGiven('rst-\ncond\n\nurth');
});

test('the third button moves the nearer end, and the unit stays', async () => {
  verifies('termprog.action.start-extend', 'termprog.translation.without-Ctrl-Meta-Btn3Down');
  const { pointer, isGiven } = await openSelectionScene(desktop, PATIENT);
  await pointer.drag([6, 0], [10, 0]);
  await isGiven('line');
  await pointer.click([13, 0], { button: 3 });
  await isGiven('line of');
  await pointer.drag([7, 0], [3, 0], 3);
  await isGiven('st-line of');
  await calm(LONG_CALM_MS);
  await pointer.click([8, 0], { times: 2 });
  await isGiven('line');
  await pointer.click([1, 1], { button: 3 });
  await isGiven('line of text\nsecond');
});

test('another meaning of SELECT takes effect at once, and an unknown word has no effect', async () => {
  verifies('termprog.action.set-select', 'termprog.resource.selectToClipboard');
  const { pointer, given, isGiven } = await openSelectionScene(desktop, [
    '-xrm',
    '*vt100.translations: #override <Key>F5: set-select(on)\\n<Key>F6: set-select(toggle)\\n<Key>F7: set-select(maybe)',
  ]);
  await pointer.drag([0, 0], [5, 0]);
  await isGiven('first');
  await pointer.do('key', 'F5', 'key', 'F7');
  await pointer.drag([0, 1], [6, 1]);
  await isGiven('second', clipboard);
  expect(await given(PRIMARY)).toBe('first');
  await pointer.do('key', 'F6');
  await pointer.drag([0, 3], [6, 3]);
  await isGiven('fourth');
  expect(await given(clipboard)).toBe('second');
});

test('the pointer above and below the text scrolls, and the selection grows into the history', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index}\r\n`).join('');
  const { pointer, given, isGiven, terminal } = await openSelectionScene(
    desktop,
    [...COPIES, '-geometry', '80x24+0+200'],
    lines,
  );
  // Keys go to the window also when the pointer is outside.
  await pointer.do('windowfocus', '--sync', String(terminal.window));
  await pointer.do(pointer.at([3, 5]), 'mousedown', '1', pointer.at([0, 2]), pointer.at([0, -12]));
  await waitFor('the selection reaches the first line', async () => {
    await pointer.do('key', 'F5');
    return (await given(clipboard))?.startsWith('line 0\n');
  });
  // The pointer goes below the text: the selection reaches the newest line, and no further.
  await pointer.do(pointer.at([0, 40]));
  await waitFor('the selection reaches the last line', async () => {
    await pointer.do('key', 'F5');
    return (await given(clipboard))?.endsWith('line 199\n');
  });
  await pointer.do('mouseup', '1');
  await waitFor('it is published', async () => (await given())?.endsWith('line 199\n'));
  const text = await given();
  expect(text).toMatch(/^e 182\n/);
  await isGiven(text ?? '', clipboard);
});

test('a selection stays with its text through output and resizes', async () => {
  const { pointer, write, given, isGiven, terminal } = await openSelectionScene(desktop, COPIES);
  await pointer.drag([6, 0], [6, 1]);
  await isGiven('line of text\nsecond');
  await write('\x1b[24;1H\r\n\r\nmore\r\n');
  await desktop.run('xdotool', 'windowsize', '--sync', String(terminal.window), '64', '200');
  await write('');
  await waitFor('it is copied', async () => {
    await pointer.do('key', 'F5');
    return (await given(clipboard)) === 'line of text\nsecond';
  });
});
