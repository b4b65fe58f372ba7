import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { termprogActions } from '../../../schemas/termprog/actions.ts';
import { termprogResources, termprogThemes } from '../../../schemas/termprog/index.ts';
import { termprogMenus } from '../../../schemas/termprog/menus.ts';
import { termprogProgramOptions } from '../../../schemas/termprog/program-options.ts';
import type { XResourceOption } from '../../../schemas/termprog/resource-table.ts';
import { manualPage } from '../../../src/generate/manual-page.ts';
import { formatHelp } from '../../../src/termprog/xresource/usage.ts';

test('mandoc finds no fault in the manual page', () => {
  const { stdout } = spawnSync('mandoc', ['-Tlint'], { input: manualPage(), encoding: 'utf8' });

  expect(stdout).toBe('');
});

test('the manual page has every part that a reader looks for', () => {
  const headings = [...manualPage().matchAll(/^\.Sh (.*?)(?:\\&)?$/gm)].map(([, name]) => name);

  expect(headings).toEqual([
    ...['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'RESOURCES', 'ACTIONS', 'DEFAULT TRANSLATIONS', 'MENUS'],
    ...['SELECTIONS', 'ENVIRONMENT', 'FILES', 'EXIT STATUS', 'EXAMPLES', 'SEE ALSO'],
  ]);
});

test('a reader finds every resource, action and menu entry', () => {
  const page = read();

  const families = termprogResources.filter(({ name }) => !/^(?:fallbackFace|color|faceSize)\d+$/.test(name));
  for (const { name, class: className } of families) expect(page).toContain(`${name} (${className};`);
  for (const { name, parameters } of termprogActions) expect(page).toContain(`${name}(${parameters})`);
  for (const { label } of termprogMenus.flatMap(({ groups }) => groups.flat())) expect(page).toContain(label);
  expect(page).toContain('fallbackFace1 to fallbackFace16 (FallbackFace1; pattern; unset)');
  expect(page).toContain('Ctrl Shift <KeyPress> Up: previous-prompt()');
});

/** Returns the manual's sentence about an option, behind what it sets. */
const sentenceOf = (doc: string, option: XResourceOption): string =>
  (option.kind === 'toggle' ? option.doc : undefined) ?? firstSentence(doc);
const firstSentence = (doc: string): string => doc.split(/(?<=\.) /)[0] ?? '';

/** Words alone, without what marks literals and indents. */
const plain = (text: string): string => text.replace(/[`>]/g, '').replace(/\s+/g, ' ');

test('options with opposite effects have sentences of their own, in the manual and in -help', () => {
  const texts = [read(), formatHelp(termprogThemes, termprogProgramOptions)].map(plain);
  for (const { name, doc, options = [] } of termprogResources) {
    const toggles = options.filter((option) => option.kind === 'toggle');
    for (const option of toggles) {
      const sentence = sentenceOf(doc, option);
      // The sentence of the row says what "true" does.
      if (option.minus !== 'true') expect(sentence, `${name}: ${option.names}`).not.toBe(firstSentence(doc));
      for (const text of texts) expect(text).toContain(plain(sentence));
    }
    const effects = new Map(toggles.map((option) => [option.minus, sentenceOf(doc, option)]));
    expect(new Set(effects.values()).size, `${name}: one sentence for several values`).toBe(effects.size);
  }
  expect(texts[0]).toContain('Puts the scrollbar on the left side.');
});

test('the manual names the variables that the command gets', () => {
  for (const name of ['TERM', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'WINDOWID'])
    expect(plain(read())).toContain(` ${name} Set for the command`);
});

/** The page as a reader sees it, with all blanks and breaks as one blank. */
function read(): string {
  return execFileSync('mandoc', ['-Tmarkdown'], { input: manualPage(), encoding: 'utf8' })
    .replace(/[*\\]|&[lr]t;/g, (mark) => ({ '&lt;': '<', '&gt;': '>' })[mark] ?? '')
    .replaceAll('&#45;', '-')
    .replace(/\s+/g, ' ');
}
