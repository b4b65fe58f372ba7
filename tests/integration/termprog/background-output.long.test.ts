import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type ResizedShell, startResizedShell } from '../../harness/resized-shell.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const integration = (shell: string): string =>
  `source ${resolve(`share/termprog/shell-integration/termprog.${shell}`)}\n`;

/** Lines that a job in the background writes while the shell is at its prompt; it goes on after that. */
const JOB = `sh -c 'sleep 0.5; seq 1001 1007; echo $((1000+8)); sleep 30' &`;
const WRITTEN = Array.from({ length: 8 }, (_, line) => `${1_001 + line}`);

const linesOf = (shell: ResizedShell): string[] => shell.rows().map((row) => row.replace('me> ', '').trim());

for (const [name, program, startFile, startText] of [
  ['bash', '/bin/bash', '.bashrc', "PS1='me> '\n"],
  ['bash, marked', '/bin/bash', '.bashrc', `PS1='me> '\n${integration('bash')}`],
  ['zsh', '/usr/bin/zsh', '.zshrc', "PS1='me> '\n"],
  ['zsh, marked', '/usr/bin/zsh', '.zshrc', `PS1='me> '\n${integration('zsh')}`],
  [
    'fish, marked',
    '/usr/bin/fish',
    '.config/fish/config.fish',
    `set fish_greeting\nfunction fish_prompt; echo -n "me> "; end\n${integration('fish')}`,
  ],
] as const) {
  test(`output of a background job at the prompt of ${name} stays when the window gets another size`, async () => {
    await using home = await tempFolder();
    using shell = startResizedShell({ program, startFile, startText, home: home.path, columns: 80, rows: 24 });
    await waitFor('the shell shows its prompt', () => shell.text().endsWith('me>'));
    shell.type(`${JOB}\r`);
    await waitFor('the job has written', () => linesOf(shell).includes('1008'));
    for (const columns of [70, 90, 60]) {
      await shell.resize({ columns, rows: 24 });
      expect(linesOf(shell)).toEqual(expect.arrayContaining(WRITTEN));
    }
  });
}
