import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { agentCommand } from '../../harness/start-agent.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const UNBOUNDED =
  'a regular expression such as ^/mnt/, without look-around — (?=, (?!, (?<=, (?<! —, back-references — \\1, \\k — and flags — (?i) —, which cannot be matched in bounded time; say what is left out by choices such as (a|b) and classes such as [aA]';
const WRONG_OR_LARGE =
  'a regular expression such as ^/mnt/ of correct syntax, which is at most 16384 characters long when x{3} is written out as xxx';

for (const [option, expected, expressions] of [
  ['mountPoints', UNBOUNDED, ['^/mnt/(?!data)', '(?=/mnt)/', '^(/[a-z]+)\\1$', '(?<n>a)\\k<n>', '(?i)docker']],
  ['interfaces', UNBOUNDED, ['(?<=br-)0', '(?<!br-)0', '((?:(?!x)a)+)+', '(?i:veth)']],
  [
    'devices',
    WRONG_OR_LARGE,
    ['dm-(', '[z-a]', '(dm-[0-9]{90}){90}{2}', '(((a{100}){100}){100}){100}', 'a{1000000000}'],
  ],
] as const) {
  test(`check-config refuses in exclude.${option} ${expressions.join(' and ')}`, async () => {
    for (const expression of expressions) {
      expect(await complaintsAbout(option, expression)).toEqual([
        `agent.exclude.${option}: expected ${expected}, received ${JSON.stringify(expression)}`,
      ]);
    }
  });
}

test('check-config takes groups, named ones too, counts, escapes, and signs that brackets make letters', async () => {
  for (const expression of [
    '^(vfat|fuseblk)$',
    '^/var/lib/(docker|containers)/(?:[0-9a-f]{64})($|/)',
    '^(?<vendor>nvme|sd)[a-z0-9]+?$',
    '[(?=\\]\\1]\\(\\?=',
    '^dm-\\d{1,3}$',
    'a{2,}b{0}c{,5}',
  ]) {
    expect(await complaintsAbout('mountPoints', expression), expression).toEqual([]);
  }
});

/** The lines of check-config about one option of `exclude`. */
async function complaintsAbout(option: string, expression: string): Promise<string[]> {
  await using folder = await tempFolder();
  const file = join(folder.path, 'config.json');
  writeFileSync(file, JSON.stringify({ agent: { exclude: { [option]: expression } } }));
  const [node, ...words] = agentCommand('check-config', file);
  const { stderr } = await execa(node, words, { reject: false });
  return stderr.split('\n').flatMap((line) => (line.includes('agent.exclude.') ? [line.trim()] : []));
}
