import { expect, test } from 'vitest';
import { fixedModes, modeTable } from '../../../../../src/termprog/engine/modes.ts';
import { startEngine } from '../../../../harness/terminal-engine.ts';

/** Returns DECRQM's report of a mode after this was sent. */
function reportOf(sent: string, number: number, isPrivate = true): number {
  const { write, told } = startEngine();
  write(sent);
  told.replies = '';
  const marker = isPrivate ? '?' : '';
  write(`\x1b[${marker}${number}$p`);
  const [, asked, state] = /^\[\??(\d+);(\d)\$y$/.exec(told.replies.slice(1)) ?? [];
  expect(asked).toBe(`${number}`);
  return Number(state);
}

const [SET, RESET, ALWAYS_SET, ALWAYS_RESET] = [1, 2, 3, 4];

for (const { name, number, isPrivate, initial } of modeTable) {
  test(`mode ${isPrivate ? '?' : ''}${number}, ${name}, is reported as it was set`, () => {
    const change = (final: string): string => `\x1b[?40h\x1b[${isPrivate ? '?' : ''}${number}${final}`;
    expect(reportOf('', number, isPrivate)).toBe(initial ? SET : RESET);
    expect(reportOf(change('h'), number, isPrivate)).toBe(SET);
    // A cursor that was saved stays so when it is restored.
    expect(reportOf(change('h') + change('l'), number, isPrivate)).toBe(name === 'savedCursor' ? SET : RESET);
    expect(reportOf(`${change(initial ? 'l' : 'h')}\x1bc`, number, isPrivate)).toBe(initial ? SET : RESET);
  });
}

test('requests about a blinking cursor are not remembered where applications do not decide', () => {
  const { write, told } = startEngine({ takesBlinkRequests: false });
  write('\x1b[?12h\x1b[?12s\x1b[?12r\x1b[3 q\x1b[?12$p\x1bP$q q\x1b\\');
  expect(told.replies).toBe('\x1b[?12;2$y\x1bP1$r4 q\x1b\\');
});

test('modes that can not be changed keep their reported state', () => {
  const { resetAnsi, resetPrivate, setPrivate } = fixedModes;
  for (const final of ['h', 'l']) {
    const ansi = resetAnsi.map((number) => reportOf(`\x1b[${number}${final}`, number, false));
    expect(new Set(ansi)).toEqual(new Set([ALWAYS_RESET]));
    const fixed = [...resetPrivate, ...setPrivate].map((number) => reportOf(`\x1b[?${number}${final}`, number));
    expect(fixed).toEqual([...resetPrivate.map(() => ALWAYS_RESET), ...setPrivate.map(() => ALWAYS_SET)]);
  }
});

test('a cursor that was saved in any way is reported as saved, until a reset', () => {
  expect(reportOf('\x1b7', 1048)).toBe(SET);
  expect(reportOf('\x1b[s', 1048)).toBe(SET);
  expect(reportOf('\x1b7\x1b[?1049h', 1048)).toBe(RESET);
  expect(reportOf('\x1b[?1048h\x1bc', 1048)).toBe(RESET);
});

test('a change of columns that is not allowed is not reported as done', () => {
  expect(reportOf('\x1b[?3h', 3)).toBe(RESET);
});

for (const [what, sent] of [
  ['the alternate screen that is erased', `${'x'.repeat(80)}\x1b[?1049hy`],
  ['the alternate screen that is erased at its end', `\x1b[?47h${'x'.repeat(80)}\x1b[?1047ly`],
] as const) {
  test(`behind the last column, text goes on where it is: ${what}`, () => {
    const { write, engine } = startEngine();
    write(sent);
    expect(engine.cursor).toMatchObject({ column: 79, row: 0 });
  });
}

test('private modes are saved and restored', () => {
  const { write, engine } = startEngine();
  write('\x1b[?2004h\x1b[?7;2004s\x1b[?7;2004l\x1b[?7;2004;1000r');
  expect([engine.modes.get('autoWraparound'), engine.modes.get('bracketedPaste')]).toEqual([true, true]);
  write('\x1bc\x1b[?2004r');
  expect(engine.modes.get('bracketedPaste')).toBe(false);
});

for (const [what, sent, number] of [
  ['protocol', '\x1b[?1002h\x1b[?1000s\x1b[?1003h\x1b[?1000r', 1002],
  ['protocol, saved by its own number', '\x1b[?1002h\x1b[?1002s\x1b[?1000h\x1b[?1002r', 1002],
  ['encoding', '\x1b[?1006h\x1b[?1016s\x1b[?1016h\x1b[?1016r', 1006],
] as const) {
  test(`the mouse ${what}, is restored whichever of them was saved`, () => {
    expect(reportOf(sent, number)).toBe(SET);
  });
}

test('restoring brings back no mouse protocol when there was none', () => {
  expect(reportOf('\x1b[?1000s\x1b[?1003h\x1b[?1000r', 1003)).toBe(RESET);
});

test('restoring the mode of the cursor restores the cursor that saving it saved', () => {
  const { write, engine } = startEngine();
  write('\x1b[3;4H\x1b[?1048s\x1b[9;9H\x1b[?1048r');
  expect(engine.cursor).toMatchObject({ column: 3, row: 2 });
});

test('restoring the mode of a screen moves no cursor and erases no cell', () => {
  const { write, engine, text } = startEngine();
  write('first\x1b[?1049s\x1b[5;5H\x1b[?1049r');
  expect(engine.cursor).toMatchObject({ column: 4, row: 4 });
  write('\x1b[?1049h\x1b[Hsecond\x1b[?1049s\x1b[?47l\x1b[?1049r');
  expect([engine.modes.get('alternateScreen'), text(0)]).toEqual([true, 'second']);
});

test('any mouse protocol that is reset ends reports, an encoding only itself', () => {
  const { write, engine } = startEngine();
  write('\x1b[?1003h\x1b[?1006h\x1b[?1000l\x1b[?1005l');
  expect([engine.modes.get('mouseMotion'), engine.modes.get('mouseSgr')]).toEqual([false, true]);
  write('\x1b[?1015h');
  expect([engine.modes.get('mouseSgr'), engine.modes.get('mouseUrxvt')]).toEqual([false, true]);
});

test('a change of columns erases and goes home where it is allowed, and the window keeps its size', () => {
  const { write, engine, text } = startEngine();
  write('text\x1b[2;3r\x1b[?3h');
  expect(text(0)).toBe('text');
  write('\x1b[3;3H\x1b[?40h\x1b[?3h');
  expect([text(0), engine.cursor.row, engine.columns]).toEqual(['', 0, 80]);
});

test('national character sets count only while their mode is on', () => {
  const { write, text } = startEngine();
  write('\x1b(K[\x1b[?42h\x1b(K[\x1b(B\x1b(A#\x1b(0q\x1b(>a\x1b(B');
  expect(text(0)).toBe('[Ä£─α');
  write('\r\x1b(K[\x1b[?42l[');
  expect(text(0)).toBe('Ä[£─α');
});

test('a soft reset ends the modes that it names', () => {
  const { write, engine } = startEngine();
  write('\x1b[2h\x1b[?1;45;1045;69;42h\x1b[?7l\x1b[!p');
  const names = [
    'keyboardLocked',
    'applicationCursorKeys',
    'reverseWraparound',
    'sideMargins',
    'nationalCharsets',
  ] as const;
  expect(names.map((name) => engine.modes.get(name))).toEqual(names.map(() => false));
  expect(engine.modes.get('autoWraparound')).toBe(true);
});

test('the end of a synchronized change of the screen is reported at once, its beginning is not', () => {
  const { write, told } = startEngine();
  write('\x1b[?2026ha');
  expect(told.completedChanges).toBe(0);
  write('b\x1b[?2026l\x1b[?2026hc');
  expect(told.completedChanges).toBe(1);
});

test('a watcher of modes receives each change, by any sequence that ends them, and no other', () => {
  const { engine, write } = startEngine();
  const seen: string[] = [];
  const { modes } = engine;
  const stop = modes.watch(['mouseButtons', 'mouseMotion'], () =>
    seen.push(`${modes.get('mouseButtons')} ${modes.get('mouseMotion')}`),
  );
  write('\x1b[?1000h\x1b[?1000h\x1b[?1006h');
  expect(seen).toEqual(['true false']);
  // Both modes change at once, which is reported as one change.
  write('\x1b[?1003h');
  expect(seen.splice(0)).toEqual(['true false', 'false true']);
  write('\x1bc');
  expect(seen.splice(0)).toEqual(['false false']);
  stop();
  write('\x1b[?1000h');
  expect(seen).toEqual([]);
});
