import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PixelSize, windowFor } from '../../../../../src/termprog/window/desktop/fit-geometry.ts';
import { WindowFitting, type WindowFittingParts } from '../../../../../src/termprog/window/desktop/window-fitting.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const SMALL = { width: 6, height: 13 };
const LARGE = { width: 9, height: 15 };
const HUGE = { width: 12, height: 24 };

test('the grid follows the window', () => {
  const { fitting, steps } = start();

  fitting.takeSize({ width: 604, height: 394 });
  fitting.takeSize({ width: 605, height: 395 });

  expect(steps).toEqual(['grid 100x30']);
});

test('after a change of the cell the window is asked to keep the grid, once managers know the cell', async () => {
  const { fitting, state, steps } = start();
  state.cell = LARGE;

  const fitted = fitting.fitWindow();
  fitting.takeSize({ width: 724, height: 364 });
  await fitted;

  expect(steps).toEqual(['cells of 9x15', 'asked for 724x364']);
});

test('a size that is older than the request has no effect', async () => {
  const { fitting, state, steps } = start();
  state.cell = LARGE;

  const fitted = fitting.fitWindow();
  fitting.takeSize({ width: 484, height: 316 });
  fitting.takeSize({ width: 300, height: 300 });
  fitting.takeSize({ width: 724, height: 364 });
  await fitted;

  expect(steps).toEqual(['cells of 9x15', 'asked for 724x364']);
});

test('a window that does not take the size has the last word, after a bounded time', async () => {
  const { fitting, state, steps } = start();
  state.cell = LARGE;

  const fitted = fitting.fitWindow();
  await vi.advanceTimersByTimeAsync(1_000);
  await fitted;

  expect(steps).toEqual(['cells of 9x15', 'asked for 724x364', 'grid 53x20']);
});

for (const behind of [1, 2, 3, 4, 5]) {
  test(`a manager that is late by ${behind} changes takes no columns away`, async () => {
    const { fitting, state, steps } = start();
    const asked: PixelSize[] = [];
    for (const cell of [LARGE, HUGE, LARGE, HUGE, SMALL]) {
      state.cell = cell;
      asked.push(windowFor({ columns: 80, rows: 24 }, { cell, internalBorder: 2 }));
      const fitted = fitting.fitWindow();
      await vi.advanceTimersByTimeAsync(1_000);
      await fitted;
      const size = asked[asked.length - behind];
      if (size === undefined) continue;
      state.real = size;
      fitting.takeSize(size);
    }
    expect(steps.filter((step) => step.startsWith('asked'))).toEqual(
      asked.map(({ width, height }) => `asked for ${width}x${height}`),
    );

    for (const size of asked.slice(asked.length + 1 - behind)) fitting.takeSize(size);

    expect(state.grid).toEqual({ columns: 80, rows: 24 });
  });
}

test('a size that comes between late ones is another client’s, and its columns are kept from then on', async () => {
  const { fitting, state } = start();
  state.cell = LARGE;
  const late = fitting.fitWindow();
  await vi.advanceTimersByTimeAsync(1_000);
  await late;
  fitting.takeSize({ width: 904, height: 304 });
  expect(state.grid).toEqual({ columns: 100, rows: 20 });

  state.cell = SMALL;
  const fitted = fitting.fitWindow();
  fitting.takeSize({ width: 604, height: 264 });
  await fitted;

  expect(state.grid).toEqual({ columns: 100, rows: 20 });
});

test('a window that keeps its size has its columns again with the font that it had them with', async () => {
  const { fitting, state } = start();
  for (const cell of [LARGE, SMALL]) {
    state.cell = cell;
    const fitted = fitting.fitWindow();
    await vi.advanceTimersByTimeAsync(1_000);
    await fitted;
  }

  expect(state.grid).toEqual({ columns: 80, rows: 24 });
});

test('a window that has the size already is not asked', async () => {
  const { fitting, state, steps } = start();

  await fitting.fitWindow();
  state.cell = LARGE;
  fitting.takeSize(windowFor({ columns: 80, rows: 24 }, { cell: LARGE, internalBorder: 2 }));
  await fitting.fitWindow();

  expect(steps.filter((step) => step.startsWith('asked'))).toEqual([]);
});

test('a window larger than X allows is asked for as far as it goes, and the grid follows', async () => {
  const { fitting, state, steps } = start();
  state.cell = { width: 700, height: 700 };

  const fitted = fitting.fitWindow();
  fitting.takeSize({ width: 32_767, height: 16_804 });
  await fitted;

  expect(steps.slice(1)).toEqual(['asked for 32767x16804', 'grid 46x24']);
});

test('waiting work is dropped at the end, and no other follows', async () => {
  const { fitting, state, steps } = start();
  state.cell = LARGE;

  const fitted = fitting.fitWindow();
  fitting.stop();
  await fitted;
  fitting.takeSize({ width: 10, height: 10 });

  expect(steps).toEqual(['cells of 9x15', 'asked for 724x364']);
});

/** A window of 80 by 24 small cells; `real` is the size that the server would report. */
function start() {
  const steps: string[] = [];
  const state = { cell: SMALL, grid: { columns: 80, rows: 24 }, real: { width: 484, height: 316 } };
  const connection = {
    isOpen: true,
    flush: () => {},
    ask: async () => state.real,
    client: {
      ConfigureWindow: (_window: number, { width, height }: PixelSize) => steps.push(`asked for ${width}x${height}`),
    },
  } as unknown as WindowFittingParts['connection'];
  const fitting = new WindowFitting({
    connection,
    window: 1,
    internalBorder: 2,
    cell: () => state.cell,
    grid: () => state.grid,
    announceSizes: () => steps.push(`cells of ${state.cell.width}x${state.cell.height}`),
    onGrid: (grid) => {
      state.grid = grid;
      steps.push(`grid ${grid.columns}x${grid.rows}`);
    },
  });
  return { fitting, state, steps };
}
