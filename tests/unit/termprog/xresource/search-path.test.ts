import { expect, test } from 'vitest';
import { expandSearchPath } from '../../../../src/termprog/xresource/search-path.ts';

const expand = (path: string, language = 'de_AT.UTF-8') =>
  expandSearchPath(path, { name: 'Term', type: 'app-defaults', customization: '-color', language, default: '/d/%N' });

for (const [path, files] of [
  ['/%N%S', ['/Term']],
  ['/%T/%N%C', ['/app-defaults/Term-color']],
  ['/%L/%l/%t/%c', ['/de_AT.UTF-8/de/AT/UTF-8']],
  ['/a:/b', ['/a', '/b']],
  [':/b', ['Term', '/b']],
  ['/a::/b', ['/a', 'Term', '/b']],
  ['/a:::/b', ['/a', 'Term', '/b']],
  ['/a:', ['/a']],
  ['', []],
  ['/a//%C/', ['/a/-color/']],
  ['/a%:b:/c', ['/a:b', '/c']],
  ['/100%%', ['/100%']],
  ['/%x', ['/x']],
  ['/%N%', ['/Term']],
  ['/a:%D', ['/a', '/d/Term']],
] as const) {
  test(`the path ${JSON.stringify(path)} is ${files.join(' and ') || 'nothing'}`, () => {
    expect(expand(path)).toEqual(files);
  });
}

for (const [language, parts] of [
  ['de', '/de//'],
  ['de.UTF-8', '/de//UTF-8'],
  ['de_AT', '/de/AT/'],
  ['C', '/C//'],
] as const) {
  test(`the parts of the locale ${language} are ${parts}`, () => {
    expect(expand('/%l|/%t|/%c', language)[0]?.replaceAll('|', '')).toBe(parts);
  });
}
