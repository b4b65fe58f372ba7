import { CLUSTER, CODE_MASK, CONTINUATION, type Extra, WORDS_PER_CELL } from '../../src/termprog/engine/cell.ts';
import type { EngineHost } from '../../src/termprog/engine/engine-host.ts';
import { TerminalEngine } from '../../src/termprog/engine/terminal-engine.ts';

/** One cell as tests look at it. */
export interface SeenCell {
  text: string;
  foreground: number;
  background: number;
  extra: Extra;
  content: number;
}

/** Who is told of everything and says nothing. */
export const QUIET_HOST: EngineHost = {
  reply: () => {},
  bell: () => {},
  answerback: () => '',
  permits: () => true,
  setLabel: () => {},
  failed: () => {},
  metrics: () => ({ cell: { width: 1, height: 1 }, area: { width: 1, height: 1 } }),
};

/** An engine, and what it told its host. */
export function startEngine({ columns = 80, rows = 24, saveLines = 100, permitsTitles = true } = {}) {
  const told = { replies: '', titles: [] as string[], iconNames: [] as string[], bells: 0 };
  const host: EngineHost = {
    reply: (answer) => {
      told.replies += typeof answer === 'string' ? answer : Buffer.from(answer).toString('latin1');
    },
    bell: () => {
      told.bells += 1;
    },
    answerback: () => 'here I am',
    permits: () => permitsTitles,
    setLabel: (kind, text) => void (kind === 'title' ? told.titles : told.iconNames).push(text),
    failed: (name, error) => {
      throw new Error(`${name} failed`, { cause: error });
    },
    metrics: () => ({ cell: { width: 6, height: 13 }, area: { width: 6 * columns, height: 13 * rows } }),
  };
  const engine = new TerminalEngine({ columns, rows, saveLines, cursorShape: 'block' }, host);
  return {
    engine,
    told,
    write: (text: string | Uint8Array): void =>
      engine.write(typeof text === 'string' ? Buffer.from(text, 'utf8') : text),
    cell: (row: number, column: number): SeenCell => cellAt(engine, row, column),
    text: (row: number): string => textOf(engine, row),
  };
}

function cellAt(engine: TerminalEngine, row: number, column: number): SeenCell {
  const words = engine.line(row)?.words ?? new Uint32Array();
  const [content = 0, foreground = 0, background = 0, extra = 0] = words.subarray(column * WORDS_PER_CELL);
  const number = content & CODE_MASK;
  const text = (content & CLUSTER) === 0 ? String.fromCodePoint(number || 0x20) : engine.clusterText(number);
  return {
    text: (content & CONTINUATION) === 0 ? text : '',
    foreground,
    background,
    extra: engine.extra(extra),
    content,
  };
}

/** A row's characters without the blanks at its end. */
export function textOf(engine: TerminalEngine, row: number): string {
  return Array.from({ length: engine.columns }, (_, column) => cellAt(engine, row, column).text)
    .join('')
    .trimEnd();
}

/** Everything the screen shows, and the history; numbers of clusters and extras are what they stand for. */
export function snapshotOf(engine: TerminalEngine): unknown {
  const lines = Array.from({ length: engine.historyLines + engine.rows }, (_, index) => {
    const row = index - engine.historyLines;
    const cells = Array.from({ length: engine.columns }, (_cell, column) => {
      const { text, foreground, background, extra, content } = cellAt(engine, row, column);
      return [
        text,
        foreground,
        background,
        extra.underlineColor,
        extra.link?.uri,
        content & ~(CODE_MASK | CLUSTER),
      ].join();
    });
    return { cells, isWrapped: engine.line(row)?.isWrapped };
  });
  return { lines, cursor: engine.cursor };
}
