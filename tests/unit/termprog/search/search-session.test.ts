import { expect, test } from 'vitest';
import type { SearchSession } from '../../../../src/termprog/search/search-session.ts';
import { markedRows, startSearchable } from './open-session.ts';

/** Lets slices and looks at output happen until everything is found. */
async function settle(session: SearchSession): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 40));
  while (session.status.endsWith('…')) await new Promise((resolve) => setImmediate(resolve));
}

const lines = (count: number): string => Array.from({ length: count }, (_, line) => `line ${line}\r\n`).join('');

test('typing finds the newest match first, marks all that are to be seen, and reports how many there are', () => {
  const terminal = startSearchable();
  terminal.print('one\r\ntwo\r\none two one');
  const session = terminal.open();
  session.type('one');

  expect(session.status).toBe('1/3');
  expect(markedRows(terminal, session).slice(0, 3)).toEqual(['[one]', 'two', '[one] two {one}']);
});

test('keys go to older matches and back, and ring the bell at both ends', () => {
  const terminal = startSearchable();
  terminal.print('one\r\ntwo\r\none two one');
  const session = terminal.open();
  session.type('one');
  session.obey('newer');
  expect([session.status, terminal.told.rings]).toEqual(['1/3', 1]);
  session.obey('older');
  expect(session.status).toBe('2/3');
  session.obey('older');
  session.obey('older');
  expect([session.status, terminal.told.rings]).toEqual(['3/3', 2]);
  session.obey('newer');
  expect(markedRows(terminal, session).slice(0, 3)).toEqual(['[one]', 'two', '{one} two [one]']);
});

test('the view goes to a match in the history, and back when the search is given up', () => {
  const terminal = startSearchable();
  terminal.print(lines(40));
  const session = terminal.open();
  session.type('line 7');

  expect(markedRows(terminal, session)[2]).toBe('{line 7}');
  session.obey('cancel');
  expect(terminal.view.linesAbove).toBe(0);
});

test('a search that is given up goes back to the earlier view of the history, also after new output', () => {
  const terminal = startSearchable();
  terminal.print(lines(40));
  terminal.view.scrollBy(10);
  const before = terminal.view.line(0)?.id;
  const session = terminal.open();
  session.type('line 3');
  terminal.print(lines(5));
  session.obey('cancel');

  expect([terminal.view.line(0)?.id, terminal.view.linesAbove]).toEqual([before, 15]);
});

test('the active match is copied as it is written, and the view stays at it', () => {
  const terminal = startSearchable();
  terminal.print(`The Needle\r\n${lines(20)}`);
  const session = terminal.open();
  session.type('the needle');
  session.obey('copy');

  expect(terminal.told.copied).toEqual(['The Needle']);
  expect(terminal.view.linesAbove).toBeGreaterThan(0);
});

test('without a match no text is copied, and the view goes back', () => {
  const terminal = startSearchable();
  terminal.print(lines(20));
  const session = terminal.open();
  session.type('lines');
  expect(session.status).toBe('no match');
  session.obey('copy');

  expect([terminal.told.copied, terminal.view.linesAbove]).toEqual([[], 0]);
});

test.each([
  ['needle', ['{needle}', '[Needle]', '[NEEDLE]']],
  ['Needle', ['needle', '{Needle}', 'NEEDLE']],
])('case matters only when the text has a capital letter: %s', (query, expected) => {
  const terminal = startSearchable();
  terminal.print('NEEDLE\r\nNeedle\r\nneedle');
  const session = terminal.open();
  session.type(query);

  expect(markedRows(terminal, session).slice(0, 3).reverse()).toEqual(expected);
});

test('a match goes on in the next row where the text does', () => {
  const terminal = startSearchable();
  terminal.print(`${'x'.repeat(17)}needle and more`);
  const session = terminal.open();
  session.type('needle');

  expect(markedRows(terminal, session).slice(0, 2)).toEqual(['xxxxxxxxxxxxxxxxx{nee}', '{dle} and more']);
  session.obey('copy');
  expect(terminal.told.copied).toEqual(['needle']);
});

test('a wide character that did not fit into a row does not part a match', () => {
  const terminal = startSearchable({ columns: 5 });
  terminal.print('abcd漢字');
  const session = terminal.open();
  session.type('d漢字');
  expect(session.status).toBe('1/1');
  session.obey('copy');
  expect(terminal.told.copied).toEqual(['d漢字']);
});

