import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { termprogActions } from '../../../schemas/termprog/actions.ts';
import { termprogResources } from '../../../schemas/termprog/index.ts';
import { termprogMenus } from '../../../schemas/termprog/menus.ts';
import { manualPage } from '../../../src/generate/manual-page.ts';

/** The page as a reader sees it, with all blanks and breaks as one blank. */
const read = (): string =>
  execFileSync('mandoc', ['-Tmarkdown'], { input: manualPage(), encoding: 'utf8' })
    .replace(/[*\\]|&[lr]t;/g, (mark) => ({ '&lt;': '<', '&gt;': '>' })[mark] ?? '')
    .replaceAll('&#45;', '-')
    .replace(/\s+/g, ' ');

test('mandoc finds nothing to say about the manual page', () => {
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
