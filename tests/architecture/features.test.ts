import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

const COMPOSITION = ['index.ts', 'feature-parts.ts'].map((name) => `src/termprog/window/features/${name}`);

const features = sourceFiles('src/termprog/window/features')
  .filter((file) => !COMPOSITION.includes(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

test('a feature of the window names what it needs, and takes no more than that', () => {
  // The names that remain are the import, `Pick<FeatureParts, …>` and the type of one part.
  const whole = features.filter(({ text }) => /\bFeatureParts\b(?! \} from|,|\[')/.test(text));

  expect(whole.map(({ file }) => file)).toEqual([]);
});

test('a feature of the window uses all that it names', () => {
  const unused = features.flatMap(({ file, text }) => {
    const lists = [...text.matchAll(/Pick<\s*FeatureParts,([^>]*)>/g)].map(([, list = '']) => list);
    const named = new Set(lists.flatMap((list) => [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)));
    const rest = text.replaceAll(/Pick<\s*FeatureParts,[^>]*>/g, '');
    // A part may be handed on with all others.
    if (/\.\.\.parts\b/.test(rest)) return [];
    return [...named].filter((name) => !new RegExp(`\\b${name}\\b`).test(rest)).map((name) => `${file}: ${name}`);
  });

  expect(unused).toEqual([]);
});
