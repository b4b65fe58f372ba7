import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../quantile.ts';
import { cellArea, type Desktop } from './desktop.ts';
import { startSmallestClient, startTerminal, type TerminalName, terminalNames } from './terminals.ts';

/** Keycode of x on every keyboard of an X server. */
const KEYCODE_X = 53;

/** Keys of a round, as many as fit in one line; the first shows how the character looks. */
const KEYS_PER_ROUND = 70;
const KEYS_UNDER_LOAD = 40;

/** Pause between keys; a person who types quickly takes twice as long. */
const BETWEEN_KEYS_MS = 30;

/** Time for a terminal to settle after its start or after a key. */
const SETTLE_MS = 500;

export interface KeyFigures {
  medianMs: number;
  p99Ms: number;
}

/** The terminals, and the smallest program in Node.js that shows keys. */
export type KeyResults = Record<TerminalName | 'smallest', KeyFigures>;

/** Measures the time from a key's press until its character, which the kernel echoes, is on the screen. */
export async function measureKeys(desktop: Desktop, rounds: number): Promise<KeyResults> {
  return inTurns([...terminalNames, 'smallest'], rounds, (name) => typeLine(desktop, name));
}

/** Measures the same while output keeps the terminal busy; a child answers the key with a colour in the corner. */
export async function measureKeysUnderLoad(
  desktop: Desktop,
  rounds: number,
): Promise<Record<TerminalName, KeyFigures>> {
  return inTurns(terminalNames, rounds, (name) => typeUnderLoad(desktop, name));
}

async function inTurns<Name extends string>(
  names: readonly Name[],
  rounds: number,
  type: (name: Name) => Promise<number[]>,
): Promise<Record<Name, KeyFigures>> {
  const latencies = new Map(names.map((name): [Name, number[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) latencies.get(name)?.push(...(await type(name)));
  }
  return Object.fromEntries(
    [...latencies].map(([name, all]) => [name, { medianMs: quantile(all, 0.5), p99Ms: quantile(all, 0.99) }]),
  ) as Record<Name, KeyFigures>;
}

async function typeLine(desktop: Desktop, name: TerminalName | 'smallest'): Promise<number[]> {
  await using _terminal =
    name === 'smallest'
      ? startSmallestClient(desktop.environment)
      : startTerminal(name, 'stty -icanon; exec cat > /dev/null', desktop.environment);
  await waitForWindow(desktop);
  desktop.press(KEYCODE_X);
  desktop.release(KEYCODE_X);
  await delay(SETTLE_MS);
  const typed = await desktop.look(cellArea(0, 0));
  const latencies: number[] = [];
  for (let column = 1; column <= KEYS_PER_ROUND; column += 1) {
    latencies.push(await pressUntil(desktop, column, (pixels) => pixels.equals(typed)));
  }
  return latencies;
}

/** Presses and releases a key. Returns the milliseconds until a cell of the first row is as wanted. */
async function pressUntil(desktop: Desktop, column: number, isAsWanted: (pixels: Buffer) => boolean): Promise<number> {
  const start = performance.now();
  desktop.press(KEYCODE_X);
  const seen = await desktop.watch(cellArea(column, 0), isAsWanted);
  desktop.release(KEYCODE_X);
  await delay(BETWEEN_KEYS_MS);
  return seen - start;
}

/** Draws words all over the screen but its first line; a key turns the corner from red to green and back. */
const busyScript = `stty -echo -icanon
chunk=$(awk 'BEGIN { for (i = 0; i < 40; i++) printf "\\033[%d;%dHcursor motion", 2 + (i * 7) % 22, 1 + (i * 11) % 60 }')
(while :; do printf '%s' "$chunk"; done) &
color=1
while dd bs=1 count=1 >/dev/null 2>&1; do color=$((3 - color)); printf '\\0337\\033[1;1H\\033[4%sm \\033[m\\0338' $color; done`;

async function typeUnderLoad(desktop: Desktop, name: TerminalName): Promise<number[]> {
  await using _terminal = startTerminal(name, busyScript, desktop.environment);
  await waitForWindow(desktop);
  await delay(SETTLE_MS);
  let before = await desktop.look(cellArea(0, 0));
  const latencies: number[] = [];
  for (let key = 0; key < KEYS_UNDER_LOAD; key += 1) {
    latencies.push(await pressUntil(desktop, 0, (pixels) => !pixels.equals(before)));
    before = await desktop.look(cellArea(0, 0));
  }
  return latencies;
}

/** Waits for a white window on the black screen, and moves the pointer into it. */
async function waitForWindow(desktop: Desktop): Promise<void> {
  await desktop.watch(cellArea(20, 20), (pixels) => pixels.subarray(0, 3).every((byte) => byte === 255), 10);
  desktop.point();
  await delay(SETTLE_MS);
}