test('a character is found in whichever way it is written, but not a part of it', () => {
  const terminal = startSearchable();
  terminal.print('caf\u0065\u0301 caf\u00e9');
  const session = terminal.open();
  session.type('caf\u00e9');
  expect(session.status).toBe('1/2');
  session.obey('clear');
  session.type('cafe');
  expect(session.status).toBe('no match');
});

test('places that were never written to count as blanks, except behind the text', () => {
  const terminal = startSearchable();
  terminal.print('a\x1b[1;5Hb');
  const session = terminal.open();
  session.type('a   b');
  expect(session.status).toBe('1/1');
  session.type(' ');
  expect(session.status).toBe('no match');
});

test('each change of the text begins at the newest match, unless keys have chosen one that still fits', () => {
  const terminal = startSearchable();
  terminal.print('abc\r\nabd\r\nabc\r\nab');
  const session = terminal.open();
  session.type('ab');
  session.type('c');
  expect(session.status).toBe('1/2');
  session.obey('older');
  session.obey('dropCharacter');
  expect(session.status).toBe('4/4');
  session.obey('dropCharacter');
  session.obey('clear');
  session.type('ab');
  expect(session.status).toBe('1/4');
});

test('Backspace takes a whole character off', () => {
  const terminal = startSearchable();
  const session = terminal.open();
  session.type('ae\u0301👨‍👩‍👧');
  session.obey('dropCharacter');
  expect(session.query).toBe('ae\u0301');
  session.obey('dropCharacter');
  expect(session.query).toBe('a');
  session.type('one two');
  session.obey('dropWord');
  expect(session.query).toBe('aone ');
});

test('a text that is too long, and control characters, are not taken', () => {
  const terminal = startSearchable();
  const session = terminal.open();
  session.type('x'.repeat(256));
  session.type('y');
  expect([session.query.length, terminal.told.rings]).toEqual([256, 1]);
  session.obey('clear');
  session.type('\x1b[31m\u009b');
  expect(session.query).toBe('[31m');
});

test('the view stays at the match when output comes, and new matches count', async () => {
  const terminal = startSearchable();
  terminal.print(lines(30));
  const session = terminal.open();
  session.type('line 12');
  const shown = markedRows(terminal, session);
  terminal.print('line 12 again\r\nmore\r\n');
  expect(markedRows(terminal, session)).toEqual(shown);
  await settle(session);

  expect([markedRows(terminal, session), session.status]).toEqual([shown, '2/2']);
});

test('a match that is overwritten gives its place to the next older one', async () => {
  const terminal = startSearchable();
  terminal.print('needle\r\nneedle');
  const session = terminal.open();
  session.type('needle');
  terminal.print('\r\x1b[K');
  await settle(session);

  expect(session.status).toBe('1/1');
  expect(markedRows(terminal, session)[0]).toBe('{needle}');
});

test('the same match is active when the text was broken anew for another size', async () => {
  const terminal = startSearchable();
  terminal.print(Array.from({ length: 30 }, (_, line) => `${'='.repeat(17)}needle ${line}\r\n`).join(''));
  const session = terminal.open();
  session.type('needle');
  for (let step = 0; step < 11; step += 1) session.obey('older');
  terminal.resize(33, 8);
  await settle(session);
  expect(session.status).toBe('12/30');
  expect(markedRows(terminal, session).find((row) => row.includes('{'))).toContain('{needle} 18');
  terminal.resize(9, 8);
  await settle(session);
  expect(session.status).toBe('12/30');
  session.obey('copy');
  expect(terminal.told.copied).toEqual(['needle']);
});

test('the alternate screen is searched while it is shown, and the other one afterwards', async () => {
  const terminal = startSearchable();
  terminal.print(`needle\r\n${lines(20)}`);
  const session = terminal.open();
  session.type('needle');
  expect(session.status).toBe('1/1');
  terminal.print('\x1b[?1049hneedle needle');
  await settle(session);
  expect(session.status).toBe('1/2');
  terminal.print('\x1b[?1049l');
  await settle(session);
  expect(session.status).toBe('1/1');
  session.obey('cancel');
  expect(terminal.view.linesAbove).toBe(0);
});

