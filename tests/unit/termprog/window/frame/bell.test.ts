import { expect, test } from 'vitest';
import { Bell } from '../../../../../src/termprog/window/frame/bell.ts';

function start() {
  const state = { nowMs: 0, requests: 0 };
  const bell = new Bell({
    request: () => {
      state.requests += 1;
    },
    nowMs: () => state.nowMs,
    rings: () => {},
  });
  return { bell, state };
}

test('a bell asks for a frame and is rung in it, once', () => {
  const { bell, state } = start();
  bell.ring();
  expect([state.requests, bell.take(), bell.take()]).toEqual([1, true, false]);
});

test('a flood of a million bells over ten seconds rings at most 50 times', () => {
  const { bell, state } = start();
  let rung = 0;
  for (let time = 0; time < 1_000_000; time += 1) {
    state.nowMs = time / 100;
    bell.ring();
    if (time % 1_000 === 0 && bell.take()) rung += 1;
  }
  expect(rung).toBeGreaterThan(40);
  expect(rung).toBeLessThanOrEqual(50);
  expect(state.requests).toBeLessThanOrEqual(rung + 1);
});
