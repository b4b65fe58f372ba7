import { setImmediate as turnEnd } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WindowArea } from '../../../../src/termprog/window/window-area.ts';
import { event } from './events.ts';

function start() {
  const told: string[] = [];
  const area = new WindowArea({
    onExposed: ({ width, height }) => told.push(`exposed ${width}x${height}`),
    onResized: ({ width, height }) => told.push(`resized ${width}x${height}`),
    request: () => told.push('frame'),
  });
  const take = (name: string, fields = {}): void => area.handlers[name]?.(event(name, fields));
  return { area, take, told };
}

test('of several resizes in a turn the last one is made, in one frame with what it exposes', async () => {
  const { take, told } = start();
  for (let width = 100; width <= 500; width += 1) take('ConfigureNotify', { width, height: 50 });
  take('Expose', { x: 0, y: 0, width: 7, height: 8, count: 0 });

  await turnEnd();

  expect(told).toEqual(['exposed 7x8', 'resized 500x50', 'frame']);
});

test('there is nothing to see before the first Expose and while the window is unmapped', () => {
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
