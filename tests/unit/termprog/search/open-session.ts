import { CODE_MASK, WORDS_PER_CELL } from '../../../../src/termprog/engine/cell.ts';
import { SearchSession } from '../../../../src/termprog/search/search-session.ts';
import { Viewport } from '../../../../src/termprog/window/frame/viewport.ts';
import { type EngineStart, startEngine } from '../../../harness/terminal-engine.ts';

/** A terminal without a window, in which something can be searched. */
export function startSearchable(start: EngineStart = {}) {
  const terminal = startEngine({ columns: 20, rows: 6, ...start });
  const { engine } = terminal;
  const view = new Viewport(engine, () => {});
  const told = { copied: [] as string[], rings: 0, pasted: 'pasted' };
  return {
    engine,
    view,
    told,
    print: (output: string): void => {
      terminal.write(output);
      view.followOutput({ toBottom: true });
    },
    resize: (columns: number, rows: number): void => {
      view.keepThrough(() => engine.resize(columns, rows));
    },
    open: (): SearchSession =>
      new SearchSession(
        {
          screen: engine,
          view,
          copy: (text) => void told.copied.push(text),
          paste: (take) => take(told.pasted),
          ring: () => {
            told.rings += 1;
          },
          redraw: () => {},
          nowMs: () => performance.now(),
        },
        () => {},
      ),
  };
}

/** Returns the text of each row of the view, with found text in brackets and the active match in braces. */
export function markedRows(
  { engine, view }: Pick<ReturnType<typeof startSearchable>, 'engine' | 'view'>,
  session: SearchSession,
): string[] {
  return Array.from({ length: engine.rows }, (_, row) => {
    const words = view.line(row)?.words ?? new Uint32Array();
    const cells = Array.from({ length: words.length / WORDS_PER_CELL }, (_cell, column) =>
      String.fromCodePoint((words[column * WORDS_PER_CELL] ?? 0) & CODE_MASK || 0x20),
    );
    for (const { start, end, isActive } of session.spansIn(row)) {
      const last = Math.min(end, cells.length) - 1;
      cells[start] = `${isActive ? '{' : '['}${cells[start]}`;
      cells[last] = `${cells[last]}${isActive ? '}' : ']'}`;
    }
    return cells.join('').trimEnd();
  });
}
