import type { ControlSequence } from '../control-function.ts';
import type { HighlightRequest } from '../engine-host.ts';
import type { Parameters } from '../parameters.ts';

export const scrollDown: ControlSequence = {
  kind: 'csi',
  name: 'SD, scroll down; with five parameters, or a 0, highlight tracking of the mouse',
  sequences: ['T'],
  run: ({ screen, host }, parameters) => {
    const isZero = parameters.at(0) === 0 && !parameters.isOmitted(0);
    if (parameters.length === 1 && !isZero) screen.scrollDown(parameters.count(0));
    else host.highlight(requestOf(parameters));
  },
};

/**
 * Returns the request in the parameters: function, column, row, first row and the row after the last; all but the first
 * count from 1.
 */
function requestOf(parameters: Parameters): HighlightRequest | undefined {
  if (parameters.at(0) === 0) return undefined;
  return {
    column: parameters.at(1) - 1,
    row: parameters.count(2) - 1,
    firstRow: parameters.at(3) - 1,
    lastRow: parameters.at(4) - 2,
  };
}
