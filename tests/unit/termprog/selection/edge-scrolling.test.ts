import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EdgeScrolling } from '../../../../src/termprog/selection/marking/edge-scrolling.ts';

beforeEach(() => void vi.useFakeTimers());

afterEach(() => void vi.useRealTimers());

/** Scrolls a history of some lines, and says what it did. */
function scroll({ lines = 1_000, isHeld = true } = {}) {
  const seen = { scrolled: [] as number[], moves: 0, releases: 0, isHeld };
  let left = lines;
  const edges = new EdgeScrolling({
    scrollBy: (by) => {
      seen.scrolled.push(by);
      left -= Math.abs(by);
      return left > 0;
    },
    isHeld: () => Promise.resolve(seen.isHeld),
    moved: () => {
      seen.moves += 1;
    },
    released: () => {
      seen.releases += 1;
    },
  });
  return { edges, seen };
}

test('the farther the pointer is away the faster it goes, within bounds, and inside it stops', async () => {
  const { edges, seen } = scroll();
  edges.pointAt(1);
  await vi.advanceTimersByTimeAsync(60);
  edges.pointAt(5);
  await vi.advanceTimersByTimeAsync(60);
  edges.pointAt(-400);
  await vi.advanceTimersByTimeAsync(120);
  edges.pointAt(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toMatchObject({ scrolled: [1, 3, -20, -20], moves: 4, releases: 0 });
  expect(vi.getTimerCount()).toBe(0);
});

test('motions do not make it faster', async () => {
  const { edges, seen } = scroll();
  for (let motion = 0; motion < 30; motion += 1) {
    edges.pointAt(1);
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(seen.scrolled).toEqual([1, 1, 1, 1, 1]);
});

test('it rests at the end of the history, until the pointer moves', async () => {
  const { edges, seen } = scroll({ lines: 2 });
  edges.pointAt(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen.scrolled).toEqual([1, 1]);
  expect(vi.getTimerCount()).toBe(0);
  edges.pointAt(1);
  await vi.advanceTimersByTimeAsync(60);
  expect(seen.scrolled).toHaveLength(3);
});

test('it ends when no button is held any more, and when it is asked to', async () => {
  const { edges, seen } = scroll({ isHeld: false });
  edges.pointAt(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toMatchObject({ scrolled: [], releases: 1 });
  seen.isHeld = true;
  edges.pointAt(1);
  edges.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toMatchObject({ scrolled: [], releases: 1 });
});