test('a full reset and an erased history leave no matches', async () => {
  const terminal = startSearchable();
  terminal.print(`needle\r\n${lines(20)}`);
  const session = terminal.open();
  session.type('needle');
  terminal.print('\x1b[3J');
  await settle(session);
  expect([session.status, terminal.view.linesAbove]).toEqual(['no match', 0]);
  terminal.print('needle\x1bc');
  await settle(session);
  expect(session.status).toBe('no match');
});

test('a change without an announcement is noticed by the next frame, and the search goes on', async () => {
  const terminal = startSearchable({ saveLines: 100_000 });
  terminal.print('needle\r\n');
  for (let part = 0; part < 90; part += 1) terminal.print(lines(1_000));
  const session = terminal.open();
  session.type('needle');
  terminal.engine.write(Buffer.from(lines(100)));
  expect(session.spansIn(0)).toEqual([]);
  await settle(session);
  expect(session.status).toBe('1/1');
  terminal.engine.fullReset();
  session.spansIn(0);
  await settle(session);
  expect(session.status).toBe('no match');
});

test('matches go with lines that leave the history', async () => {
  const terminal = startSearchable({ saveLines: 20 });
  terminal.print(lines(40));
  const session = terminal.open();
  session.type('line');
  expect(session.status).toBe('1/25');
  terminal.print('x\r\nx\r\nx\r\n');
  await settle(session);
  expect(session.status).toBe('1/22');
});

test('the bar moves to the top where it would hide the match', () => {
  const terminal = startSearchable();
  terminal.print('1\r\n2\r\n3\r\n4\r\n5\r\nneedle');
  const session = terminal.open();
  expect(session.barRow).toBe(5);
  session.type('needle');
  expect(session.barRow).toBe(0);
});

test('pasted text is typed, unless the search is over by then', () => {
  const terminal = startSearchable();
  const session = terminal.open();
  session.obey('paste');
  expect(session.query).toBe('pasted');
  session.close();
  session.obey('paste');
  expect(session.query).toBe('pasted');
});

test('keys that come before their match was found wait for it', async () => {
  const terminal = startSearchable({ saveLines: 200_000 });
  terminal.print('needle one\r\nneedle two\r\n');
  for (let part = 0; part < 150; part += 1) terminal.print(lines(1_000));
  const session = terminal.open();
  session.type('needle');
  session.obey('older');
  session.obey('copy');
  expect(terminal.told.copied).toEqual([]);
  while (terminal.told.copied.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(terminal.told.copied).toEqual(['needle']);
  expect(terminal.engine.line(-terminal.view.linesAbove)?.id).toBe(1);
});

/** Text with a match in the oldest row, which is active. */
function startAtOldest() {
  const terminal = startSearchable({ columns: 20, rows: 3 });
  terminal.print(`needle one\r\n${'other\r\n'.repeat(20)}`);
  const session = terminal.open();
  session.type('needle');
  session.obey('older');
  return { ...terminal, session };
}

test('a match whose line was erased just now is not copied, and no other text in its place', () => {
  const { engine, told, session } = startAtOldest();
  engine.write(Buffer.from('\x1b[3J'));
  session.obey('copy');
  expect(told.copied).toEqual([]);
});

test('a match that stands elsewhere since the history was erased is copied as it is', () => {
  const { engine, told, session } = startAtOldest();
  engine.write(Buffer.from('\x1b[3J\x1b[Hnew\r\nNEEDLE two\x1b[K\r\n'));
  session.obey('copy');
  expect(told.copied).toEqual(['NEEDLE']);
});

test('a resize leaves a view that was moved away from the match at its line', async () => {
  const terminal = startSearchable({ saveLines: 300 });
  terminal.print(`${Array.from({ length: 60 }, (_, line) => `line ${line} and more`).join('\r\n')}\r\nneedle`);
  const session = terminal.open();
  session.type('needle');
  terminal.view.scrollBy(30);
  const first = markedRows(terminal, session)[0] ?? '';
  for (const columns of [11, 40, 20, 13]) {
    terminal.resize(columns, 6);
    await settle(session);
    const shown = markedRows(terminal, session)[0] ?? '';
    expect(first.startsWith(shown) || shown.startsWith(first), `${columns}: ${shown} is not ${first}`).toBe(true);
    expect(session.status).toBe('1/1');
  }
});
