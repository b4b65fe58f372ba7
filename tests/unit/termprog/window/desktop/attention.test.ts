import { expect, test } from 'vitest';
import { Attention, type AttentionParts } from '../../../../../src/termprog/window/desktop/attention.ts';

/** The part of a connection to which attention writes; requests with an answer fail, as on an ended one. */
const connection = {
  client: { SendEvent: () => {} },
  screen: { root: 1 },
  ask: () => Promise.reject(new Error('no connection')),
} as unknown as AttentionParts['connection'];

test('the window manager is notified once of a program that rings for ever', () => {
  const { state, told, ring } = start();
  for (; state.nowMs < 1_000_000; state.nowMs += 10) ring();
  expect(told).toEqual([true]);
});

test('it is notified five times at once and then once in three seconds of one that also switches the mode off and on', () => {
  const { state, told, ring, setMode } = start();
  for (; state.nowMs < 60_000; state.nowMs += 10) {
    setMode(false);
    setMode(true);
    ring();
  }
  expect(told.filter(Boolean).length).toBeLessThanOrEqual(5 + 20);
  expect(told.filter(Boolean).length).toBeGreaterThan(15);
});

test('a window that was used asks again at the next bell, however often it asked before', () => {
  const { told, ring, setFocus } = start();
  for (let round = 0; round < 10; round += 1) {
    ring();
    setFocus(true);
    setFocus(false);
  }
  expect(told).toEqual(Array.from({ length: 10 }, () => [true, false]).flat());
});

/** Starts the attention and records its messages to the window manager: true for each beginning of urgency. */
function start() {
  const state = { nowMs: 0, hasFocus: false, isWanted: true };
  const told: boolean[] = [];
  const attention = new Attention({
    connection,
    window: 2,
    atoms: { netWmState: 3, demandsAttention: 4, atom: 5 },
    isWanted: () => state.isWanted,
    hasFocus: () => state.hasFocus,
    announceUrgency: (isUrgent) => told.push(isUrgent),
    request: () => {},
    nowMs: () => state.nowMs,
  });
  const setMode = (isWanted: boolean): void => {
    state.isWanted = isWanted;
    attention.takeMode();
    attention.flush();
  };
  const ring = (): void => {
    attention.takeBell();
    attention.flush();
  };
  const setFocus = (hasFocus: boolean): void => {
    state.hasFocus = hasFocus;
    attention.takeFocus();
    attention.flush();
  };
  return { state, told, ring, setMode, setFocus };
}
