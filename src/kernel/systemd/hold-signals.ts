import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/** Signals by which a terminal, a lost connection or another program ends a command. */
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type EndingSignal = (typeof ENDING_SIGNALS)[number];

/** Turns of the event loop after which each signal that came during the work is delivered. */
const TURNS = 3;
const END_DEADLINE_MS = 1_000;

/**
 * Does work that must not stop halfway: signals wait until it is done, and then end the process as usual.
 * @param interrupted runs before the process ends by such a signal
 */
export async function holdSignals<T>(work: () => T, interrupted: () => void = () => undefined): Promise<T> {
  let caught: EndingSignal | undefined;
  const hold = (signal: NodeJS.Signals): void => {
    caught ??= signal as EndingSignal;
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, hold);
  try {
    return work();
  } finally {
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    for (const signal of ENDING_SIGNALS) process.off(signal, hold);
    if (caught !== undefined) await endBy(caught, interrupted);
  }
}

/** Ends the process by a signal, so that its parent sees why it ended. */
async function endBy(signal: EndingSignal, interrupted: () => void): Promise<void> {
  interrupted();
  process.kill(process.pid, signal);
  await delay(END_DEADLINE_MS);
}
