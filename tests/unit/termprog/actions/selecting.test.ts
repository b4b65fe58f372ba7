import { expect, test } from 'vitest';
import {
  insertSelection,
  selectEnd,
  selectExtend,
  selectStart,
  startExtend,
} from '../../../../src/termprog/actions/text-selection.ts';

const PRESS = { kind: 'press', keysym: 0, keycode: 0, button: 1, state: 0, x: 0, y: 0, time: 0 } as const;

const ALL = [selectStart, selectExtend, selectEnd, startExtend, insertSelection];

test('each action does its part', () => {
  const given = ports();
  for (const action of ALL) action.run(given, PRESS, []);
  selectStart.run(given, PRESS, ['Block']);
  selectEnd.run(given, PRESS, ['SELECT', 'CUT_BUFFER0']);
  insertSelection.run(given, PRESS, ['A', 'B']);
  expect(given.done).toEqual([
    'start',
    'extend',
    'end ',
    'start-extend',
    'insert ',
    'start block',
    'end SELECT,CUT_BUFFER0',
    'insert A,B',
  ]);
});

test('an unknown form of selection rings the bell', () => {
  const given = ports();
  selectStart.run(given, PRESS, ['blok']);
  selectStart.run(given, PRESS, ['block', 'block']);
  expect(given.done).toEqual(['bell', 'bell']);
});

test('an application that takes the mouse takes all of it, but not the rest of a selection that was begun', () => {
  const taken = ports({ isTaken: true });
  for (const action of ALL) action.run(taken, PRESS, []);
  expect(taken.done).toEqual([]);
  const begun = ports({ isTaken: true, isSelecting: true });
  for (const action of [selectExtend, selectEnd]) action.run(begun, PRESS, []);
  expect(begun.done).toEqual(['extend', 'end ']);
});

/** Ports that record their calls. */
function ports({ isTaken = false, isSelecting = false } = {}) {
  const done: string[] = [];
  return {
    done,
    mouse: { offer: () => isTaken, report: () => {} },
    bell: { ring: () => void done.push('bell') },
    selection: {
      isSelecting,
      start: (_event: unknown, isBlock: boolean) => void done.push(isBlock ? 'start block' : 'start'),
      startExtend: () => void done.push('start-extend'),
      extend: () => void done.push('extend'),
      end: (_event: unknown, names: readonly string[]) => void done.push(`end ${names}`),
      insert: (names: readonly string[]) => void done.push(`insert ${names}`),
    },
  };
}
