import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/** After each visual it reads, the X library lists all visuals so far: with hundreds this is most of the start. */
const SLOW_COUNT = 'if (Object.keys(visuals).length == n_visuals)';
const QUICK_COUNT = 'if (--n_visuals == 0)';

/** Extensions of the X protocol that the terminal uses; the library asks for this one by itself. */
const usedExtensions = ['big-requests'];

/** An X server and extensions, which the terminal never uses. They would be a third of the code at its start. */
const UNUSED = /\/x11\/lib\/(xserver\/.*|ext\/.*)\.js$/;

/** Only descriptions that begin with a character in brackets are read; the others are half of the table. */
const CHARACTER_DESCRIPTION = /^\(.\)/u;

/** Makes the X library start quickly, and leaves out what the terminal does not use. */
export const smallXLibrary: Plugin = {
  name: 'small-x-library',
  setup({ onLoad }) {
    onLoad({ filter: /\/x11\/lib\/handshake\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes(SLOW_COUNT)) throw new Error(`${path} is not the one that is known: see what it does now`);
      return { contents: text.replace(SLOW_COUNT, QUICK_COUNT) };
    });
    onLoad({ filter: /\/x11\/lib\/keysyms\.js$/ }, ({ path }) => ({ contents: compactKeysyms(path) }));
    onLoad({ filter: UNUSED }, ({ path }) => {
      const [, name = ''] = /\/lib\/(.*)\.js$/.exec(path) ?? [];
      if (usedExtensions.includes(name.replace('ext/', ''))) return undefined;
      const reason = `${name} of the X library is not in the terminal: scripts/build/small-x-library.ts leaves it out`;
      return { contents: `throw new Error(${JSON.stringify(reason)})` };
    });
  },
};

/** The table of keysyms as one text: two thousand literals would be read at each start, also when no key is pressed. */
function compactKeysyms(path: string): string {
  const table = createRequire(path)(path) as Record<string, { code: number; description: string | null }>;
  const compact = Object.entries(table).map(([name, { code, description }]) => {
    const character = description === null ? undefined : CHARACTER_DESCRIPTION.exec(description)?.[0];
    return [name, { code, description: character ?? null }] as const;
  });
  // Escaped, because V8 keeps a text with other than Latin-1 in twice the memory.
  const json = JSON.stringify(Object.fromEntries(compact)).replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `module.exports=JSON.parse(${JSON.stringify(json)})`;
}
