import { CODE_MASK, WORDS_PER_CELL } from '../../engine/cell.ts';
import type { EngineHost } from '../../engine/engine-host.ts';
import { TerminalEngine } from '../../engine/terminal-engine.ts';
import { type Check, failed, missing, ok } from './check.ts';

/** Characters of one to four bytes; the wide ones take two cells. */
const TEXT = 'aé€漢😀';
const CELLS = ['a', 'é', '€', '漢', '', '😀', ''];

const doNothing = (): void => {};

/** A host that permits no operation and ignores all notifications. */
const QUIET_HOST: EngineHost = {
  selections: { maxPayload: () => 0, write: doNothing, writeRefused: doNothing, read: doNothing },
  colors: { set: doNothing, reset: doNothing, resetAll: doNothing, report: doNothing, isDark: () => false },
  reply: doNothing,
  bell: doNothing,
  answerback: () => '',
  bellIsUrgent: () => false,
  alternateScroll: () => true,
  shellMarked: () => {},
  permits: () => false,
  setLabel: doNothing,
  label: () => '',
  changeCompleted: doNothing,
  highlight: doNothing,
  notify: doNothing,
  failed: doNothing,
  metrics: () => ({ cell: { width: 1, height: 1 }, area: { width: 1, height: 1 }, window: { width: 1, height: 1 } }),
};

/** Writes UTF-8 into a screen, one byte at a time, and reads the characters back. */
export const utf8: Check = {
  name: 'UTF-8',
  look: () => {
    const engine = new TerminalEngine(
      {
        columns: 80,
        rows: 2,
        saveLines: 0,
        graphemeClusters: false,
        cursorShape: 'block',
        takesBlinkRequests: true,
        identity: { version: '0', termName: 'xterm-256color' },
      },
      QUIET_HOST,
    );
    for (const byte of Buffer.from(TEXT)) engine.write(Uint8Array.of(byte));
    const words = engine.line(0)?.words ?? new Uint32Array();
    const seen = CELLS.map((_, column) => (words[column * WORDS_PER_CELL] ?? 0) & CODE_MASK);
    const expected = CELLS.map((text, column) => text.codePointAt(0) ?? seen[column]);
    return seen.join() === expected.join()
      ? ok(`${TEXT} comes back from the screen as it was written`)
      : failed(`the screen holds other characters than ${TEXT}`);
  },
};

/** The locale of the programs that run in the terminal. */
export const locale: Check = {
  name: 'locale',
  look: async ({ configuration }) => {
    const { locale: name } = await configuration;
    if (/utf-?8/i.test(name)) return ok(name);
    return missing(
      `${name} is not a locale of UTF-8`,
      'programs in the terminal may show other characters; set LANG, for instance to C.UTF-8',
    );
  },
};
