import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { type StartedTerminal, startTermprog, startXDesktop } from '../../harness/start-termprog.ts';
import { openTestConnection } from '../../harness/test-connection.ts';
import { startWatchedDesktop, type WatchedDesktop } from '../../harness/watched-desktop.ts';

/** Colour under the windows: the compositor's own grey, as the root window has no picture. */
const UNDERNEATH = 0x808080;
const WHITE = 0xffffff;
const BLACK = 0x000000;

let desktop: WatchedDesktop;

beforeAll(async () => {
  desktop = await startWatchedDesktop({ isComposited: true });
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

/** A pixel of the screen, as one sees it. */
const seenAt = (x: number, y: number): Promise<number> =>
  desktop.connection.pixelAt(desktop.connection.x.screen.root, x, y);

const sees = (what: string, color: number, x: number, y: number): Promise<unknown> =>
  waitFor(`${what} is #${color.toString(16)}`, async () => (await seenAt(x, y)) === color);

/** A window at the corner with a border of ten pixels around its text. */
const start = (args: readonly string[], text: string, size = '20x3'): Promise<StartedTerminal> =>
  startTermprog(desktop, {
    args: ['-geometry', `${size}+0+0`, '-b', '10', ...args],
    script: `printf '${text}'; sleep 60`,
  });

/** Some pixel inside of a cell of `fixed` that is a blank. */
const cellAt = (column: number, row: number): [number, number] => [10 + column * 6 + 3, 10 + row * 13 + 6];

const EVERYTHING = '█\\033[41m \\033[7;42m \\033[m\\033[7m \\033[m\\r\\n';

test('the default background is translucent, and all else is opaque', async () => {
  verifies('termprog.resource.backgroundOpacity', 'termprog.option.opacity');
  await using terminal = await start(['-opacity', '0.5', '-ah', '-cr', 'red'], EVERYTHING);

  await sees('an empty cell', 0xc0c0c0, ...cellAt(10, 0));
  await sees('the inner border', 0xc0c0c0, 3, 3);
  await sees('text', BLACK, ...cellAt(0, 0));
  await sees('a background of its own', 0xcd0000, ...cellAt(1, 0));
  await sees('a reversed cell', BLACK, ...cellAt(2, 0));
  await sees('a reversed cell without colours', BLACK, ...cellAt(3, 0));
  await sees('the cursor', 0xff0000, ...cellAt(0, 1));
  expect(terminal.process.output()).toBe('');
});

test('a window without any opacity shows only what is not background', async () => {
  await using terminal = await start(['-opacity', '0'], EVERYTHING);

  await sees('an empty cell', UNDERNEATH, ...cellAt(10, 0));
  await sees('text', BLACK, ...cellAt(0, 0));
  expect(terminal.process.output()).toBe('');
});

test('reversed, what is shown as the background is translucent', async () => {
  await using terminal = await start(['-opacity', '0.5', '-rv'], EVERYTHING);

  await sees('an empty cell', 0x404040, ...cellAt(10, 0));
  await sees('text', WHITE, ...cellAt(0, 0));
  expect(terminal.process.output()).toBe('');
});

test('an application reverses what is translucent, too', async () => {
  await using terminal = await start(['-opacity', '0.5'], `${EVERYTHING}\\033[?5h`);

  await sees('an empty cell', 0x404040, ...cellAt(10, 0));
  expect(terminal.process.output()).toBe('');
});

test('scrolled lines and the cells of a larger window are as translucent', async () => {
  const scroll = 'line\\r\\n'.repeat(12);
  await using terminal = await start(['-opacity', '0.5'], `${scroll}\\033[41m \\033[m`);
  await sees('the last line', 0xcd0000, ...cellAt(0, 2));
  await sees('an empty cell', 0xc0c0c0, ...cellAt(10, 1));

  await desktop.run('xdotool', 'windowsize', `${terminal.window}`, '400', '200');

  await sees('a new corner', 0xc0c0c0, 390, 190);
});

test('a window with a border is opaque there', async () => {
  await using terminal = await start(['-opacity', '0.5', '-bw', '8', '-bd', 'blue'], '');
  await sees('the border', 0x0000ff, 4, 4);
  await sees('the inside', 0xc0c0c0, 12, 12);
  expect(terminal.process.output()).toBe('');
});

for (const args of [[], ['-opacity', '1.0'], ['-opacity', 'disabled']]) {
  test(`with "${args.join(' ')}" the window is opaque`, async () => {
    verifies('termprog.option.opacity');
    await using terminal = await start(args, EVERYTHING);

    await sees('text', BLACK, ...cellAt(0, 0));
    await sees('an empty cell', WHITE, ...cellAt(10, 0));
    expect(terminal.process.output()).toBe('');
  });
}

test('without a compositor the window is opaque, and one line says so', async () => {
  await using plain = await startXDesktop();
  await using terminal = await startTermprog(plain, {
    args: ['-opacity', '0.5', '-geometry', '20x3+0+0'],
    script: "printf '\\033[41m \\033[m'; sleep 60",
  });
  await using watching = await openTestConnection(plain);

  await waitFor('it is drawn', async () => (await watching.pixelAt(terminal.window, 4, 8)) === 0xcd0000);
  expect(await watching.pixelAt(terminal.window, 60, 8)).toBe(WHITE);
  expect(terminal.process.output()).toBe(
    'termprog: warning: resource vt100.backgroundOpacity: no compositor is running; the window is opaque\n',
  );
});

test('an opacity that is none is refused with what was expected', async () => {
  await using terminal = await start(['-opacity', '1.5'], EVERYTHING);

  await sees('an empty cell', WHITE, ...cellAt(10, 0));
  expect(terminal.process.output()).toContain('is not a number from 0 to 1 or disabled');
});
