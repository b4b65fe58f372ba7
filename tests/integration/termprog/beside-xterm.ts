import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type StartedTerminal, startTermprog, startXterm, type XDesktop } from '../../harness/start-termprog.ts';
import { compareInk } from './pixels.ts';

/** Pixels of 40 columns of `fixed` and the padding, and of a scrollbar with its border. */
export const TEXT_WIDTH = 40 * 6 + 4;
export const SCROLLBAR_WIDTH = 15;

const SCRIPT = 'seq 1 100; sleep 60';

export interface Pair {
  ours: StartedTerminal;
  theirs: StartedTerminal;
}

/** Ours and the reference terminal, one below the other. */
export async function startBoth(
  desktop: XDesktop,
  args: readonly string[],
  script = SCRIPT,
): Promise<AsyncDisposable & Pair> {
  // Else one of them would have the focus.
  await desktop.run('xdotool', 'mousemove', '900', '700');
  const ours = await startTermprog(desktop, { args: ['-geometry', '40x12+0+0', ...args], script });
  const theirs = await startXterm(desktop, { args: ['-geometry', '40x12+0+300', ...args], script });
  return {
    ours,
    theirs,
    [Symbol.asyncDispose]: async () => {
      await ours[Symbol.asyncDispose]();
      await theirs[Symbol.asyncDispose]();
    },
  };
}

/** Waits until both windows have the same size and ink. */
export async function becomeEqual({ ours, theirs }: Pair): Promise<void> {
  await waitFor('both windows show the same', async () => {
    const pictures = [await ours.screenshot(), await theirs.screenshot()] as const;
    if (pictures[0].width !== pictures[1].width || pictures[0].height !== pictures[1].height) return false;
    const { inked, equal } = compareInk(...pictures);
    return inked > 200 && inked === equal;
  });
}
