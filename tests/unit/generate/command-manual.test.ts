import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configSchemas } from '../../../schemas/index.ts';
import { agentText } from '../../../src/agent/command-texts.ts';
import { connectorText } from '../../../src/connector/command-texts.ts';
import { LEAST_CONFIGURATIONS } from '../../../src/generate/command-manual-sections.ts';
import { optionsIn } from '../../../src/generate/option-tree.ts';
import { optionSetOf } from '../../../src/generate/options-of-schema.ts';
import { generatedFiles } from '../../../src/generate/outputs.ts';
import { commonCommandTexts, type ProgramText } from '../../../src/kernel/command-texts.ts';

const programs = { connector: connectorText, agent: agentText } as const;
const names = ['connector', 'agent'] as const;

const pages = generatedFiles().filter(({ path }) => path.startsWith('share/man/'));
const sourceOf = (ending: string): string => pages.find(({ path }) => path.endsWith(ending))?.text ?? '';

/** A letter that is printed twice is bold, and one above an underscore is underlined. */
const OVERSTRUCK = new RegExp(`.${String.fromCharCode(8)}`, 'gu');

test.each(pages)('mandoc finds no fault in $path', ({ text }) => {
  const { stdout } = spawnSync('mandoc', ['-Tlint'], { input: text, encoding: 'utf8' });

  // Pages of programs that are not installed here.
  const faults = stdout.split('\n').filter((line) => line !== '' && !line.includes('referenced manual not found'));
  expect(faults).toEqual([]);
});

test('each line of a synopsis begins anew under groff too, which wants the name alone for that', () => {
  for (const name of names) {
    const [, synopsis = ''] = /^\.Sh SYNOPSIS\n(.*?)^\.Sh /ms.exec(sourceOf(`homeport-${name}.1`)) ?? [];
    const lines = synopsis.trimEnd().split('\n');

    expect(lines.filter((_, n) => n % 2 === 0).every((line) => line === '.Nm')).toBe(true);
    expect(lines.filter((_, n) => n % 2 === 1).some((line) => line.startsWith('.Nm'))).toBe(false);
    expect(lines.length).toBeGreaterThan(20);
  }
});

test('npm installs every manual page', () => {
  const { man } = JSON.parse(readFileSync('package.json', 'utf8')) as { man: string[] };

  expect(man.toSorted()).toEqual(pages.map(({ path }) => path).toSorted());
});

test.each(names)('the page of the %s has every command with its usage, and every option', (name) => {
  const program: ProgramText = programs[name];
  const page = read(`homeport-${name}.1`);

  for (const { usage, summary } of [...program.commands, ...commonCommandTexts]) {
    expect(page).toContain(`homeport-${name} ${usage}`);
    expect(page).toContain(summary);
  }
  for (const { options = {} } of program.commands) {
    for (const option of Object.keys(options)) expect(page).toContain(` --${option} `);
  }
});

test.each(names)('the page of the configuration of the %s has every option in the words of its schema', (name) => {
  const page = read(`homeport-${name}.5`);

  for (const { path, option } of optionsIn(optionSetOf(configSchemas[name]))) {
    expect(page).toContain(` ${path.join('.')} `);
    const [first = ''] = option.description.replaceAll('`', '').split(/(?<=\.) /);
    // The page may break a line behind a hyphen or a slash.
    expect(page.replaceAll(/\s/g, ''), path.join('.')).toContain(first.replaceAll(/\s/g, ''));
  }
});

test.each(names)('the least configuration of the %s that the manual shows is valid', (name) => {
  const result = configSchemas[name].safeParse(JSON.parse(LEAST_CONFIGURATIONS[name]));

  expect(result.error?.issues ?? []).toEqual([]);
});

/** The page as a reader sees it, with all blanks and breaks as one blank. */
function read(ending: string): string {
  return execFileSync('mandoc', ['-Tutf8'], { input: sourceOf(ending), encoding: 'utf8' })
    .replaceAll(OVERSTRUCK, '')
    .replace(/(?<=\w)[-‐]\n\s+/gu, '-')
    .replace(/\s+/g, ' ');
}
