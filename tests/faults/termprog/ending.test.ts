import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { closeAsUser } from '../../harness/close-window.ts';
import {
  contentOf,
  type StartedTerminal,
  startTermprog,
  startXDesktop,
  type XDesktop,
} from '../../harness/start-termprog.ts';

/** The longest that a window may stay after what ends it. */
const END_MAX_MS = 200;

/** Of so many tries the best counts: the machine does other things too. */
const TRIES = 8;

/** The shortest time from what ends a terminal to its end. */
async function shortestEnd(attempt: () => Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < TRIES && shortest >= END_MAX_MS; run += 1) shortest = Math.min(shortest, await attempt());
  return shortest;
}

/** Milliseconds until the program has ended; its exit status is told, too. */
async function untilEnd({ process }: StartedTerminal, sinceMs: number, status: number): Promise<number> {
  expect((await process.ended).exitCode).toBe(status);
  return Date.now() - sinceMs;
}

/** Jobs that keep the terminal open, and what they do with it. Those that write end once it is gone. */
const JOBS = [
  ['keep the terminal open', 'sleep 20'],
  ['write line after line', 'while echo noise; do :; done'],
  ['write as fast as they can', 'cat /dev/zero'],
] as const;

for (const [what, job] of JOBS) {
  test(`the terminal ends within 200 ms of its child while background jobs ${what}`, async () => {
    await using desktop = await startXDesktop();
    const shortest = await shortestEnd(async () => {
      const [file, go] = [desktop.newFile(), desktop.newFile()];
      await using terminal = await startTermprog(desktop, {
        script: `trap '' HUP; (${job}) & while [ ! -e ${go} ]; do sleep 0.02; done; date +%s%3N > ${file}; exit 3`,
      });
      writeFileSync(go, '');
      await terminal.process.ended;
      return untilEnd(terminal, Number(contentOf(file)), 0);
    });
    expect(shortest).toBeLessThan(END_MAX_MS);
  });

  test(`the terminal ends within 200 ms when the user closes it while background jobs ${what}`, async () => {
    await using desktop = await startXDesktop();
    const shortest = await shortestEnd(async () => {
      const ready = desktop.newFile();
      await using terminal = await startTermprog(desktop, {
        script: `trap '' HUP TERM; (${job}) & : > ${ready}; sleep 20`,
      });
      await waitFor('the jobs run', () => existsSync(ready));
      const startMs = Date.now();
      await closeAsUser(desktop, terminal.window);
      return untilEnd(terminal, startMs, 0);
    });
    expect(shortest).toBeLessThan(END_MAX_MS);
  });
}

test('the terminal ends within 200 ms of its X server, with status 1, and hangs up on its child', async () => {
  const shortest = await shortestEnd(async () => {
    await using desktop: XDesktop = await startXDesktop();
    const [file, ready] = [desktop.newFile(), desktop.newFile()];
    await using terminal = await startTermprog(desktop, {
      script: `trap 'echo hup > ${file}; exit' HUP; : > ${ready}; while :; do echo noise; done`,
    });
    // Before, a signal would end it without a word.
    await waitFor('it is ready', () => existsSync(ready));
    const startMs = Date.now();
    desktop.endServer();
    const endMs = await untilEnd(terminal, startMs, 1);
    await waitFor('the child was told', () => contentOf(file) === 'hup\n');
    return endMs;
  });
  expect(shortest).toBeLessThan(END_MAX_MS);
});
