import { describe, expect, test } from 'vitest';
import { STATE, startMouse } from './start-mouse.ts';

const BUTTON_1 = STATE.button(1);
const SGR = '\x1b[?1006h';

test('without a protocol, or without permission, the mouse is not the application’s', () => {
  const { offer, write, state } = startMouse();
  expect(offer('press')).toBeUndefined();
  write('\x1b[?1000h');
  state.isAllowed = false;
  expect(offer('press')).toBeUndefined();
  state.isAllowed = true;
  expect(offer('press')).toBe('\x1b[M "#');
});

test('a button is reported when it goes down and when it comes up', () => {
  const { offer, write } = startMouse();
  write('\x1b[?1000h');
  expect([offer('press', { button: 3 }), offer('release', { button: 3 })]).toEqual(['\x1b[M""#', '\x1b[M#"#']);
});

test('an event that several actions offer is reported once', () => {
  const { tracking, event, write, state } = startMouse();
  write(`\x1b[?1000h${SGR}`);
  const press = event('press');
  expect([tracking.offer(press), tracking.offer(press)]).toEqual([true, true]);
  expect(state.sent).toBe('\x1b[<0;2;3M');
});

describe('a press decides what its motions and its release are', () => {
  test('Shift at the press makes them local, even when Shift is let go', () => {
    const { offer, write } = startMouse();
    write(`\x1b[?1002h${SGR}`);
    expect(offer('press', { state: STATE.shift })).toBeUndefined();
    expect(offer('motion', { state: BUTTON_1, x: 200 })).toBeUndefined();
    expect(offer('release', { state: BUTTON_1 })).toBeUndefined();
  });

  test('Shift later does not make them local', () => {
    const { offer, write } = startMouse();
    write(`\x1b[?1002h${SGR}`);
    expect(offer('press')).toBe('\x1b[<0;2;3M');
    expect(offer('motion', { state: BUTTON_1 | STATE.shift, x: 14 })).toBe('\x1b[<36;3;3M');
    expect(offer('release', { state: BUTTON_1 | STATE.shift })).toBe('\x1b[<4;2;3m');
  });

  test('the end of the permission does not take them from the application, which would wait for them', () => {
    const { offer, write, state } = startMouse();
    write(`\x1b[?1002h${SGR}`);
    offer('press');
    state.isAllowed = false;
    expect(offer('motion', { state: BUTTON_1, x: 14 })).toBe('\x1b[<32;3;3M');
    expect(offer('release', { state: BUTTON_1 })).toBe('\x1b[<0;2;3m');
    expect(offer('press')).toBeUndefined();
  });

  test('a protocol that begins later leaves a local drag alone', () => {
    const { offer, write } = startMouse();
    offer('press');
    write(`\x1b[?1003h${SGR}`);
    expect(offer('motion', { state: BUTTON_1, x: 200 })).toBeUndefined();
    expect(offer('release', { state: BUTTON_1 })).toBeUndefined();
    expect(offer('motion', { x: 200 })).toBe('\x1b[<35;34;3M');
  });

  test('a protocol that ends between takes the release from everybody', () => {
    const { offer, write } = startMouse();
    write('\x1b[?1000h');
    offer('press', { button: 2 });
    write('\x1b[?1000l');
    expect(offer('release', { button: 2, state: STATE.button(2) })).toBe('');
  });
});

test('a release that went to another client does not keep its button held', () => {
  const { offer, write } = startMouse();
  write(`\x1b[?1003h${SGR}`);
  offer('press');
  expect(offer('motion', { x: 200 })).toBe('\x1b[<35;34;3M');
  expect(offer('release')).toBeUndefined();
});

describe('motions', () => {
  test('are reported once a cell, and only where the protocol has them', () => {
    const { offer, write } = startMouse();
    write(`\x1b[?1000h${SGR}`);
    offer('press');
    expect(offer('motion', { state: BUTTON_1, x: 200 })).toBe('');
    offer('release', { state: BUTTON_1 });
    expect(offer('motion', { x: 200 })).toBeUndefined();
    write('\x1b[?1002h');
    expect(offer('motion', { x: 200 })).toBeUndefined();
    offer('press');
    expect(offer('motion', { state: BUTTON_1, x: 9 })).toBe('');
    expect(offer('motion', { state: BUTTON_1, x: 14 })).toBe('\x1b[<32;3;3M');
  });

  test('name the lowest of the buttons that are held, and never the wheel', () => {
    const { offer, write } = startMouse();
    write(`\x1b[?1003h${SGR}`);
    offer('press', { button: 3 });
    offer('press', { button: 4, state: STATE.button(3) });
    expect(offer('motion', { state: STATE.button(3) | STATE.button(4), x: 14 })).toBe('\x1b[<34;3;3M');
    offer('release', { button: 4, state: STATE.button(3) | STATE.button(4) });
    offer('release', { button: 3, state: STATE.button(3) });
    offer('press', { button: 4 });
    expect(offer('motion', { state: STATE.button(4), x: 21 })).toBe('\x1b[<35;4;3M');
  });

  test('with Shift are not reported when no button is held', () => {
    const { offer, write } = startMouse();
    write(`\x1b[?1003h${SGR}`);
    expect(offer('motion', { state: STATE.shift })).toBeUndefined();
  });

  test('count pixels where places are pixels', () => {
    const { offer, write } = startMouse();
    write('\x1b[?1003h\x1b[?1016h');
    expect(offer('motion', { x: 62, y: 41 })).toBe('\x1b[<35;61;40M');
    expect(offer('motion', { x: 62, y: 41 })).toBe('');
    expect(offer('motion', { x: 63, y: 41 })).toBe('\x1b[<35;62;40M');
  });
});

