import { expect, test } from 'vitest';
import type { ScreenView } from '../../../../../src/termprog/engine/engine.ts';
import { Viewport } from '../../../../../src/termprog/window/frame/viewport.ts';
import { startEngine } from '../../../../harness/terminal-engine.ts';

/** A view of 10 rows; rows are identified by their numbers. */
function start(historyLines: number) {
  const state = { historyLines, changes: 0 };
  const screen = {
    rows: 10,
    columns: 80,
    get historyLines() {
      return state.historyLines;
    },
    line: (row: number) => ({ id: row, words: new Uint32Array(), isWrapped: false }),
  } as unknown as ScreenView;
  const view = new Viewport(screen, () => {
    state.changes += 1;
  });
  return { view, state };
}

test('the view stops at either end of the history', () => {
  const { view, state } = start(3);
  view.scrollBy(5);
  expect([view.linesAbove, state.changes]).toEqual([3, 1]);
  view.scrollBy(1);
  view.scrollBy(-9);
  view.scrollBy(-1);
  expect([view.linesAbove, state.changes]).toEqual([0, 2]);
});

test('rows count from the top of the view', () => {
  const { view } = start(5);
  view.scrollBy(2);
  expect([view.line(0)?.id, view.line(9)?.id]).toEqual([-2, 7]);
});

test('output brings the view back where that is wanted, and leaves its distance from the bottom otherwise', () => {
  const { view } = start(20);
  view.scrollBy(4);
  view.followOutput({ toBottom: false });
  expect(view.linesAbove).toBe(4);
  view.followOutput({ toBottom: true });
  expect(view.linesAbove).toBe(0);
});

test('a view into lines that are gone shows what is left', () => {
  const { view, state } = start(20);
  view.scrollBy(15);
  state.historyLines = 0;
  view.followOutput({ toBottom: false });
  expect(view.linesAbove).toBe(0);
});

test('the holder of the view is asked when something would move it to the end, until it releases the view', () => {
  const { view } = start(20);
  view.scrollBy(4);
  let asked = 0;
  const release = view.hold(() => {
    asked += 1;
  });
  view.followOutput({ toBottom: true });
  view.toBottom();
  expect([asked, view.linesAbove]).toEqual([2, 4]);
  release();
  view.toBottom();
  expect([asked, view.linesAbove]).toEqual([2, 0]);
});

test('a view into the history stays at its line when lines are broken anew, and shows the oldest when that is gone', () => {
  const terminal = startEngine({ columns: 20, rows: 4, saveLines: 60 });
  const view = new Viewport(terminal.engine, () => {});
  terminal.write(Array.from({ length: 40 }, (_, line) => `the line ${line} of text`).join('\r\n'));
  view.scrollBy(20);
  const idAt = (): number | undefined => view.line(0)?.id;
  const first = idAt();
  const resize = (columns: number, rows: number): void => view.keepThrough(() => terminal.engine.resize(columns, rows));

  for (const [columns, rows] of [
    [15, 4],
    [40, 6],
    [40, 2],
    [18, 9],
    [4, 9],
  ] as const) {
    resize(columns, rows);
    expect([idAt(), view.linesAbove > 0]).toEqual([first, true]);
  }
  view.keepThrough(() => {
    terminal.write('\r\nanother'.repeat(500));
    terminal.engine.resize(5, 9);
  });
  expect(view.linesAbove).toBe(terminal.engine.historyLines);
});

test('a view at the newest text stays there when the size changes', () => {
  const terminal = startEngine({ columns: 20, rows: 4 });
  const view = new Viewport(terminal.engine, () => {});
  terminal.write('the first line of text\r\nlast\r\n'.repeat(10));
  view.keepThrough(() => terminal.engine.resize(7, 3));
  expect(view.linesAbove).toBe(0);
});
