import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from '../quantile.ts';
import type { Desktop } from './desktop.ts';
import { firstLine, hasText } from './first-line.ts';
import { startTerminal, type TerminalName, terminalNames } from './terminals.ts';

const POLL_MS = 1;

/** Time from the end of the child until the window is gone, in milliseconds. */
export interface EndFigures {
  aloneMs: number;
  /** The same while a job in the background still writes to the terminal. */
  busyMs: number;
}

/** Measures the end of each terminal; they take turns. */
export async function measureEnd(
  desktop: Desktop,
  { folder, rounds }: { folder: string; rounds: number },
): Promise<Record<TerminalName, EndFigures>> {
  const go = join(folder, 'end');
  execFileSync('mkfifo', [go]);
  // The child ends as soon as it has read a line; the job does not listen to the hang-up.
  const alone = `printf '\\033[?25lfirst text'; read line < ${go}`;
  const busy = `trap '' HUP; (while echo noise; do sleep 0.01; done) & ${alone}`;
  const times = Object.fromEntries(
    terminalNames.map((name) => [name, { alone: [] as number[], busy: [] as number[] }]),
  ) as Record<TerminalName, { alone: number[]; busy: number[] }>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of terminalNames) {
      times[name].alone.push(await endOnce(desktop, { name, script: alone, go }));
      times[name].busy.push(await endOnce(desktop, { name, script: busy, go }));
    }
  }
  return Object.fromEntries(
    terminalNames.map((name) => [
      name,
      { aloneMs: quantile(times[name].alone, 0.5), busyMs: quantile(times[name].busy, 0.5) },
    ]),
  ) as Record<TerminalName, EndFigures>;
}

async function endOnce(
  desktop: Desktop,
  { name, script, go }: { name: TerminalName; script: string; go: string },
): Promise<number> {
  const empty = await desktop.look(firstLine);
  await using _terminal = startTerminal(name, script, desktop.environment);
  await desktop.watch(firstLine, hasText, POLL_MS);
  const start = performance.now();
  writeFileSync(go, '\n');
  return (await desktop.watch(firstLine, (pixels) => pixels.equals(empty), POLL_MS)) - start;
}
