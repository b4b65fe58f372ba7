const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
/** 128 plus the number of the signal, as in shells. */
const STATUSES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Lets a command undo its work when a signal ends it.
 * @param said line that is then printed to standard error
 */
export function endingOnSignals(said: string) {
  let undo: () => void = () => undefined;
  const ended = (signal: (typeof SIGNALS)[number]): void => {
    undo();
    process.stderr.write(`${said}\n`);
    process.exit(STATUSES[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, ended);
  return {
    undoneBy: (by: () => void): void => {
      undo = by;
    },
    stop: (): void => {
      for (const signal of SIGNALS) process.off(signal, ended);
    },
  };
}
