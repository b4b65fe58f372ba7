import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import x11, { type WireEvent } from 'x11';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { answer, connectX } from '../../../scripts/stack/x-client.ts';
import { closeAsUser } from '../../harness/close-window.ts';
import {
  contentOf,
  type StartedTerminal,
  startTermprog,
  startXDesktop,
  type XDesktop,
} from '../../harness/start-termprog.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

/** The longest that a terminal may wait with its end, in milliseconds; how long a user sees it is measured in `bench/`. */
const WAITED_MAX_MS = 1_000;

/** Waits for the end of the program, which comes by itself and without a wait. */
async function endsSoon({ process }: StartedTerminal, status: number): Promise<void> {
  using waited = watchIdle();
  expect((await process.ended).exitCode).toBe(status);
  expect(waited.read()).toBeLessThan(WAITED_MAX_MS);
}

/** Jobs that keep the terminal open, and what they do with it. Those that write end once it is gone. */
const JOBS = [
  ['keep the terminal open', 'sleep 120'],
  ['write line after line', 'while echo noise; do :; done'],
  ['write as fast as they can', 'cat /dev/zero'],
] as const;

for (const [what, job] of JOBS) {
  test(`the terminal ends with its child while background jobs ${what}`, async () => {
    await using desktop = await startXDesktop();
    const go = desktop.newFile();
    await using terminal = await startTermprog(desktop, {
      script: `trap '' HUP; (${job}) & while [ ! -e ${go} ]; do sleep 0.02; done; exit 3`,
    });
    writeFileSync(go, '');
    await endsSoon(terminal, 0);
  });

  test(`the terminal ends when the user closes it while background jobs ${what}`, async () => {
    await using desktop = await startXDesktop();
    const ready = desktop.newFile();
    await using terminal = await startTermprog(desktop, {
      script: `trap '' HUP TERM; (${job}) & : > ${ready}; sleep 120`,
    });
    await waitFor('the jobs run', () => existsSync(ready));
    await closeAsUser(desktop, terminal.window);
    await endsSoon(terminal, 0);
  });
}

test('the terminal ends with its X server, with status 1, and hangs up on its child', async () => {
  await using desktop: XDesktop = await startXDesktop();
  const [file, ready] = [desktop.newFile(), desktop.newFile()];
  await using terminal = await startTermprog(desktop, {
    script: `trap 'echo hup > ${file}; exit' HUP; : > ${ready}; while :; do echo noise; done`,
  });
  // Before the trap is set, a signal would end the child without a word.
  await waitFor('it is ready', () => existsSync(ready));
  desktop.endServer();
  await endsSoon(terminal, 1);
  await waitFor('the child was told', () => contentOf(file) === 'hup\n');
});

/** Lines of history; a program takes a tenth of a second and more to free their memory. */
const LONG_HISTORY = 500_000;

test('the window is gone before the program gives the memory of a long history back', async () => {
  await using desktop = await startXDesktop();
  const shares: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const [file, full, go] = [desktop.newFile(), desktop.newFile(), desktop.newFile()];
    await using terminal = await startTermprog(desktop, {
      args: ['-sl', String(LONG_HISTORY)],
      script: `seq ${LONG_HISTORY + 100}; : > ${full}; while [ ! -e ${go} ]; do sleep 0.02; done; date +%s%3N > ${file}`,
    });
    await waitFor('the history is full', () => existsSync(full));
    await using gone = await watchDestruction(desktop, terminal.window);
    writeFileSync(go, '');
    await gone.seen;
    const goneMs = Date.now();
    await terminal.process.ended;
    const startMs = Number(contentOf(file));
    shares.push((goneMs - startMs) / (Date.now() - startMs));
  }
  console.log(
    `window gone after these parts of the program's end: ${shares.map((share) => share.toFixed(2)).join(', ')}`,
  );
  expect(Math.min(...shares)).toBeLessThan(0.5);
});

/** Returns a promise that resolves when a window has been destroyed. */
async function watchDestruction(
  { environment }: XDesktop,
  window: number,
): Promise<{ seen: Promise<void> } & AsyncDisposable> {
  const { client } = await connectX(environment);
  const { promise: seen, resolve } = Promise.withResolvers<void>();
  client.on('event', ({ name, wid }: WireEvent) => {
    if (name === 'DestroyNotify' && wid === window) resolve();
  });
  client.ChangeWindowAttributes(window, { eventMask: x11.eventMask['StructureNotify'] ?? 0 });
  await answer('that it watches', (done) => client.GetInputFocus(done));
  return { seen, [Symbol.asyncDispose]: async () => client.terminate() };
}
