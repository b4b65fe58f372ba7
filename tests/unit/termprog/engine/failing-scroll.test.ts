import { expect, test } from 'vitest';
import { ByteLoop } from '../../../../src/termprog/engine/byte-loop.ts';
import { ControlParser } from '../../../../src/termprog/engine/control-parser.ts';
import { controlFunctions } from '../../../../src/termprog/engine/functions/index.ts';
import { Screen } from '../../../../src/termprog/engine/screen.ts';
import { TerminalState } from '../../../../src/termprog/engine/terminal-state.ts';
import { IDENTITY, QUIET_HOST } from '../../../harness/terminal-engine.ts';

test('when there is no memory for a new line, no output is shown twice', () => {
  const failures: string[] = [];
  const screen = new ScreenOutOfMemory({ columns: 12, rows: 8 }, 0);
  const host = { ...QUIET_HOST, failed: (name: string) => void failures.push(name) };
  const state = new TerminalState(screen, host, IDENTITY);
  const loop = new ByteLoop(new ControlParser(controlFunctions, state, state.printer), controlFunctions, state);
  const bytes = Buffer.from('one\r\ntwo\r\nthree\r\nfour');

  for (let at = 0; at < bytes.length; ) at = loop.run(bytes, at, bytes.length, 2_048);

  const rows = Array.from({ length: 8 }, (_, row) => textOf(screen, row));
  expect(rows.filter((text) => text !== '')).toEqual(['one', 'two', 'three', 'four']);
  expect(failures).toEqual(['output']);
});

/** Its third line feed fails once. */
class ScreenOutOfMemory extends Screen {
  #feeds = 0;

  override index(): void {
    this.#feeds += 1;
    if (this.#feeds === 3) throw new RangeError('Array buffer allocation failed');
    super.index();
  }
}

function textOf(screen: Screen, row: number): string {
  const codes = screen.grid.row(row).words.filter((_, word) => word % 4 === 0);
  return String.fromCodePoint(...codes).replaceAll('\0', '');
}
