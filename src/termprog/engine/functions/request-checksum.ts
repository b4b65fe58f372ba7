import { CLUSTER, CODE_MASK, CONTINUATION, WORDS_PER_CELL } from '../cell.ts';
import { areaFrom, type CellArea } from '../cell-area.ts';
import type { ControlSequence } from '../control-function.ts';
import type { TerminalState } from '../terminal-state.ts';

const FIRST_COORDINATE = 2;

/** The value of the second cell of a wide character in the reference terminal. */
const SECOND_CELL = 0xffff;

/**
 * Reports a checksum, which shows what is on the screen, so it is given only if that is permitted. ours: decision 45
 */
export const requestChecksum: ControlSequence = {
  kind: 'csi',
  name: 'DECRQCRA, request checksum of rectangular area',
  sequences: ['*y'],
  level: 4,
  run: (state, parameters) => {
    if (!state.host.permits('GetChecksum')) return;
    const area = areaFrom(state.screen, parameters, FIRST_COORDINATE);
    const sum = area === undefined ? 0 : sumOf(state, area);
    const digits = (sum & 0xffff).toString(16).toUpperCase().padStart(4, '0');
    state.host.reply(`\x1bP${parameters.at(0)}!~${digits}\x1b\\`);
  },
};

/**
 * Returns the sum of the characters, where an empty cell is a space, as the reference terminal computes it with
 * extension 23.
 */
function sumOf({ screen, clusters }: TerminalState, { top, left, bottom, right }: CellArea): number {
  let sum = 0;
  for (let row = top; row <= bottom; row += 1) {
    const { words } = screen.grid.row(row);
    for (let at = left * WORDS_PER_CELL; at <= right * WORDS_PER_CELL; at += WORDS_PER_CELL) {
      const content = words[at] ?? 0;
      const code = content & CODE_MASK;
      if ((content & CONTINUATION) !== 0) sum += SECOND_CELL;
      else sum += (content & CLUSTER) === 0 ? code || 0x20 : characterOf(clusters.get(code)?.text ?? ' ');
    }
  }
  return sum;
}

/**
 * Returns the character that counts for a cluster: a mark that makes one character with its base counts as that one;
 * others don't count.
 */
const characterOf = (cluster: string): number => cluster.normalize('NFC').codePointAt(0) as number;
