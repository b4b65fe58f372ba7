import { setImmediate as turnEnd } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WindowArea } from '../../../../../src/termprog/window/desktop/window-area.ts';
import { event } from '../events.ts';

function start() {
  const told: string[] = [];
  const fences: (() => void)[] = [];
  const area = new WindowArea({
    onExposed: ({ width, height }) => told.push(`exposed ${width}x${height}`),
    onResized: ({ width, height }) => told.push(`resized ${width}x${height}`),
    request: () => told.push('frame'),
    fence: (done) => fences.push(done),
  });
  const take = (name: string, fields = {}): void => area.handlers[name]?.(event(name, fields));
  /** The server answers all that was asked. */
  const answer = (): void => {
    for (const done of fences.splice(0)) done();
  };
  return { area, take, told, answer };
}

test('the last of several resizes in a turn is made, in one frame with the area it exposes', async () => {
  const { take, told } = start();
  for (let width = 100; width <= 500; width += 1) take('ConfigureNotify', { width, height: 50 });
  take('Expose', { x: 0, y: 0, width: 7, height: 8, count: 0 });

  await turnEnd();

  expect(told).toEqual(['exposed 7x8', 'resized 500x50', 'frame']);
});

test('cells are invisible before the first Expose and while the window is unmapped', () => {
  const { area, take } = start();
  take('MapNotify');
  expect(area.isVisible).toBe(false);
  take('Expose', { x: 0, y: 0, width: 1, height: 1, count: 0 });
  expect(area.isVisible).toBe(true);
  take('UnmapNotify');
  expect(area.isVisible).toBe(false);
  take('MapNotify');
  expect(area.isVisible).toBe(true);
});

test('a turn without events asks for no frame', async () => {
  const { take, told } = start();
  take('ConfigureNotify', { width: 1, height: 1 });
  await turnEnd();
  await turnEnd();
  expect(told).toEqual(['resized 1x1', 'frame']);
});

const [UNOBSCURED, PARTIALLY_OBSCURED, FULLY_OBSCURED] = [0, 1, 2];

test('cells are invisible while other windows cover the whole window, and one frame shows the uncovered ones', async () => {
  const { area, take, told, answer } = start();
  take('Expose', { x: 0, y: 0, width: 1, height: 1, count: 0 });
  take('VisibilityNotify', { state: PARTIALLY_OBSCURED });
  expect(area.isVisible).toBe(true);
  take('VisibilityNotify', { state: FULLY_OBSCURED });
  expect(area.isVisible).toBe(false);
  await turnEnd();
  told.length = 0;

  take('VisibilityNotify', { state: UNOBSCURED });
  await turnEnd();
  expect(area.isVisible).toBe(false);
  take('Expose', { x: 0, y: 0, width: 9, height: 9, count: 0 });
  expect(area.isVisible).toBe(true);
  answer();
  await turnEnd();

  expect(told).toEqual(['exposed 9x9', 'frame']);
});

test('a window that is uncovered by a server which kept its picture is painted, too', async () => {
  const { area, take, told, answer } = start();
  take('Expose', { x: 0, y: 0, width: 1, height: 1, count: 0 });
  take('VisibilityNotify', { state: FULLY_OBSCURED });
  await turnEnd();
  told.length = 0;

  take('VisibilityNotify', { state: PARTIALLY_OBSCURED });
  answer();
  await turnEnd();

  expect(area.isVisible).toBe(true);
  expect(told).toEqual(['frame']);
});

test('a window that is covered again before the server has answered is still covered', () => {
  const { area, take, answer } = start();
  take('Expose', { x: 0, y: 0, width: 1, height: 1, count: 0 });
  take('VisibilityNotify', { state: FULLY_OBSCURED });
  take('VisibilityNotify', { state: UNOBSCURED });
  take('VisibilityNotify', { state: FULLY_OBSCURED });
  answer();
  expect(area.isVisible).toBe(false);
  take('VisibilityNotify', { state: UNOBSCURED });
  answer();
  expect(area.isVisible).toBe(true);
});

test('a server that only reports a window as covered, and never as uncovered, is not believed for ever', () => {
  const { area, take } = start();
  take('Expose', { x: 0, y: 0, width: 1, height: 1, count: 0 });
  for (const name of ['Expose', 'MapNotify']) {
    take('VisibilityNotify', { state: FULLY_OBSCURED });
    expect(area.isVisible).toBe(false);
    take('UnmapNotify');
    take(name, { x: 0, y: 0, width: 1, height: 1, count: 0 });
    expect(area.isVisible).toBe(true);
  }
  take('VisibilityNotify', { state: FULLY_OBSCURED });
  take('Expose', { x: 0, y: 0, width: 1, height: 1, count: 0 });
  expect(area.isVisible).toBe(true);
});

test('a window that is covered when it is shown first is painted when it is uncovered', () => {
  const { area, take } = start();
  take('VisibilityNotify', { state: FULLY_OBSCURED });
  take('VisibilityNotify', { state: UNOBSCURED });
  expect(area.isVisible).toBe(false);
  take('Expose', { x: 0, y: 0, width: 1, height: 1, count: 0 });
  expect(area.isVisible).toBe(true);
});
