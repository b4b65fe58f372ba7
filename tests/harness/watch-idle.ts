import { IdleClock } from '../../scripts/stack/idle-clock.ts';

/** The idle clock looks at the programs no more often. */
const LOOK_MS = 500;

/** Time in which the programs of a test were idle although they had work to do. */
export interface WatchedIdle extends Disposable {
  /** Milliseconds, to half a second. */
  read(): number;
}

/**
 * Begins to count the time in which the programs that this process started do not run and do not wait for a processor.
 * It is meant for the upper bound of a program's wait: on a busy machine the program takes longer, but is not idle.
 */
export function watchIdle(): WatchedIdle {
  const clock = new IdleClock();
  const timer = setInterval(() => clock.read(), LOOK_MS);
  return { read: () => clock.read().idleMs, [Symbol.dispose]: () => clearInterval(timer) };
}
