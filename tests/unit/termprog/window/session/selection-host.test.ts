import { expect, test } from 'vitest';
import { createSelectionHost } from '../../../../../src/termprog/window/session/selection-host.ts';
import { optionsWith } from '../../options/options-with.ts';

const NO_SELECTIONS = { write: () => {}, read: () => true };

for (const [configured, longest] of [
  ['600000', 600_000],
  ['0', 0],
  // Twice as many characters do not fit into a string, and collecting them would end the program.
  ['4000000000', 268_435_456],
] as const) {
  test(`with maxStringParse ${configured} a payload has at most ${longest} bytes`, () => {
    const port = createSelectionHost(NO_SELECTIONS, optionsWith({ maxStringParse: configured }), () => {});
    expect(port.maxPayload()).toBe(longest);
  });
}
