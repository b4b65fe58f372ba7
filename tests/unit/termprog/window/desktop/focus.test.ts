import { expect, test } from 'vitest';
import { Focus } from '../../../../../src/termprog/window/desktop/focus.ts';
import { event } from '../events.ts';

function start() {
  const state = { changes: 0 };
  const focus = new Focus(() => {
    state.changes += 1;
  });
  const take = (name: string, fields = {}): void => focus.handlers[name]?.(event(name, fields));
  const crossing = (hasKeys: boolean) => ({ rawData: Buffer.alloc(32, hasKeys ? 1 : 0) });
  return { focus, state, take, crossing };
}

test('the window has the focus while it was given it, and reports changes alone', () => {
  const { focus, state, take } = start();
  take('FocusIn', { detail: 3 });
  take('FocusIn', { detail: 3 });
  expect([focus.isHere, state.changes]).toEqual([true, 1]);
  take('FocusOut', { detail: 3 });
  expect([focus.isHere, state.changes]).toEqual([false, 2]);
});

test('the pointer brings the keys where no window has the focus', () => {
  const { focus, take, crossing } = start();
  take('EnterNotify', crossing(false));
  expect(focus.isHere).toBe(false);
  take('EnterNotify', crossing(true));
  expect(focus.isHere).toBe(true);
  take('LeaveNotify', crossing(true));
  expect(focus.isHere).toBe(false);
});

test('a pointer that entered the window with the focus does not keep the keys there', () => {
  const { focus, take, crossing } = start();
  take('FocusIn', { detail: 3 });
  take('EnterNotify', crossing(true));
  take('FocusOut', { detail: 3 });
  expect(focus.isHere).toBe(false);
  // No window has it from now on.
  take('FocusIn', { detail: 5 });
  expect(focus.isHere).toBe(true);
});

test('each watcher is called', () => {
  const { focus, state, take } = start();
  let told = 0;
  focus.watch(() => {
    told += 1;
  });
  take('FocusIn', { detail: 3 });
  expect([state.changes, told]).toEqual([1, 1]);
});
