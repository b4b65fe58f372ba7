import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { extractParser } from '../../../../scripts/build/small-parser-library.ts';

const path = createRequire(import.meta.url).resolve('@xterm/headless');
const text = readFileSync(path, 'utf8');

interface Library {
  Terminal: new (options: object) => { _core: { _inputHandler: { _parser: { constructor: new () => Parser } } } };
}
interface Parser {
  parse(data: Uint32Array, length: number): void;
  setPrintHandler(print: (data: Uint32Array, start: number, end: number) => void): void;
  registerCsiHandler(id: { final: string }, run: (parameters: { toArray(): (number | number[])[] }) => boolean): void;
  registerEscHandler(id: { final: string }, run: () => boolean): void;
}

/** What a parser of the library makes of some output. */
function parsed(library: Library): string[] {
  const options = { cols: 1, rows: 1, scrollback: 0, allowProposedApi: true };
  const Found = new library.Terminal(options)._core._inputHandler._parser.constructor;
  const parser = new Found();
  const told: string[] = [];
  parser.setPrintHandler((data, start, end) => told.push(String.fromCharCode(...data.subarray(start, end))));
  parser.registerCsiHandler({ final: 'm' }, (parameters) => told.push(`SGR ${parameters.toArray().join(';')}`) > 0);
  parser.registerEscHandler({ final: 'M' }, () => told.push('RI') > 0);
  const output = Uint32Array.from('ab\x1b[1;4:3mc\x1bM\x1b]0;title\x07\x1bP1$qm\x1b\\d', (letter) =>
    letter.charCodeAt(0),
  );
  parser.parse(output, output.length);
  return told;
}

test("the program's parser is the library's, in a third of its text", () => {
  const contents = extractParser(text, path);
  const module: { exports: unknown } = { exports: {} };
  (new Script(`((module)=>{${contents}})`).runInThisContext() as (from: typeof module) => void)(module);

  expect(contents.length).toBeLessThan(text.length / 3);
  expect(parsed(module.exports as Library)).toEqual(['ab', 'SGR 1;4;3', 'c', 'RI', 'd']);
});

test('another form of the library ends the build with a line that says so', () => {
  expect(() => extractParser(text.replaceAll('.EscapeSequenceParser=', '.Renamed='), path)).toThrow('has no parser');
  expect(() => extractParser(text.replaceAll(/,1346:\(/g, ',"1346":('), path)).toThrow(/has no module 1346|Unexpected/);
});