describe('places outside of the text', () => {
  test.each([
    ['\x1b[?1006h', '\x1b[<0;1;1M', '\x1b[<1;80;24M'],
    ['\x1b[?1016h', '\x1b[<0;1;1M', '\x1b[<1;480;312M'],
  ])('are the nearest in it, encoded by %j', (encoding, first, last) => {
    const { offer, write } = startMouse();
    write(`\x1b[?1000h${encoding}`);
    expect(offer('press', { x: -5, y: 0 })).toBe(first);
    expect(offer('press', { button: 2, x: 5_000, y: 5_000 })).toBe(last);
  });
});

test('the oldest protocol reports three buttons, without modifiers and releases; the wheel stays local', () => {
  const { offer, write } = startMouse();
  write('\x1b[?9h');
  expect(offer('press', { state: STATE.control | STATE.meta })).toBe('\x1b[M "#');
  expect(offer('release', { state: BUTTON_1 })).toBe('');
  expect(offer('press', { button: 4 })).toBeUndefined();
});

test('modifiers are added to the code', () => {
  const { offer, write } = startMouse();
  write(`\x1b[?1000h${SGR}`);
  expect(offer('press', { state: STATE.meta })).toBe('\x1b[<8;2;3M');
  expect(offer('press', { state: STATE.control })).toBe('\x1b[<16;2;3M');
  expect(offer('press', { button: 5, state: STATE.meta | STATE.control })).toBe('\x1b[<89;2;3M');
});

describe('buttons behind the wheel', () => {
  test.each([
    ['bytes', '', [131, undefined]],
    ['decimal numbers', SGR, [131, 195]],
  ])('in %s have codes as far as these are unambiguous', (_what, encoding, codes) => {
    const { offer, write, state } = startMouse();
    write(`\x1b[?1000h${encoding}`);
    const told = [11, 15].map((button) => {
      if (offer('press', { button }) === undefined) return undefined;
      return encoding === '' ? state.sent.charCodeAt(3) - 32 : Number(/<(\d+)/.exec(state.sent)?.[1]);
    });
    expect(told).toEqual(codes);
    expect(offer('press', { button: 16 })).toBeUndefined();
  });
});

describe('far cells', () => {
  const far = { x: 2 + 2_500 * 6, y: 2 };

  test.each([
    ['bytes end at 223', '', 223, '\x1b[M \x00!'],
    ['UTF-8 ends at 2015', '\x1b[?1005h', 2_015, '\x1b[M \x00!'],
  ])('%s', (_what, encoding, last, beyond) => {
    const { offer, write } = startMouse({ columns: 3_000 });
    write(`\x1b[?1000h${encoding}`);
    const seen = offer('press', { x: 2 + (last - 1) * 6, y: 2 }) ?? '';
    const bytes = Buffer.from(seen, 'latin1');
    const text = encoding === '' ? seen : bytes.toString('utf8');
    expect(text.charCodeAt(4) - 32).toBe(last);
    expect(offer('press', { button: 1, x: 2 + last * 6, y: 2 })).toBe(beyond);
    expect(offer('press', far)).toBe(beyond);
  });

  test('urxvt adds 32 to the code alone', () => {
    const { offer, write } = startMouse({ columns: 3_000 });
    write('\x1b[?1000h\x1b[?1015h');
    expect(offer('press', far)).toBe('\x1b[32;2501;1M');
    expect(offer('release', far)).toBe('\x1b[35;2501;1M');
  });
});

test('a press of a button with the number 0, which another program made up, is not reported', () => {
  const { offer, write } = startMouse();
  write(`\x1b[?1000h${SGR}`);
  expect(offer('press', { button: 0 })).toBeUndefined();
});

test('a button without a bit in the state is reported to be up when the pointer may be let go elsewhere', () => {
  const { offer, tracking, write, state } = startMouse();
  write(`\x1b[?1002h${SGR}`);
  expect(offer('press', { button: 8 })).toBe('\x1b[<128;2;3M');
  state.sent = '';
  tracking.releaseUnseen();
  tracking.releaseUnseen();
  expect(state.sent).toBe('\x1b[<128;2;3m');
  expect(offer('motion', { x: 200 })).toBeUndefined();
  expect(offer('release', { button: 8 })).toBeUndefined();
});
