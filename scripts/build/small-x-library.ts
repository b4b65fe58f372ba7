import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/**
 * The X library takes the visuals of a depth one by one out of the server's answer, and after each it lists all of them
 * so far. Servers have hundreds: this would be most of the time that connecting takes.
 */
const SLOW_VISUALS = /function readVisuals\(bl, visuals, n_visuals, cb\)\n\{.*?\n\}\n/s;

/** Parts of that function; if one is missing, the function has changed and must not be replaced. */
const KNOWN_OF_VISUALS = ['bl.get(24, ', 'vid: buf.readUInt32LE(0)', 'if (Object.keys(visuals).length == n_visuals)'];

/**
 * Replacement that reads all visuals of a depth at once; the terminal asks for answers in this machine's byte order.
 */
const QUICK_VISUALS = `function readVisuals(bl, visuals, n_visuals, cb) {
  if (n_visuals === 0) return cb();
  bl.get(24 * n_visuals, (buf) => {
    const words = new Uint32Array(new Uint8Array(buf).buffer);
    for (let at = 0; at < words.length; at += 6) {
      const vid = words[at], kind = words[at + 1];
      visuals[vid] = {
        vid,
        class: kind & 0xff,
        bits_per_rgb: (kind >> 8) & 0xff,
        map_ent: kind >>> 16,
        red_mask: words[at + 2],
        green_mask: words[at + 3],
        blue_mask: words[at + 4],
      };
    }
    cb();
  });
}
`;

/** Extensions of the X protocol that the terminal uses; the library asks for this one by itself. */
const usedExtensions = ['big-requests'];

/** An X server and extensions, which the terminal never uses. They would be a third of the code at its start. */
const UNUSED = /\/x11\/lib\/(xserver\/.*|ext\/.*)\.js$/;

/** The terminal reads only descriptions that begin with a character in brackets; the others are half of the table. */
const CHARACTER_DESCRIPTION = /^\(.\)/u;

/** Makes the X library start quickly, and leaves out what the terminal does not use. */
export const smallXLibrary: Plugin = {
  name: 'small-x-library',
  setup({ onLoad }) {
    onLoad({ filter: /\/x11\/lib\/handshake\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const [slow = ''] = SLOW_VISUALS.exec(text) ?? [];
      if (!KNOWN_OF_VISUALS.every((part) => slow.includes(part))) {
        throw new Error(`${path} is not the one that is known: see what it does now`);
      }
      return { contents: text.replace(slow, QUICK_VISUALS) };
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
  // Other characters are escaped, because V8 keeps a text beyond Latin-1 in twice the memory.
  const json = JSON.stringify(Object.fromEntries(compact)).replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `module.exports=JSON.parse(${JSON.stringify(json)})`;
}
