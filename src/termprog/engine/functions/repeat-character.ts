import type { ControlSequence } from '../control-function.ts';
import type { TerminalState } from '../terminal-state.ts';

/** Characters that are written at once. */
const AT_ONCE = 1_024;

export const repeatCharacter: ControlSequence = {
  kind: 'csi',
  name: 'REP, repeat preceding graphic character',
  sequences: ['b'],
  run: (state, parameters) => {
    const { precedingCharacter, printer } = state;
    if (precedingCharacter === 0 || printer.repeatable === 0) return;
    const count = boundCount(state, parameters.count(0));
    state.screen.work += count;
    const run = new Uint32Array(Math.min(count, AT_ONCE)).fill(printer.repeatable);
    for (let left = count; left > 0; left -= AT_ONCE) printer.print(run, 0, Math.min(left, AT_ONCE));
  },
};

/** Bounds the count: more characters than the screen holds look the same. */
function boundCount(state: TerminalState, wanted: number): number {
  const { columns, rows, margins, hasSideMargins } = state.screen;
  const count = Math.min(wanted, columns * rows);
  if (!hasSideMargins) return count;
  // All characters from the second row on stay between the margins. If these are near, they are full soon; then only
  // whole rows may be left out.
  const width = margins.right - margins.left + 1;
  const perRow = state.isSingleCell(state.printer.repeatable) ? width : Math.max(1, Math.floor(width / 2));
  const enough = columns + rows * perRow;
  return count <= enough ? count : enough + ((count - enough) % perRow);
}
