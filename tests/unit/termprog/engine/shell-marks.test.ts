import { expect, test } from 'vitest';
import { placeOf } from '../../../../src/termprog/engine/text-anchors.ts';
import { promptAbove } from '../../../../src/termprog/prompts/prompt-rows.ts';
import { startEngine } from '../../../harness/terminal-engine.ts';

const mark = (letter: string): string => `\x1b]133;${letter}\x07`;

/** Text from the place of each mark to the end of its row. */
function textAtMarks({ engine, text }: ReturnType<typeof startEngine>): string[] {
  return engine.shellMarks.map((shellMark) => {
    const place = placeOf(engine, shellMark);
    const row = place === undefined ? '' : text(place.row);
    // A wide character is one character of the text and two cells.
    let [at, cells] = [0, 0];
    while (cells < (place?.column ?? 0)) cells += (row.codePointAt(at++) ?? 0) > 0x2e80 ? 2 : 1;
    return row.slice(at).trimEnd();
  });
}

test('a mark behind wide characters that did not fit stays with its text for any number of columns', () => {
  const terminal = startEngine({ columns: 5, rows: 12 });
  // Two wide characters and a blank cell in each row.
  terminal.write(`${'漢'.repeat(6)}${mark('A')}$ go${mark('B')}`);

  for (const columns of [5, 9, 40, 3, 4, 17, 80]) {
    terminal.engine.resize(columns, 12);
    const [prompt = '', command] = textAtMarks(terminal);
    expect([columns, '$ go'.startsWith(prompt) && prompt.startsWith('$')]).toEqual([columns, true]);
    expect([columns, command]).toEqual([columns, '']);
  }
});

test('a prompt behind wide characters that did not fit is found in its own row after a resize', () => {
  const { engine, text, write } = startEngine({ columns: 5, rows: 3 });
  write(`${'漢'.repeat(40)}${mark('A')}$ go\r\n\n\n\n`);

  for (const columns of [5, 7, 12, 5, 9]) {
    engine.resize(columns, 3);
    const row = promptAbove(engine, engine.shellMarks, engine.cursor.row, 1);
    expect([columns, text(row ?? 0).includes('$')]).toEqual([columns, true]);
  }
});

test('a mark behind text that fills a row is behind its last character', () => {
  const terminal = startEngine({ columns: 5, rows: 4 });
  terminal.write(`12345${mark('A')}6789`);

  expect(textAtMarks(terminal)).toEqual(['6789']);
  terminal.engine.resize(20, 4);
  expect(textAtMarks(terminal)).toEqual(['6789']);
});
