import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { contentOf, type StartedTerminal, startTermprog } from '../../harness/start-termprog.ts';
import { compareInk, countColor } from './pixels.ts';

const BLACK = 0;

/** Two steps back of half a page each: 24 lines. */
async function scrollBack(terminal: StartedTerminal): Promise<void> {
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'key', 'shift+Prior', 'shift+Prior');
}

/** Starts a terminal that prints numbers, and more of them once `go` is called. */
async function startCounting(args: string[], first: number, last: number) {
  const file = desktop.newFile();
  const script = `seq 1 ${first}; while [ ! -e ${file} ]; do sleep 0.02; done; seq ${first + 1} ${last}; echo done > ${file}-done; sleep 60`;
  const terminal = await startTermprog(desktop, { script, args: ['-si', ...args] });
  return { terminal, go: () => writeFileSync(file, ''), done: () => contentOf(`${file}-done`) !== '' };
}

for (const saveLines of [30, 1024]) {
  test(`with ${saveLines} lines of history, a view of older lines keeps its distance while more lines come`, async () => {
    const args = ['-sl', `${saveLines}`];
    const early = await startCounting(args, 60, 700);
    await using scrolled = early.terminal;
    const whole = await startCounting([...args, '-geometry', '-0-0'], 700, 700);
    await using reference = whole.terminal;
    for (const terminal of [scrolled, reference]) {
      await waitFor('it prints', async () => countColor(await terminal.screenshot(), BLACK) > 500);
    }
    const live = await scrolled.screenshot();
    await scrollBack(scrolled);
    await waitFor('it shows older lines', async () => {
      const { inked, equal } = compareInk(await scrolled.screenshot(), live);
      return inked !== equal;
    });

    early.go();
    await waitFor('it is printed', early.done);
    await scrollBack(reference);

    await waitFor('both show the same lines', async () =>
      (await scrolled.screenshot()).data.equals((await reference.screenshot()).data),
    );
    expect(scrolled.process.output()).toBe('');
  });
}
