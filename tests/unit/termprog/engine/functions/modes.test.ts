import { expect, test } from 'vitest';
import { startEngine } from '../../../../harness/terminal-engine.ts';

test('private modes are saved and restored', () => {
  const { write, engine } = startEngine();
  write('\x1b[?2004h\x1b[?7;2004s\x1b[?7;2004l\x1b[?7;2004;1000r');
  expect([engine.modes.get('autoWraparound'), engine.modes.get('bracketedPaste')]).toEqual([true, true]);
  write('\x1bc\x1b[?2004r');
  expect(engine.modes.get('bracketedPaste')).toBe(false);
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
