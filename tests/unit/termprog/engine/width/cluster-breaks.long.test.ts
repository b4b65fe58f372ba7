import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CLUSTER_CLASS,
  type ClusterClass,
  createCharacterProperties,
} from '../../../../../src/termprog/engine/width/character-properties.ts';
import { clusterClassOf, continuesCluster } from '../../../../../src/termprog/engine/width/cluster-breaks.ts';
import { fuzzRuns } from '../../../../harness/fuzz-runs.ts';

const propertiesOf = createCharacterProperties();
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The end of the ideographs in planes 2 and 3, and the beginning of plane 14. */
const LAST_ASSIGNED = 0x3_3480;
const FIRST_TAG = 0xe_0000;

const codesOf = (text: string): number[] => [...text].map((character) => character.codePointAt(0) ?? 0);

const theirs = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** Some code points of each class, the first and the last among them. */
const samples = new Map<ClusterClass, number[]>();
for (let code = 0x20; code < 0x11_0000; code += 1) {
  if (code >= 0xd800 && code <= 0xdfff) continue;
  const found = clusterClassOf(code, propertiesOf);
  const known = samples.get(found) ?? [];
  if (known.length < 200) known.push(code);
  else known[199] = code;
  samples.set(found, known);
}

test('every class has code points', () => {
  expect([...samples.keys()].sort((a, b) => a - b)).toEqual(Object.values(CLUSTER_CLASS));
});

test('three code points of any classes are cut as Unicode says', () => {
  const firsts = [...samples.values()].map((codes) => codes[0] as number);
  for (const one of firsts) {
    for (const two of firsts) {
      for (const three of firsts) {
        const text = String.fromCodePoint(one, two, three);
        expect(clustersOf(text), JSON.stringify(text)).toEqual(theirs(text));
      }
    }
  }
});

test('every code point after a letter and after itself is cut as Unicode says', () => {
  for (let code = 0x20; code < 0xe_1000; code += 1) {
    // The code points between them are unassigned.
    if (code === LAST_ASSIGNED) code = FIRST_TAG;
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const text = `a${character}${character}`;
    if (clustersOf(text).length !== [...segmenter.segment(text)].length) {
      expect(clustersOf(text), `U+${code.toString(16)}`).toEqual(theirs(text));
    }
  }
});

test('any text is cut as Unicode says', () => {
  const byClass = fc.constantFrom(...samples.values()).chain((codes) => fc.constantFrom(...codes));
  const likely = fc.constantFrom(...codesOf('👩‍🚀🏽❤️‍🔥🇩🇪🇫🇷한각क्षत्रि்\u0600\u200d\ufe0f\u0301ab漢\u1100\u1161\u11a8'));
  const text = fc.array(fc.oneof(byClass, likely), { maxLength: 20 });
  fc.assert(
    fc.property(text, (codes) => {
      const written = String.fromCodePoint(...codes);
      expect(clustersOf(written)).toEqual(theirs(written));
    }),
    { numRuns: fuzzRuns(20_000) },
  );
});

/** Clusters as the terminal finds them, code point after code point. */
function clustersOf(text: string): string[] {
  const clusters: number[][] = [];
  for (const code of codesOf(text)) {
    const last = clusters.at(-1);
    if (last !== undefined && continuesCluster(last, code, propertiesOf)) last.push(code);
    else clusters.push([code]);
  }
  return clusters.map((codes) => String.fromCodePoint(...codes));
}
