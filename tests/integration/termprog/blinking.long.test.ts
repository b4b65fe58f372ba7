import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { type StartedTerminal, startTermprog } from '../../harness/start-termprog.ts';
import { startWatchedDesktop, type WatchedDesktop } from '../../harness/watched-desktop.ts';

const RED = 0xff0000;

/** A pixel inside of the first cell of `fixed`. */
const [X, Y] = [4, 10];

/** Colour of the mark that is printed behind a text. */
const GREEN = 0x00cd00;
const GREEN_X = X + 9 * 6;

/** The highest value of a resource. */
const FOREVER = '2147483647';

/** Short phases: a window that blinks does so many times in a test. */
const FAST = ['-bcn', '60', '-bcf', '60'];

let desktop: WatchedDesktop;

beforeAll(async () => {
  desktop = await startWatchedDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

let places = 0;

const isRed = async ({ window }: StartedTerminal): Promise<boolean> =>
  (await desktop.connection.pixelAt(window, X, Y)) === RED;

const XOR_OFF = ['-xrm', '*cursorBlinkXOR: false'];
const configured = (value: string): string[] => ['-xrm', `*cursorBlink: ${value}`];

test('the cursor blinks when asked to', async () => {
  verifies('termprog.resource.cursorBlink', 'termprog.option.bc');
  await using terminal = await start([...FAST, '-bc']);
  await blinks(terminal);
});

test('a blink asked for twice is none, unless either is enough', async () => {
  verifies('termprog.resource.cursorBlinkXOR');
  await using none = await start([...FAST, '-bc'], '\\033[?12h');
  await using either = await start([...FAST, '-bc', ...XOR_OFF], '\\033[?12h');
  await stays(none, true, either);
});

for (const [why, args, text] of [
  ['the application asks by mode 12', [], '\\033[?12h'],
  ['the application asks by DECSCUSR', [], '\\033[1 q'],
  ['it is configured to whatever applications ask', configured('always'), '\\033[?12h\\033[2 q'],
  ['it is configured to, and a reset takes the application’s request back', ['-bc'], '\\033[?12h\\033c'],
] as const) {
  test(`the cursor blinks when ${why}`, async () => {
    await using terminal = await start([...FAST, ...args], text);
    await blinks(terminal);
  });
}

for (const [why, args, text] of [
  ['nobody asks', [], ''],
  ['it is configured to rest whatever applications ask', configured('never'), '\\033[?12h\\033[1 q'],
  ['the application asks for a steady one', [], '\\033[1 q\\033[2 q'],
  ['the terminal was reset', [], '\\033[?12h\\033c'],
] as const) {
  test(`the cursor rests when ${why}`, async () => {
    await using terminal = await start([...FAST, ...args], text);
    await using peer = await start([...FAST, '-bc']);
    await stays(terminal, true, peer);
  });
}

test('a cursor is shown for the time that it is asked to be', async () => {
  verifies('termprog.resource.cursorOnTime', 'termprog.option.bcn');
  await using terminal = await start(['-bc', '-bcn', FOREVER, '-bcf', '1']);
  await using peer = await start(['-bc']);
  await stays(terminal, true, peer);
});

test('a cursor is hidden for the time that it is asked to be', async () => {
  verifies('termprog.resource.cursorOffTime', 'termprog.option.bcf');
  await using terminal = await start(['-bc', '-bcn', '60', '-bcf', FOREVER]);
  await using peer = await start(['-bc']);
  await stays(terminal, false, peer);
});

test('unless asked otherwise a cursor is shown twice as long as it is hidden, 900 ms together', async () => {
  verifies('termprog.limit.cursor-blink');
  await using terminal = await start(['-bc']);
  await using peer = await start(['-bc', '-bcn', '600', '-bcf', '300']);

  const [own, asked] = await Promise.all([cyclesOf(terminal), cyclesOf(peer)]);

  // A busy machine keeps both waiting.
  expect(own.shownMs / asked.shownMs).toBeGreaterThan(0.75);
  expect(own.shownMs / asked.shownMs).toBeLessThan(1.33);
  expect(own.hiddenMs / asked.hiddenMs).toBeGreaterThan(0.7);
  expect(own.hiddenMs / asked.hiddenMs).toBeLessThan(1.43);
});

/** Measures for how long a cursor is shown and hidden in six cycles, in milliseconds. */
async function cyclesOf(terminal: StartedTerminal): Promise<{ shownMs: number; hiddenMs: number }> {
  const [isShown, isHidden] = [() => isRed(terminal), async () => !(await isRed(terminal))];
  await waitFor('it is hidden', isHidden);
  await waitFor('a phase begins', isShown);
  const sum = { shownMs: 0, hiddenMs: 0 };
  for (let count = 0; count < 6; count += 1) {
    const shownAt = performance.now();
    await waitFor('it is hidden', isHidden);
    const hiddenAt = performance.now();
    await waitFor('it is shown', isShown);
    sum.shownMs += hiddenAt - shownAt;
    sum.hiddenMs += performance.now() - hiddenAt;
  }
  return sum;
}

test('without the focus the cursor rests', async () => {
  await using terminal = await startTermprog(desktop, {
    args: ['-uc', '-cr', 'red', '-geometry', '20x2+0+300', ...FAST, '-bc'],
    script: 'sleep 60',
  });
  await using peer = await start([...FAST, '-bc']);
  const isShown = async (): Promise<boolean> => (await desktop.connection.pixelAt(terminal.window, X, 14)) === RED;
  await waitFor('it is shown', isShown);
  const shown: boolean[] = [];
  for (let count = 0; count < 3; count += 1) {
    await blinks(peer, 1);
    shown.push(await isShown());
  }
  expect(shown).toEqual([true, true, true]);

  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);

  await waitFor('it is hidden', async () => !(await isShown()));
});

test('text that blinks goes and comes back, with its lines, and leaves its background', async () => {
  await using terminal = await start(FAST, '\\033[?25l\\033[5;31;44;4m____\\033[m');
  const pixel = (y: number): Promise<number> => desktop.connection.pixelAt(terminal.window, X, y);
  // An underscore lies in the row above the underline.
  const line = 14;
  await waitFor('it is shown', async () => (await pixel(line)) === 0xcd0000);
  await waitFor('it is hidden', async () => (await pixel(line)) === 0x0000ee);
  expect(await pixel(3)).toBe(0x0000ee);
  await waitFor('it is back', async () => (await pixel(line)) === 0xcd0000);
});

/** A terminal with a red cursor on its first cell, which blinks without the focus, too, if at all; the text was read. */
async function start(args: readonly string[], text = ''): Promise<StartedTerminal> {
  places = (places + 1) % 8;
  const terminal = await startTermprog(desktop, {
    args: ['-ah', '-cr', 'red', '-geometry', `20x2+${140 * places}+0`, ...args],
    script: `printf '${text}\\033[10G\\033[42m \\033[m\\r'; sleep 60`,
  });
  const { window, process } = terminal;
  await waitFor('the text was read', async () => (await desktop.connection.pixelAt(window, GREEN_X, Y)) === GREEN, {
    process,
  });
  return terminal;
}

/** Waits until it was shown, hidden and shown again `times` times. */
async function blinks(terminal: StartedTerminal, times = 2): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await waitFor('it is shown', () => isRed(terminal), { process: terminal.process });
    await waitFor('it is hidden', async () => !(await isRed(terminal)), { process: terminal.process });
  }
}

/** Expects that a terminal keeps its state all the time while another one blinks. */
async function stays(terminal: StartedTerminal, isShown: boolean, whileBlinks: StartedTerminal): Promise<void> {
  await waitFor('it shows what it will', async () => (await isRed(terminal)) === isShown);
  let changes = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) if ((await isRed(terminal)) !== isShown) changes += 1;
  })();
  await blinks(whileBlinks, 3);
  isDone = true;
  await watching;
  expect(changes).toBe(0);
}
