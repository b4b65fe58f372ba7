import type { PNG } from 'pngjs';
import { expect, onTestFinished } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/selections.ts';
import { desktop } from '../../harness/fixtures/shared-desktop.ts';
import { type CellPlace, type Pointer, pointerOver } from '../../harness/pointer.ts';
import { restingPicture } from '../../harness/resting-picture.ts';
import { ATOMS, type SelectionPeer, startSelectionPeer } from '../../harness/selection-peer.ts';
import { startXterm } from '../../harness/start-termprog.ts';
import { startWrittenTerminal, type WrittenTerminal } from '../../harness/written-terminal.ts';
import { compareInk, countColor } from './pixels.ts';

const { PRIMARY } = ATOMS;
const BLACK = 0;
const GREEN = 0x00ff00;
const TEXT =
  '\x1b[?25lplain text\r\n\x1b[31mred\x1b[m \x1b[7mreverse\x1b[m \x1b[1mbold\x1b[m \x1b[4mline\x1b[m  \r\n\r\nlast line';
const COPIES = ['-xrm', '*vt100.translations: #override <Key>F5: select-end(CLIPBOARD)'];

let utf8String: number;

test.beforeAll(({ atoms }) => {
  ({ utf8String } = atoms);
});

interface Scene extends WrittenTerminal {
  pointer: Pointer;
  peer: SelectionPeer;
  /** Waits for a picture. */
  shows(what: string, isIt: (picture: PNG) => boolean): Promise<unknown>;
}

/** Selected blanks are black: far more than letters are. */
const isMarked = (picture: PNG): boolean => countColor(picture, BLACK) > 2_000;
/** Black pixels that show that at least half of the text is drawn. */
const TEXT_PIXELS_MIN = 300;
const isUnmarked = (picture: PNG): boolean => countColor(picture, BLACK) < 1_200;

test.each<{ name: string; from: CellPlace; to: CellPlace }>([
  { name: 'in one row', from: [2, 0], to: [8, 0] },
  { name: 'over the end of a row', from: [6, 0], to: [30, 0] },
  { name: 'over several rows', from: [3, 0], to: [4, 3] },
  { name: 'from below', from: [20, 6], to: [5, 1] },
  { name: 'over reverse text', from: [6, 1], to: [13, 1] },
])('selected text looks as in xterm: $name', async ({ from, to }) => {
  const script = `printf '${TEXT.replaceAll('\x1b', '\\033').replaceAll('\r\n', '\\r\\n')}'; sleep 60`;
  const reference = await startXterm(desktop, {
    args: ['-geometry', '40x8', '-xrm', '*boldColors: false', '-xrm', '*VT100.colorMode: on'],
    script,
  });
  let theirs: PNG;
  try {
    await waitFor('the text shows', async () => countColor(await reference.screenshot(), BLACK) > TEXT_PIXELS_MIN);
    const unmarked = await restingPicture(reference);
    await pointerOver(desktop, reference).drag(from, to);
    await waitFor('the text is marked', async () => !(await reference.screenshot()).data.equals(unmarked.data));
    theirs = await restingPicture(reference);
  } finally {
    await reference[Symbol.asyncDispose]();
  }
  const { pointer, shows } = await openScene(['-bw', '0']);
  await pointer.drag(from, to);
  let last: { inked: number; equal: number } | undefined;
  await shows('the same', (ours) => {
    last = compareInk(ours, theirs);
    return last.inked === last.equal;
  }).catch((error: unknown) => {
    throw new Error(JSON.stringify(last), { cause: error });
  });
  expect(last?.inked).toBeGreaterThan(500);
});

test('selected text that is overwritten is no longer marked, and stays published', async () => {
  const { pointer, shows, write, peer } = await openScene();
  await pointer.drag([2, 0], [4, 3]);
  await shows('it is marked', isMarked);
  await write('\x1b[8;1Helsewhere');
  await shows('it is marked', isMarked);
  await write('\x1b[2;2HX');
  await shows('it is not marked', isUnmarked);
  expect((await peer.convert(PRIMARY, utf8String))?.data.toString()).toBe('ain text\nred reverse bold line  \n\nlast');
});

test('a selection that another program takes over is no longer marked', async () => {
  const { pointer, shows, peer } = await openScene();
  await pointer.drag([2, 0], [4, 3]);
  await shows('it is marked', isMarked);
  await peer.own(PRIMARY, () => undefined);
  await shows('it is not marked', isUnmarked);
});

test('a click ends the selection, and leaves its text to others', async () => {
  const { pointer, shows, peer } = await openScene();
  await pointer.drag([2, 0], [4, 3]);
  await shows('it is marked', isMarked);
  await pointer.click([30, 6]);
  await shows('it is not marked', isUnmarked);
  expect((await peer.convert(PRIMARY, utf8String))?.data.length).toBe(38);
});

test('copied text flashes in its colour for a while, and a new selection does not', async () => {
  verifies('termprog.resource.copyFlashDuration', 'termprog.resource.copyFlashColor');
  const flash = ['-xrm', '*copyFlashDuration: 1500', '-xrm', `*copyFlashColor: #00ff00`];
  const { pointer, shows, terminal } = await openScene([...COPIES, ...flash]);
  await pointer.drag([2, 0], [4, 3]);
  await shows('it is marked', isMarked);
  expect(countColor(await terminal.screenshot(), GREEN)).toBe(0);
  await pointer.do('key', 'F5');
  await shows('it flashes', (picture) => countColor(picture, GREEN) > 1_000 && isUnmarked(picture));
  await shows('it is marked again', (picture) => countColor(picture, GREEN) === 0 && isMarked(picture));
});

test('without a colour copied text flashes in its own, and by default not at all', async () => {
  const { pointer, shows } = await openScene([...COPIES, '-xrm', '*copyFlashDuration: 1500']);
  await pointer.drag([2, 0], [4, 3]);
  await shows('it is marked', isMarked);
  await pointer.do('key', 'F5');
  await shows('it flashes', isUnmarked);
  await shows('it is marked again', isMarked);
});

async function openScene(args: readonly string[] = []): Promise<Scene> {
  const peer = await startSelectionPeer(desktop.environment);
  onTestFinished(() => peer[Symbol.dispose]());
  const written = await startWrittenTerminal(desktop, { args: ['-fn', 'fixed', '-geometry', '40x8', ...args] });
  onTestFinished(() => written[Symbol.asyncDispose]());
  await written.write(TEXT);
  const { terminal } = written;
  return {
    ...written,
    peer,
    pointer: pointerOver(desktop, terminal),
    shows: (what, isIt) => waitFor(what, async () => isIt(await terminal.screenshot())),
  };
}
