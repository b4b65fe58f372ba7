import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import type { Plugin } from 'esbuild';

/** A module in the bundle that the library's authors publish: `,6717:(e,t,s)=>{`. */
const MODULE_START = /[{,](\d+):\((?:\w+(?:,\w+)*)?\)=>\{/g;

/** How a module of that bundle asks for another. */
const DEPENDENCY = /=\w\((\d+)\)/g;

/** The module with the parser says so. */
const PARSER = '.EscapeSequenceParser=';

/**
 * Takes the parser out of the terminal library, which is ten times as long: the rest would be read at each start, and
 * a whole terminal built to find its parser. What remains is the library's own text.
 */
export const smallParserLibrary: Plugin = {
  name: 'small-parser-library',
  setup({ onLoad }) {
    onLoad({ filter: /\/lib-headless\/xterm-headless\.js$/ }, ({ path }) => ({
      contents: extractParser(readFileSync(path, 'utf8'), path),
    }));
  },
};

/**
 * The text of a module with a `Terminal` that has nothing but its parser.
 * @throws when the text is not of the form that is known
 */
export function extractParser(text: string, path: string): string {
  const modules = modulesOf(text);
  const parser = [...modules].find(([, module]) => module.includes(PARSER))?.[0];
  if (parser === undefined) throw new Error(`${path} has no parser where it was: see what it has now`);
  const needed = [...reachable(modules, parser, path)].map((id) => modules.get(id) ?? '');
  const contents = `const modules={${needed.join(',')}};
const loaded={};
const load=(id)=>{
  if(loaded[id]===undefined){const made={exports:loaded[id]={}};modules[id](made,made.exports,load);loaded[id]=made.exports}
  return loaded[id];
};
class Terminal{_core={_inputHandler:{_parser:new(load(${parser}).EscapeSequenceParser)}}}
module.exports={Terminal};`;
  // A text that was cut in a wrong place can't be compiled.
  new Script(contents, { filename: path });
  return contents;
}

/** Number of a module -> its text, with the number. */
function modulesOf(text: string): Map<string, string> {
  const starts = [...text.matchAll(MODULE_START)];
  // What follows the last one is not a module. It is left out; nothing needed is there, or the parser would miss it.
  return new Map(
    starts
      .slice(0, -1)
      .map(({ 1: id = '', index }, place) => [id, text.slice(index + 1, starts[place + 1]?.index)] as const),
  );
}

/** The module and all that it needs. */
function reachable(modules: ReadonlyMap<string, string>, first: string, path: string): Set<string> {
  const found = new Set([first]);
  for (const id of found) {
    const module = modules.get(id);
    if (module === undefined) throw new Error(`${path} has no module ${id}: see what it has now`);
    for (const [, dependency = ''] of module.matchAll(DEPENDENCY)) found.add(dependency);
  }
  return found;
}
