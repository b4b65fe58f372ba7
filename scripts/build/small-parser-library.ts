import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { Plugin } from 'esbuild';

/** The published bundle, in whose place the program gets one module of it. */
const BUNDLE = /\/lib-headless\/xterm-headless\.js$/;

/** Modules of the library, by paths from its sources; and where they lie in the map of the bundle. */
const NAMESPACE = 'parser-library';
const SOURCES = /\/\.\/(?:src|out)\/(?<path>.*)\.[jt]s$/;

/** The map contains no modules of types. The parser uses one value of theirs: an enum of its own states. */
const TYPES = /\/Types$/;
const typesModule = 'export const enum ParserStackType { NONE, FAIL, RESET, CSI, ESC, OSC, DCS }';

/** The library's module with the parser. */
const PARSER = 'common/parser/EscapeSequenceParser';

/**
 * Takes the parser out of the terminal library, which is ten times as long: the rest would be read at each start, and
 * a whole terminal built to find its parser. The library publishes one bundle, with a map that holds its modules as they
 * were written; the program is built of those that the parser imports.
 */
export const smallParserLibrary: Plugin = {
  name: 'small-parser-library',
  setup({ onLoad, onResolve }) {
    let modules: ReadonlyMap<string, string> = new Map();
    onLoad({ filter: BUNDLE }, ({ path }) => {
      modules = readModules(`${path}.map`);
      return { contents: parserOnly, resolveDir: posix.dirname(path), loader: 'js' };
    });
    onResolve({ filter: /^parser-library:/ }, () => ({ path: PARSER, namespace: NAMESPACE }));
    onResolve({ filter: /.*/, namespace: NAMESPACE }, ({ path, importer }) => {
      const name = path.startsWith('.') ? posix.join(posix.dirname(importer), path) : path;
      return { path: name, namespace: NAMESPACE, sideEffects: false };
    });
    onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => {
      const contents = TYPES.test(path) ? typesModule : modules.get(path);
      if (contents === undefined) throw new Error(`@xterm/headless has no module ${path}: see what its map has now`);
      return { contents, loader: 'ts' };
    });
  },
};

/** A `Terminal` that has only a parser, at the place where the library's has it. */
const parserOnly = `import { EscapeSequenceParser } from 'parser-library:parser';
class Terminal { _core = { _inputHandler: { _parser: new EscapeSequenceParser() } } }
export default { Terminal };`;

interface SourceMap {
  sources: string[];
  sourcesContent?: (string | null)[];
}

/**
 * Path of a module -> its text.
 * @throws when the library publishes no map with its modules
 */
export function readModules(map: string): ReadonlyMap<string, string> {
  if (!existsSync(map)) throw new Error(`${map} is missing: the parser's modules are read from it`);
  const { sources, sourcesContent = [] } = JSON.parse(readFileSync(map, 'utf8')) as SourceMap;
  const modules = new Map<string, string>();
  for (const [index, source] of sources.entries()) {
    const path = SOURCES.exec(source)?.groups?.['path'];
    const text = sourcesContent[index];
    if (path !== undefined && typeof text === 'string') modules.set(path, text);
  }
  if (!modules.has(PARSER)) throw new Error(`${map} has no module ${PARSER}: see what it has now`);
  return modules;
}
