import { describe, expect, test } from 'vitest';
import { listedName, startFunctions } from '../../../../scripts/build/start-functions.ts';

/** Returns the text at each place, to the end of its statement. */
const placesIn = (text: string, names: readonly string[]): string[] =>
  startFunctions(text, names).map((offset) => text.slice(offset).split(/[;}]/, 1)[0] ?? '');

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

      expect(placesIn(text, [name])[0]).toMatch(/^\(a,b=f\(1\)\)/);
      expect(placesIn(text, [name]).join()).not.toContain('(c)');
    });
  }

  test('calls and statements are no functions', () => {
    expect(startFunctions('open(a);if(b){c}for(d of e){f}', ['open', 'if', 'for'])).toEqual([]);
  });

  test('arrows count as what stands before them', () => {
    const text = 'open(){return a.map(b=>b)}close(){return c.map(d=>d)}';

    expect(placesIn(text, ['open'])).toEqual(['(){return a.map(b=>b)', 'b=>b)']);
  });

  test('functions that read modules, constructors and fields always count', () => {
    expect(placesIn('var init=__esm({"src/a\\\n.ts"(){b', [])).toEqual(['(){b']);
    expect(placesIn('A=class{#b=1;constructor(c){d}', [])).toEqual(['#b=1', '(c){d']);
  });
});

test('names have no kind, no place and no count', () => {
  expect(['get size', 'FrameBuffer.write', 'row3', '#try'].map(listedName)).toEqual(['size', 'write', 'row', '#try']);
  expect(['', '6717', '<instance_members_initializer>', 'src/a.ts'].map(listedName)).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
});
