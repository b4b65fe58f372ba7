import { expect, test } from 'vitest';
import { EventRouter, NO_WINDOW } from '../../../../../src/termprog/window/desktop/event-router.ts';
import { event } from '../events.ts';

function start() {
  const router = new EventRouter();
  const seen: string[] = [];
  const handlers = (who: string, ...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, () => void seen.push(`${who} ${name}`)]));
  return { router, seen, handlers };
}

test('an event goes to the part that handles it for its window, and to no other', () => {
  const { router, seen, handlers } = start();
  router.attach(1, handlers('terminal', 'KeyPress', 'Expose'));
  router.attach(2, handlers('scrollbar', 'Expose'));

  for (const [name, wid] of [
    ['Expose', 2],
    ['KeyPress', 1],
    ['KeyPress', 2],
    ['Expose', 3],
  ] as const) {
    router.route(event(name, { wid }));
  }

  expect(seen).toEqual(['scrollbar Expose', 'terminal KeyPress']);
});

test('several parts share a window, and no two of them an event', () => {
  const { router, seen, handlers } = start();
  router.attach(1, handlers('input', 'KeyPress'));
  router.attach(1, handlers('area', 'Expose'));

  router.route(event('Expose', { wid: 1 }));

  expect(seen).toEqual(['area Expose']);
  expect(() => router.attach(1, handlers('other', 'KeyPress'))).toThrow('has a handler already');
});

test('events without a window, or with it in another field, reach their handler', () => {
  const { router, seen, handlers } = start();
  router.attach(NO_WINDOW, handlers('keyboard', 'MappingNotify'));
  router.attach(1, handlers('owner', 'SelectionClear', 'SelectionRequest', 'SelectionNotify'));

  router.route(event('MappingNotify'));
  router.route(event('SelectionClear', { owner: 1 }));
  router.route(event('SelectionRequest', { owner: 1, requestor: 9 }));
  router.route(event('SelectionNotify', { requestor: 1 }));

  expect(seen).toEqual([
    'keyboard MappingNotify',
    'owner SelectionClear',
    'owner SelectionRequest',
    'owner SelectionNotify',
  ]);
});

test('events of a window that is gone are ignored', () => {
  const { router, seen, handlers } = start();
  router.attach(1, handlers('menu', 'KeyPress'));
  router.detach(1);

  router.route(event('KeyPress', { wid: 1 }));

  expect(seen).toEqual([]);
});

test('windows that are attached and never detached are noticed', () => {
  const { router, handlers } = start();
  expect(() => {
    for (let window = 1; window < 1_000; window += 1) router.attach(window, handlers('menu', 'KeyPress'));
  }).toThrow('too many windows');
});

/** The first byte of an event that another client made up. */
const SENT = Buffer.from([0x80]);

test('only the server is believed when it says that a window is gone, hidden or covered', () => {
  const { router, seen, handlers } = start();
  const names = ['DestroyNotify', 'UnmapNotify', 'VisibilityNotify'];
  router.attach(1, handlers('terminal', ...names));

  for (const name of names) {
    router.route(event(name, { wid: 1, rawData: SENT }));
    expect(seen).toEqual([]);
  }
  for (const name of names) router.route(event(name, { wid: 1, rawData: Buffer.from([0]) }));

  expect(seen).toEqual(names.map((name) => `terminal ${name}`));
});

test('the server’s event gives the size; a window manager’s own message gives a place', () => {
  const { router, seen, handlers } = start();
  router.attach(1, handlers('terminal', 'ConfigureNotify'));

  router.route(event('ConfigureNotify', { wid: 1, rawData: SENT }));
  expect(seen).toEqual([]);
  router.route(event('ConfigureNotify', { wid: 1, rawData: Buffer.from([0]) }));

  expect(seen).toEqual(['terminal ConfigureNotify']);
});

test('an observer sees the events it names, after the part that handles them, until the window is detached', () => {
  const { router, seen, handlers } = start();
  router.attach(1, handlers('focus', 'FocusIn', 'Expose'));
  router.observe(1, new Set(['FocusIn', 'MapNotify']), ({ name }) => void seen.push(`observer ${name}`));

  for (const name of ['FocusIn', 'Expose', 'MapNotify']) router.route(event(name, { wid: 1 }));
  router.route(event('FocusIn', { wid: 2 }));
  router.detach(1);
  router.route(event('MapNotify', { wid: 1 }));

  expect(seen).toEqual(['focus FocusIn', 'observer FocusIn', 'focus Expose', 'observer MapNotify']);
});
