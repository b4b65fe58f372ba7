import { describe, expect, test } from 'vitest';
import { functionPlaces, startFunctions } from '../../../../scripts/build/start-functions.ts';

/** Returns the text at each place, to the end of its statement. */
const placesIn = (text: string, keys: readonly string[]): string[] =>
  startFunctions(text, keys).map((offset) => text.slice(offset).split(/[;}]/, 1)[0] ?? '');

const keysOf = (text: string): string[] => functionPlaces(text).map(({ key }) => key);

describe('functions that a start runs', () => {
  for (const [what, text] of [
    ['a declaration', 'function open(a,b=f(1)){x}function close(c){y}'],
    ['a method', 'open(a,b=f(1)){x}close(c){y}'],
    ['a private method', '#open(a,b=f(1)){x}#close(c){y}'],
    ['an arrow', 'open=(a,b=f(1))=>{x};close=(c)=>{y}'],
    ['a value', 'tools.open=function(a,b=f(1)){x};tools.close=function(c){y}'],
    ['one that the bundler counted', 'function open12(a,b=f(1)){x}function close3(c){y}'],
  ] as const) {
    test(`${what} is found by its name`, () => {
      const [name = ''] = /#?open/.exec(text) ?? [];

      expect(placesIn(text, [`.${name}`])).toEqual([expect.stringMatching(/^\(a,b=f\(1\)\)/)]);
    });
  }

  test('calls and statements are no functions', () => {
    expect(startFunctions('open(a);if(b){c}for(d of e){f}', ['.open', '.if', '.for'])).toEqual([]);
  });

  test('functions of the same name in two classes differ by the class', () => {
    const text = 'var A=class{open(a){x}};var B2=class extends A{open(b){y}};class C extends A{open(c){z}}';

    expect(placesIn(text, ['B.open'])).toEqual(['(b){y']);
    expect(placesIn(text, ['C.open'])).toEqual(['(c){z']);
  });

  test('constructors and fields have the name of their class', () => {
    const text = 'A=class{#b=1;constructor(c){d}};E=class _E{#f=2;constructor(g){h}}';

    expect(placesIn(text, ['A.', 'A.constructor'])).toEqual(['#b=1', '(c){d']);
    expect(placesIn(text, ['_E.'])).toEqual(['#f=2']);
  });

  test('functions that read modules have the path as name, however the bundler breaks its line', () => {
    expect(placesIn('var init=__esm({"src/a\\\n.ts"(){b', ['.src/a.ts'])).toEqual(['(){b']);
  });

  test('arrows have the name of what stands before them, and their number', () => {
    const text = 'open(){return a.map(b=>b).map(c=>c)}close(){return d.map(e=>e)}';

    expect(keysOf(text)).toEqual(['.open', '.open>', '.open>>', '.close', '.close>']);
    expect(placesIn(text, ['.open>>'])).toEqual(['c=>c)']);
  });
});
