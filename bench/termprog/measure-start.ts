import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../quantile.ts';
import type { Desktop } from './desktop.ts';
import { firstLine, hasText } from './first-line.ts';
import { startTerminal, type TerminalName, terminalNames } from './terminals.ts';

/** The text and its surroundings; the cursor is hidden, for a terminal may have the focus or not. */
const script = "printf '\\033[?25lfirst text'; sleep 600";

/** Long enough for every terminal to draw the rest of the text. */
const SETTLE_MS = 1_000;

/** Rare enough that the checks do not slow down the X server. */
const POLL_MS = 1;

/** From the start of the program until its first text is on the screen, in milliseconds; terminals take turns. */
export async function measureStart(desktop: Desktop, rounds: number): Promise<Record<TerminalName, number>> {
  const subjects: { name: TerminalName; wanted: Buffer; times: number[] }[] = [];
  for (const name of terminalNames) subjects.push({ name, wanted: await settledPixels(desktop, name), times: [] });
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, wanted, times } of subjects) times.push(await startOnce(desktop, name, wanted));
  }
  return Object.fromEntries(subjects.map(({ name, times }) => [name, quantile(times, 0.5)])) as Record<
    TerminalName,
    number
  >;
}

async function settledPixels(desktop: Desktop, name: TerminalName): Promise<Buffer> {
  // The window of a terminal that has ended may still be there.
  await desktop.watch(firstLine, (pixels) => !hasText(pixels), POLL_MS);
  await using _terminal = startTerminal(name, script, desktop.environment);
  await desktop.watch(firstLine, hasText, POLL_MS);
  await delay(SETTLE_MS);
  // Asked and answered while the terminal is there.
  return await desktop.look(firstLine);
}

async function startOnce(desktop: Desktop, name: TerminalName, wanted: Buffer): Promise<number> {
  await desktop.watch(firstLine, (pixels) => !pixels.equals(wanted), POLL_MS);
  const start = performance.now();
  await using _terminal = startTerminal(name, script, desktop.environment);
  return (await desktop.watch(firstLine, (pixels) => pixels.equals(wanted), POLL_MS)) - start;
}
