import type { ControlSequence } from '../control-function.ts';
import type { TerminalState } from '../terminal-state.ts';

/** Answers by the number of the request; ECMA-48 8.3.35. */
const REPORTS: Readonly<Record<number, (state: TerminalState) => string>> = {
  // There is no malfunction.
  5: () => '\x1b[0n',
  6: ({ screen }) => {
    const { row, column } = screen.address;
    return `\x1b[${row + 1};${column + 1}R`;
  },
};

export const deviceStatus: ControlSequence = {
  kind: 'csi',
  name: 'DSR, device status report',
  sequences: ['n'],
  choices: Object.keys(REPORTS),
  run: (state, parameters) => {
    const answer = REPORTS[parameters.at(0)]?.(state);
    if (answer !== undefined) state.host.reply(answer);
  },
};
