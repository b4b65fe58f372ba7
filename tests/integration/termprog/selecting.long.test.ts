import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { type Pointer, pointerOver } from '../../harness/pointer.ts';
import { ATOMS, type SelectionPeer, startSelectionPeer } from '../../harness/selection-peer.ts';
import { startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { startWrittenTerminal, type WrittenTerminal } from '../../harness/written-terminal.ts';

const PRIMARY: number = ATOMS.PRIMARY;
const TEXT = 'first-line of text\r\nsecond line\r\n\r\nfourth line here\r\n';

/** A key that copies. */
const COPIES = ['-xrm', '*vt100.translations: #override <Key>F5: select-end(CLIPBOARD)'];

/** Longer than the time between the clicks of a multiple click. */
const CALM_MS = 400;

let desktop: XDesktop;
let utf8String: number;
let clipboard: number;

beforeAll(async () => {
  desktop = await startXDesktop();
  using peer = await startSelectionPeer(desktop.environment);
  utf8String = await peer.intern('UTF8_STRING');
  clipboard = await peer.intern('CLIPBOARD');
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

interface Scene extends WrittenTerminal {
  peer: SelectionPeer;
  pointer: Pointer;
  /** What another program is given. */
  given(selection?: number): Promise<string | undefined>;
  /** Waits until another program is given that. */
  isGiven(text: string, selection?: number): Promise<void>;
}

async function openScene(args: readonly string[] = [], text = TEXT): Promise<Scene> {
  const peer = await startSelectionPeer(desktop.environment);
  onTestFinished(() => peer[Symbol.dispose]());
  const written = await startWrittenTerminal(desktop, { args: ['-fn', 'fixed', ...args] });
  onTestFinished(() => written[Symbol.asyncDispose]());
  await written.write(text);
  const given = async (selection = PRIMARY): Promise<string | undefined> =>
    (await peer.ownerOf(selection)) === 0 ? undefined : (await peer.convert(selection, utf8String))?.data.toString();
  return {
    ...written,
    peer,
    pointer: pointerOver(desktop, written.terminal),
    given,
    isGiven: async (wanted, selection) => {
      let last: string | undefined;
      await waitFor(`another program is given ${JSON.stringify(wanted)}`, async () => {
        last = await given(selection);
        return last === wanted;
      }).catch((error: unknown) => {
        throw new Error(`another program was given ${JSON.stringify(last)}`, { cause: error });
      });
    },
  };
}

const calm = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, CALM_MS));

test('what is dragged over is selected, and published when the button is released', async () => {
  verifies(
    'termprog.action.select-start',
    'termprog.action.select-extend',
    'termprog.action.select-end',
    'termprog.translation.without-Meta-Btn1Down',
    'termprog.translation.button-motion',
    'termprog.translation.any-button-release',
  );
  const { peer, pointer, isGiven } = await openScene();
  // By motion alone: the end is where the last motion was.
  await pointer.drag([6, 0], [6, 1]);
  await isGiven('line of text\nsecond');
  await waitFor(
    'the cut buffer has it',
    async () => (await peer.readBuffer(0)).data.toString() === 'line of text\nsecond',
  );
  await pointer.drag([11, 3], [0, 3]);
  await isGiven('fourth line');
});

test('two clicks select a word, three a line, four nothing, and so on', async () => {
  const { pointer, isGiven, given } = await openScene();
  await pointer.click([8, 1], { times: 2 });
  await isGiven('line');
  await calm();
  await pointer.click([8, 1], { times: 3 });
  await isGiven('second line\n');
  await calm();
  await pointer.click([8, 1], { times: 5 });
  await isGiven('line');
  await calm();
  await pointer.click([0, 3], { times: 4 });
  await calm();
  expect(await given()).toBe('fourth line here\n');
});

test('by default clicks count as one when less than a quarter of a second is between them', async () => {
  verifies('termprog.limit.multiClickTime');
  const { pointer, given } = await openScene();
  await waitFor('a word is selected', async () => {
    await calm();
    await pointer.click([1, 1], { times: 2, gapMs: 150 });
    return (await given()) === 'second';
  });
});

/** Two clicks that are slower than by default count as one with these arguments. */
async function takesSlowClicks(args: readonly string[]): Promise<void> {
  const { pointer, given } = await openScene(args);
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
  const { pointer, isGiven, peer } = await openScene();
  await peer.writeBuffer(0, Buffer.from('before'));
  await pointer.click([0, 3], { times: 2, gapMs: 350 });
  expect((await peer.readBuffer(0)).data.toString()).toBe('before');
  await pointer.drag([0, 1], [3, 1]);
  await isGiven('sec');
});

/** The classes join a whole line into a word. */
async function joinsWords(args: readonly string[]): Promise<void> {
  const { pointer, isGiven } = await openScene(args);
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
  const { pointer, isGiven } = await openScene();
  await pointer.do('keydown', 'alt');
  await pointer.drag([2, 0], [6, 3]);
  await pointer.do('keyup', 'alt');
  await isGiven('rst-\ncond\n\nurth');
});

test('the third button moves the nearer end, and the unit stays', async () => {
  verifies('termprog.action.start-extend', 'termprog.translation.without-Ctrl-Meta-Btn3Down');
  const { pointer, isGiven } = await openScene();
  await pointer.drag([6, 0], [10, 0]);
  await isGiven('line');
  await pointer.click([13, 0], { button: 3 });
  await isGiven('line of');
  await pointer.drag([7, 0], [3, 0], 3);
  await isGiven('st-line of');
  await calm();
  await pointer.click([8, 0], { times: 2 });
  await isGiven('line');
  await pointer.click([1, 1], { button: 3 });
  await isGiven('line of text\nsecond');
});

test('another meaning of SELECT takes effect at once, and an unknown word changes nothing', async () => {
  verifies('termprog.action.set-select', 'termprog.resource.selectToClipboard');
  const { pointer, given, isGiven } = await openScene([
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
  const { pointer, given, isGiven, terminal } = await openScene([...COPIES, '-geometry', '80x24+0+200'], lines);
  // Keys go to the window also when the pointer is outside.
  await pointer.do('windowfocus', '--sync', String(terminal.window));
  await pointer.do(pointer.at([3, 5]), 'mousedown', '1', pointer.at([0, 2]), pointer.at([0, -12]));
  await waitFor('the selection reaches the first line', async () => {
    await pointer.do('key', 'F5');
    return (await given(clipboard))?.startsWith('line 0\n');
  });
  // Below the text: to the newest line, and no further.
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
  const { pointer, write, given, isGiven, terminal } = await openScene(COPIES);
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
