import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../quantile.ts';
import type { Desktop } from './desktop.ts';
import { firstLine, hasText } from './first-line.ts';
import { startSmallestClient, startTerminal, type Terminal, type TerminalName, terminalNames } from './terminals.ts';

/** Shows the text with a hidden cursor, whose look would depend on the focus. */
const script = "printf '\\033[?25lfirst text'; sleep 600";

/** Time in which every terminal draws the rest of the text. */
const SETTLE_MS = 1_000;

/** Interval of the looks at the screen, long enough that they do not slow down the X server. */
const POLL_MS = 1;

/** Time from the start of a program until its first text is on the screen, in milliseconds. */
export interface StartFigures {
  wallMs: number;
  cpuMs: number;
}

/** The terminals, and the smallest client in Node.js. */
export type StartResults = Record<TerminalName | 'smallest', StartFigures>;

/** Measures the starts of the programs, which take turns. */
export async function measureStart(desktop: Desktop, rounds: number): Promise<StartResults> {
  const starts: Record<TerminalName | 'smallest', () => Terminal> = {
    ...(Object.fromEntries(
      terminalNames.map((name) => [name, () => startTerminal(name, script, desktop.environment)]),
    ) as Record<TerminalName, () => Terminal>),
    smallest: () => startSmallestClient(desktop.environment),
  };
  const subjects: { name: string; start: () => Terminal; wanted: Buffer; figures: StartFigures[] }[] = [];
  for (const [name, start] of Object.entries(starts)) {
    subjects.push({ name, start, wanted: await settledPixels(desktop, start), figures: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { start, wanted, figures } of subjects) figures.push(await startOnce(desktop, start, wanted));
  }
  const median = (figures: StartFigures[], part: keyof StartFigures): number =>
    quantile(
      figures.map((each) => each[part]),
      0.5,
    );
  return Object.fromEntries(
    subjects.map(({ name, figures }) => [name, { wallMs: median(figures, 'wallMs'), cpuMs: median(figures, 'cpuMs') }]),
  ) as StartResults;
}

async function settledPixels(desktop: Desktop, start: () => Terminal): Promise<Buffer> {
  // The window of a program that has ended may still be there.
  await desktop.watch(firstLine, (pixels) => !hasText(pixels), POLL_MS);
  await using _program = start();
  await desktop.watch(firstLine, hasText, POLL_MS);
  await delay(SETTLE_MS);
  // Awaited here, because the program ends with this function.
  return await desktop.look(firstLine);
}

async function startOnce(desktop: Desktop, start: () => Terminal, wanted: Buffer): Promise<StartFigures> {
  await desktop.watch(firstLine, (pixels) => !pixels.equals(wanted), POLL_MS);
  const startedAt = performance.now();
  await using program = start();
  const wallMs = (await desktop.watch(firstLine, (pixels) => pixels.equals(wanted), POLL_MS)) - startedAt;
  return { wallMs, cpuMs: program.cpuMs() };
}
