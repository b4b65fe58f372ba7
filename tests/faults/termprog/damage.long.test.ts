import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { answer, connectX } from '../../../scripts/stack/x-client.ts';
import { sliceOfCommit } from '../../harness/commit-slice.ts';
import { disturbWindow } from '../../harness/disturb-window.ts';
import { inDepthOr } from '../../harness/fuzz-runs.ts';
import { randomFrom, screenStream } from '../../harness/screen-stream.ts';
import { startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { startWrittenTerminal } from '../../harness/written-terminal.ts';

const SEEDS = Array.from({ length: 40 }, (_, n) => n + 1);
/** The long tests try this many, and the nightly tests all. */
const SEEDS_PER_RUN = 10;

const seeds = inDepthOr(SEEDS, () => sliceOfCommit(SEEDS, SEEDS_PER_RUN));

const PIECES_MAX = 25;

for (const [server, options] of [
  ['a server', []],
  ['a server that keeps what is covered', ['+bs']],
  ['a server without extensions', ['-extension', 'Composite', '-extension', 'DAMAGE', '-extension', 'RENDER']],
] as const) {
  test(`on ${server}, what scrolls under moving windows is in the end as if it had been alone`, async () => {
    await using desktop = await startXDesktop(options);
    await compareDisturbed(desktop);
  });
}

/** Coverage for each colour, and glyphs that reach into the cells beside their own, where they lean. */
const OUTLINE = ['-fa', 'DejaVu Sans Mono:rgba=rgb', '-fs', '8'];

test('with outline fonts, what scrolls under moving windows is in the end as if it had been alone', async () => {
  await using desktop = await startXDesktop();
  await compareDisturbed(desktop, OUTLINE);
});

for (const [command, ...look] of [
  [['xcompmgr', '-n']],
  [['xcompmgr', '-n'], ...OUTLINE, '-opacity', '0.5'],
  [['picom', '--config', '/dev/null', '--backend', 'xrender']],
] as const) {
  test(`with the compositor ${command[0]} and "${look.join(' ')}", what scrolls under moving windows is in the end as if it had been alone`, async () => {
    await using desktop = await startXDesktop();
    const compositor = startProcess({ name: command[0], command, env: desktop.environment });
    try {
      await waitFor('it composes', () => isRedirected(desktop), { process: compositor });
      await compareDisturbed(desktop, look);
    } finally {
      await compositor.stop();
    }
  });
}

/** A compositor owns the selection of this name; EWMH. */
const COMPOSITOR = '_NET_WM_CM_S0';

async function isRedirected({ environment }: XDesktop): Promise<boolean> {
  const { client } = await connectX(environment);
  // The library would give the number that it has on another server.
  delete client.atoms[COMPOSITOR];
  const selection = await answer<number>('an atom', (reply) => client.InternAtom(false, COMPOSITOR, reply));
  const owner = await answer<number>('the compositor', (reply) => client.GetSelectionOwner(selection, reply));
  client.terminate();
  return owner !== 0;
}

/** Writes the same to a window that others cover and move, and to one that stays untouched. */
async function compareDisturbed(desktop: XDesktop, look: readonly string[] = []): Promise<void> {
  await using disturbed = await startWrittenTerminal(desktop, { args: ['-geometry', '80x24+0+0', ...look] });
  await using whole = await startWrittenTerminal(desktop, { args: ['-geometry', '80x24-0-0', ...look] });
  for (const seed of seeds) {
    const random = randomFrom(seed);
    const pieces = screenStream(random, 1 + random(PIECES_MAX));
    await whole.write(pieces.join(''));
    {
      await using _disturbance = await disturbWindow(desktop.environment, disturbed.terminal.window, randomFrom(~seed));
      for (const piece of pieces) {
        await disturbed.write(piece);
        await delay(random(12));
      }
    }
    await waitFor(`the pictures of round ${seed} are equal`, async () => {
      const [one, other] = await Promise.all([disturbed.terminal.screenshot(), whole.terminal.screenshot()]);
      return one.data.equals(other.data);
    });
  }
  expect(disturbed.terminal.process.output()).toBe('');
}
