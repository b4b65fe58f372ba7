import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { type StartedTerminal, startTermprog } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

/** Pixels of the text area without a padding: 80 columns, 24 rows of `fixed`. */
const AREA_PIXELS = 80 * 6 * 24 * 13;

/** A place where a second window does not cover the first. */
const BESIDE = ['-geometry', '+600+0'];

const BLACK = 0x000000;

/** Waits until most of the window has a colour. */
const fills = (terminal: StartedTerminal, color: number): Promise<unknown> =>
  waitFor(`#${color.toString(16)} fills the window`, async () => {
    return countColor(await terminal.screenshot(), color) > AREA_PIXELS * 0.9;
  });

for (const [option, undone] of [
  ['-r', '+r'],
  ['-reverse', '+rv'],
] as const) {
  test(`${option} swaps foreground and background, and ${undone} undoes it`, async ({ desktop }) => {
    verifies('termprog.option.r', 'termprog.option.reverse');
    await using reversed = await startTermprog(desktop, { args: [option], script: 'sleep 60' });
    await using plain = await startTermprog(desktop, { args: [option, undone, ...BESIDE], script: 'sleep 60' });

    await fills(reversed, BLACK);
    await fills(plain, 0xffffff);
  });
}
