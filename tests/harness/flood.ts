import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { IrcClient } from './irc-client.ts';

const TICK_MS = 10;

/** A client that says numbered lines at a steady rate until it is stopped. */
export interface Flood {
  /** Resolves when this many more lines were written. */
  spoken(lines: number): Promise<void>;
  /** Resolves with the number of lines that were written. */
  stop(): Promise<number>;
}

export function startFlood(speaker: IrcClient, channel: string, linesPerSecond: number): Flood {
  let isWanted = true;
  let count = 0;
  const began = performance.now();
  const ended = (async () => {
    while (isWanted) {
      const due = ((performance.now() - began) * linesPerSecond) / 1_000;
      for (; count < due; count += 1) speaker.say(channel, lineText(speaker.nick, count));
      await delay(TICK_MS);
    }
    return count;
  })();
  return {
    spoken: async (lines) => {
      const goal = count + lines;
      await waitFor(`${lines} more lines are said`, () => count >= goal);
    },
    stop: () => {
      isWanted = false;
      return ended;
    },
  };
}

/** A line of a flood; its number has a fixed width, so that texts sort as they were said. */
export const lineText = (who: string, n: number): string => `${who} line ${String(n).padStart(6, '0')}`;
