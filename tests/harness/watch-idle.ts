import { IdleClock } from '../../scripts/stack/idle-clock.ts';

/** The idle clock looks at the programs no more often. */
const LOOK_MS = 500;

/** How long the programs of a test have done nothing, while they were to do something. */
export interface WatchedIdle extends Disposable {
  /** Milliseconds, to half a second. */
  read(): number;
}

/**
 * Begins to count the time in which the programs that this process started neither run nor wait for a processor.
 * For the upper bound of what a program may wait for: on a busy machine it takes longer, but is not idle.
 */
export function watchIdle(): WatchedIdle {
  const clock = new IdleClock();
  const timer = setInterval(() => clock.read(), LOOK_MS);
  return { read: () => clock.read(), [Symbol.dispose]: () => clearInterval(timer) };
}
