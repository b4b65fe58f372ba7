import { appendFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Area, Desktop } from '../desktop.ts';
import { startTerminal, type TerminalName } from '../terminals.ts';
import type { Scene } from './scenes.ts';

/** Time without a change after which a picture is finished; one that keeps changing is taken at the deadline. */
const STEADY_MS = 350;
const DEADLINE_MS = 10_000;
const PAUSE_MS = 40;

/** Place of the pointer outside of every terminal. */
const NOWHERE = { x: 1279, y: 1023 };

/** A full reset: the cursor at home on an empty screen. */
const RESET = '\x1bc';
const COLUMNS_AND_ROWS = '80x20';

export interface Picture {
  pixels: Buffer;
  width: number;
  height: number;
}

/** A terminal that shows one scene after the other. */
export interface FedTerminal extends AsyncDisposable {
  /** The picture of the whole window with its border, when it does not change any more. */
  show(scene: Scene): Promise<Picture>;
}

/** @param top upper edge of its window on the screen; its left edge is that of the screen */
export async function startFedTerminal(
  desktop: Desktop,
  name: TerminalName,
  { folder, args, top }: { folder: string; args: readonly string[]; top: number },
): Promise<FedTerminal> {
  const file = `${folder}/shown-by-${name}`;
  writeFileSync(file, '');
  const geometry = ['-geometry', `${COLUMNS_AND_ROWS}+0+${top}`];
  const terminal = startTerminal(name, `exec tail -c +1 -f '${file}'`, desktop.environment, [...args, ...geometry]);
  const area = await waitFor(`${name} shows its window`, () => desktop.windowAt(top));
  let shown: Buffer | undefined;
  return {
    show: async ({ text, focus }) => {
      desktop.point(focus === 'inside' ? { x: 100, y: top + 100 } : NOWHERE);
      // A dot at a place that all scenes leave empty separates two scenes that look alike.
      appendFileSync(file, `${RESET}\x1b[20;1H.`);
      const between = await settle(desktop, area, { unlike: shown, steadyMs: 0 });
      appendFileSync(file, RESET + text);
      shown = await settle(desktop, area, { unlike: between, steadyMs: STEADY_MS });
      return { pixels: shown, width: area.width, height: area.height };
    },
    [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose](),
  };
}

/** @param unlike the picture that has not yet changed */
async function settle(
  desktop: Desktop,
  area: Area,
  { unlike, steadyMs }: { unlike: Buffer | undefined; steadyMs: number },
): Promise<Buffer> {
  const start = performance.now();
  let [pixels, since] = [await desktop.look(area), start];
  while (performance.now() - since < steadyMs || unlike?.equals(pixels) === true) {
    await delay(PAUSE_MS);
    const now = await desktop.look(area);
    if (!now.equals(pixels)) [pixels, since] = [now, performance.now()];
    if (performance.now() - start > DEADLINE_MS) break;
  }
  return pixels;
}
