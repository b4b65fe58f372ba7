import { setTimeout as delay } from 'node:timers/promises';
import type { PNG } from 'pngjs';
import { timeOfProcess } from '../../scripts/stack/idle-clock.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { StartedTerminal } from './start-termprog.ts';

/** A terminal that draws does so at least each few milliseconds. */
const REST_MS = 300;
/** Processor time that a terminal with no work may use between the two pictures, in milliseconds. */
const REST_WORK_MAX_MS = 5;

/**
 * Returns the picture of a window when all is drawn: the same before and after a time in which the terminal was idle.
 * Later pictures are compared with it; other faces may load after the first text shows.
 */
export function restingPicture({ process, screenshot }: Pick<StartedTerminal, 'process' | 'screenshot'>): Promise<PNG> {
  return waitFor('the window rests', async () => {
    const before = await screenshot();
    const worked = timeOfProcess(process.pid);
    await delay(REST_MS);
    const isAtRest = timeOfProcess(process.pid) - worked < REST_WORK_MAX_MS;
    const after = await screenshot();
    return isAtRest && after.data.equals(before.data) && after;
  });
}
