import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readModules, smallParserLibrary } from '../../../../scripts/build/small-parser-library.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const require = createRequire(import.meta.url);
const path = require.resolve('@xterm/headless');

interface Library {
  Terminal: new (options: object) => { _core: { _inputHandler: { _parser: { constructor: new () => Parser } } } };
}

const part = fc.oneof(
  fc.constantFrom('ab', '\x1b[1;4:3m', '\x1bM', '\x1b]0;title\x07', '\x1bP$qm\x1b\\', '\x1b[?1;25h', '\x9b5H', '漢'),
  fc.constantFrom('\x1b', '\x1b[', '\x1b]0;', '\x1bP$q', ';', ':3', '\x18', '\x1a', '\n', '\r', '\x7f', '\x9c', '\x07'),
  fc.string({ unit: 'binary-ascii', maxLength: 4 }),
);

test("the program's parser is the library's, in less than half of its text", async () => {
  const { library, text } = await buildLibrary();
  const whole = require('@xterm/headless') as Library;

  expect(text.length).toBeLessThan(readFileSync(path).length / 2);
  expect(parsed(library, 'ab\x1b[1;4:3mc\x1bMd')).toEqual(['ab', 'm[1,4,[3]]', 'c', 'RI', 'd', 'state 0']);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      expect(parsed(library, parts.join(''))).toEqual(parsed(whole, parts.join('')));
    }),
    { numRuns: 300 },
  );
});

test('another form of the library ends the build with a line that says so', async () => {
  const map = readFileSync(`${path}.map`, 'utf8');
  await using folder = await tempFolder();
  const renamed = join(folder.path, 'renamed.map');
  writeFileSync(renamed, map.replaceAll('EscapeSequenceParser.ts', 'Renamed.ts'));

  expect(() => readModules(renamed)).toThrow('has no module common/parser/EscapeSequenceParser');
  expect(() => readModules('/nonexistent/xterm-headless.js.map')).toThrow('is missing');
});

/** A handler that reports the contents of a control string. */
function collect(what: string, tell: (what: string) => boolean): StringHandler {
  let text = what;
  const begin = (): void => {
    text = what;
  };
  const end = (isComplete: boolean): boolean => tell(`${text} ${isComplete}`);
  const put = (data: Uint32Array, from: number, to: number): void => {
    text += String.fromCodePoint(...data.subarray(from, to));
  };
  return { start: begin, hook: begin, put, end, unhook: end };
}

async function buildLibrary(): Promise<{ library: Library; text: string }> {
  const { outputFiles } = await build({
    stdin: { contents: "export { default } from '@xterm/headless'", resolveDir: import.meta.dirname },
    plugins: [smallParserLibrary],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    minifyWhitespace: true,
    write: false,
  });
  const text = outputFiles.map((file) => file.text).join('');
  const module = { exports: {} };
  (new Script(`((module)=>{${text}})`).runInThisContext() as (from: typeof module) => void)(module);
  return { library: (module.exports as { default: Library }).default, text };
}

/** Returns the calls that a parser of the library makes for some output. */
function parsed(library: Library, text: string): string[] {
  const options = { cols: 1, rows: 1, scrollback: 0, allowProposedApi: true };
  const Found = new library.Terminal(options)._core._inputHandler._parser.constructor;
  const parser = new Found();
  const told: string[] = [];
  const tell = (what: string): boolean => told.push(what) > 0;
  parser.setPrintHandler((data, start, end) => told.push(String.fromCodePoint(...data.subarray(start, end))));
  for (const character of '\n\r') parser.setExecuteHandler(character, () => tell(JSON.stringify(character)));
  for (const final of 'mHJ') {
    parser.registerCsiHandler({ final }, (parameters) => tell(final + JSON.stringify(parameters.toArray())));
  }
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, (parameters) => tell(`DECSET ${parameters.toArray()}`));
  parser.registerEscHandler({ final: 'M' }, () => tell('RI'));
  parser.registerOscHandler(0, collect('title ', tell));
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, collect('DECRQSS ', tell));
  const output = Uint32Array.from([...text], (character) => character.codePointAt(0) ?? 0);
  parser.parse(output, output.length);
  return [...told, `state ${parser.currentState}`];
}

interface Parser {
  currentState: number;
  parse(data: Uint32Array, length: number): void;
  setPrintHandler(print: (data: Uint32Array, start: number, end: number) => void): void;
  setExecuteHandler(character: string, run: () => boolean): void;
  registerCsiHandler(id: object, run: (parameters: { toArray(): (number | number[])[] }) => boolean): void;
  registerEscHandler(id: object, run: () => boolean): void;
  registerOscHandler(id: number, handler: StringHandler): void;
  registerDcsHandler(id: object, handler: StringHandler): void;
}

interface StringHandler {
  start(): void;
  hook(): void;
  put(data: Uint32Array, start: number, end: number): void;
  end(isComplete: boolean): boolean;
  unhook(isComplete: boolean): boolean;
}
