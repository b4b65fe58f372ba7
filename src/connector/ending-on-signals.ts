const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
/** 128 plus the number of the signal, as in shells. */
const STATUSES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Lines about a last step that a signal must not interrupt. */
export interface LastStep {
  /** Printed at the first signal, which is ignored. */
  goesOn: string;
  /** Printed at the second one, which ends the command. */
  isUnknown: string;
}

/**
 * Lets a command undo its work when a signal ends it.
 * @param said line that is then printed to standard error
 */
export function endingOnSignals(said: string) {
  let undo: () => void = () => undefined;
  let lastStep: LastStep | undefined;
  let wasIgnored = false;
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const ended = (signal: (typeof SIGNALS)[number]): void => {
    if (lastStep !== undefined && !wasIgnored) {
      wasIgnored = true;
      say(lastStep.goesOn);
      return;
    }
    if (lastStep === undefined) undo();
    say(lastStep?.isUnknown ?? said);
    process.exit(STATUSES[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, ended);
  return {
    undoneBy: (by: () => void): void => {
      undo = by;
    },
    /** From now on the work can't be undone. */
    completes: (lines: LastStep): void => {
      lastStep = lines;
    },
    stop: (): void => {
      for (const signal of SIGNALS) process.off(signal, ended);
    },
  };
}
