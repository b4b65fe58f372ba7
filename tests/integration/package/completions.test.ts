import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { SHELLS, type ShellKind, startShell } from '../../harness/shell-terminal.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const programs = ['homeport-connector', 'homeport-agent', 'termprog'];

/** Shell -> text that it reads at its start where a package has brought the completions. */
const startTexts: Record<ShellKind['name'], string> = {
  bash: [
    "bind 'set enable-bracketed-paste off'",
    ...programs.map((name) => `source ${resolve('share/bash-completion/completions', name)}`),
  ].join('\n'),
  zsh: [
    `fpath=(${resolve('share/zsh/site-functions')} $fpath)`,
    'autoload -Uz compinit',
    'compinit -u -D',
    'bindkey -e',
    'unsetopt prompt_sp',
  ].join('\n'),
  fish: programs.map((name) => `source ${resolve('share/fish/vendor_completions.d', `${name}.fish`)}`).join('\n'),
};

/** Typed, with a tab behind it → the line as the shell completes it. */
const lines = [
  ['homeport-agent check-c', 'homeport-agent check-config'],
  ['homeport-agent report --js', 'homeport-agent report --json'],
  ['homeport-agent --proc', 'homeport-agent --procfs'],
  ['homeport-connector invite alice --new', 'homeport-connector invite alice --new-person'],
  ['homeport-connector doctor --config ./some', 'homeport-connector doctor --config ./something.json'],
  ['homeport-connector check-config ./some', 'homeport-connector check-config ./something.json'],
  ['termprog -self', 'termprog -self-test'],
  ['termprog -report-font', 'termprog -report-font-routing'],
] as const;

/** Moves to the beginning of a line. */
const CONTROL_A = '\x01';

for (const kind of SHELLS) {
  test(`${kind.name} completes commands, options and files of each program`, async () => {
    await using folder = await tempFolder();
    writeFileSync(join(folder.path, 'something.json'), '{}');
    using shell = await startShell(kind, {
      home: folder.path,
      startText: `cd ${folder.path}\n${startTexts[kind.name]}\nsource ${resolve(`share/termprog/shell-integration/termprog.${kind.name}`)}\n`,
      environment: { TERM_PROGRAM: 'termprog' },
    });
    for (const [n, [typed, completed]] of lines.entries()) {
      const mark = `line${n}`;
      await shell.run(`${typed}\t${CONTROL_A}echo ${mark} `);
      const [, answer = ''] = shell.written().split(new RegExp(`(?<!echo )${mark} `));
      expect(answer.split(/\r|\n/)[0]?.trimEnd(), typed).toBe(completed);
    }
  });
}
