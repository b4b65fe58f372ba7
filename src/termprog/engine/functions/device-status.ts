import { colorSchemeReport } from '../color-scheme.ts';
import type { ControlFunction } from '../control-function.ts';
import type { Parameters } from '../parameters.ts';
import type { TerminalState } from '../terminal-state.ts';

interface PrivateReport {
  level: number;
  answer(state: TerminalState, parameters: Parameters): string;
}

/** Answers by the number of the request; ECMA-48 8.3.35. */
const REPORTS: Readonly<Record<number, (state: TerminalState) => string>> = {
  // There is no malfunction.
  5: () => '\x1b[0n',
  6: ({ screen }) => {
    const { row, column } = screen.address;
    return `\x1b[${row + 1};${column + 1}R`;
  },
};

const always = (level: number, answer: string): PrivateReport => ({ level, answer: () => answer });

/** The number of the only page of text. */
const PAGE = 1;

/** Answers by the number of the private request; VT420 programmer reference, and the color scheme protocol. */
const PRIVATE_REPORTS: Readonly<Record<number, PrivateReport>> = {
  6: {
    level: 1,
    answer: ({ screen, level }) => {
      const { row, column } = screen.address;
      return `\x1b[?${row + 1};${column + 1}${level >= 4 ? `;${PAGE}` : ''}R`;
    },
  },
  // There is no printer.
  15: always(2, '\x1b[?13n'),
  // User-defined keys are locked: there are none.
  25: always(2, '\x1b[?21n'),
  // The keyboard's language is unknown; it is ready; its type is that of a PC.
  26: { level: 2, answer: ({ level }) => `\x1b[?27;0${level >= 3 ? ';0' : ''}${level >= 4 ? ';5' : ''}n` },
  // There is no locator device, and therefore no known type of one.
  53: always(4, '\x1b[?50n'),
  55: always(4, '\x1b[?50n'),
  56: always(4, '\x1b[?57;0n'),
  // There is no room for macros, and none is stored.
  62: always(4, '\x1b[0*{'),
  63: { level: 4, answer: (_state, parameters) => `\x1bP${parameters.at(1)}!~0000\x1b\\` },
  // No transmission failed; there is one session.
  75: always(4, '\x1b[?70n'),
  85: always(4, '\x1b[?83n'),
  996: { level: 1, answer: ({ host }) => colorSchemeReport(host.colors.isDark()) },
};

/** Reports of the state of the terminal and its parts. */
export const deviceStatus: readonly ControlFunction[] = [
  {
    kind: 'csi',
    name: 'DSR, device status report',
    sequences: ['n'],
    choices: Object.keys(REPORTS),
    run: (state, parameters) => {
      const answer = REPORTS[parameters.at(0)]?.(state);
      if (answer !== undefined) state.host.reply(answer);
    },
  },
  {
    kind: 'csi',
    name: 'DECDSR, device status report, private, with DECXCPR, extended cursor position report',
    sequences: ['?n'],
    choices: Object.keys(PRIVATE_REPORTS),
    run: (state, parameters) => {
      const report = PRIVATE_REPORTS[parameters.at(0)];
      if (report !== undefined && state.level >= report.level) state.host.reply(report.answer(state, parameters));
    },
  },
];
