import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { blockOf } from '../../harness/guide-blocks.ts';
import { SHELLS, type ShellKind, type ShellTerminal, startShell } from '../../harness/shell-terminal.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const snippetOf = ({ name }: ShellKind): string => resolve(`share/termprog/shell-integration/termprog.${name}`);

/** A prompt of one's own, and what else a user may have; `$last` is the status that the user's part of it sees. */
const OWN: Readonly<Record<ShellKind['name'], string>> = {
  bash: 'set -u\nPS1="P> "\nPROMPT_COMMAND="last=\\$?;"',
  zsh: 'setopt nounset prompt_subst ksh_arrays\nPS1="P> "\nprecmd_functions=(mine)\nmine() { last=$? }',
  fish: 'set fish_greeting\nfunction fish_prompt; set -g last $status; echo -n "P> "; end',
};

let home: Awaited<ReturnType<typeof tempFolder>>;

beforeEach(async () => {
  home = await tempFolder();
});

afterEach(async () => {
  await home[Symbol.asyncDispose]();
});

async function start(kind: ShellKind, own = OWN[kind.name], environment = {}): Promise<ShellTerminal> {
  const startText = `${own}\nsource ${snippetOf(kind)}\n`;
  const shell = await startShell(kind, { home: home.path, startText, environment });
  onTestFinished(() => shell[Symbol.dispose]());
  return shell;
}

describe.each(SHELLS)('$name', (kind) => {
  test('marks its prompts, and where the output of commands begins and ends, and reports their status', async () => {
    const shell = await start(kind);
    await shell.run('echo one; echo two');
    await shell.run('');
    await shell.run('sh -c "exit 7"');
    await shell.run('printf abc');

    expect(shell.prompts()).toEqual([
      'P> echo one; echo two',
      'P>',
      'P> sh -c "exit 7"',
      'P> printf abc',
      expect.anything(),
    ]);
    expect(shell.commands()).toEqual([
      { output: 'one\ntwo\n', status: 0 },
      { output: '', status: 7 },
      { output: 'abc', status: 0 },
    ]);
  });

  test("leaves the status of a command to the user's own part of the prompt", async () => {
    const shell = await start(kind);
    await shell.run('sh -c "exit 7"');
    await shell.run('echo "last: $last"');

    expect(shell.commands().at(-1)?.output).toBe('last: 7\n');
  });

  test('reports its directory, with any characters in its name', async () => {
    const name = 'a b%c é漢\nx;"$(id)';
    mkdirSync(join(home.path, name));
    const shell = await start(kind);
    await shell.run('cd ~/a*');

    const address = shell.directory() ?? '';
    expect(address).toMatch(/^file:\/\/[^/]+\/[\w/.~%-]+$/);
    expect(new URL(address).host).toBe(hostname().toLowerCase());
    expect(decodeURIComponent(new URL(address).pathname)).toBe(join(home.path, name));
  });

  test('has each mark once when the file is read twice, and in a shell within the shell', async () => {
    const shell = await start(kind, `${OWN[kind.name]}\nsource ${snippetOf(kind)}`);
    await shell.run('true');
    const once = `\x1b]133;B\x07`;
    const before = shell.written().split(once).length;
    await shell.run(kind.program);
    await shell.run('true');

    expect(shell.written().split(once).length - before).toBe(2);
    expect(shell.commands()[0]).toEqual({ output: '', status: 0 });
  });

  test('writes no marks to other terminals, and none in scripts', async () => {
    const startText = `${OWN[kind.name]}\nsource ${snippetOf(kind)}\n`;
    using shell = await startShell(kind, {
      home: home.path,
      startText,
      environment: { TERM: 'dumb' },
      firstMark: false,
    });
    shell.type('echo d""one\r');
    await waitFor('the command was run', () => shell.written().includes('done\r\n'));

    expect(shell.written()).not.toContain('\x1b]133;');
    expect(shell.written()).not.toContain('\x1b]7;');
    const script = ['-c', `source ${snippetOf(kind)}; echo done`];
    const env = { TERM: 'xterm-256color', HOME: home.path };
    expect(execFileSync(kind.program, script, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'inherit'] })).toBe(
      'done\n',
    );
  });
});

test.each(SHELLS)('the line that the guide shows for $name finds the file', async (kind) => {
  const line = blockOf('shell-integration.md', kind.name);
  const shell = await startShell(kind, {
    home: home.path,
    startText: line.replace('/usr/share', resolve('share')),
  });
  onTestFinished(() => shell[Symbol.dispose]());
  await shell.run('echo here');

  expect(shell.commands()).toEqual([{ output: 'here\n', status: 0 }]);
});

const [bash, zsh] = SHELLS as readonly [ShellKind, ShellKind];

test('a list of prompt commands in bash stays a list', async () => {
  const shell = await start(bash, 'PS1="P> "; PROMPT_COMMAND=("first=\\$?" second=2)');
  await shell.run('sh -c "exit 7"');
  await shell.run('echo $first $second; declare -p PROMPT_COMMAND | grep -o second=2');

  expect(shell.commands().at(-1)?.output).toBe('7 2\nsecond=2\n');
});

test('a prompt that bash makes anew each time is marked each time', async () => {
  const shell = await start(bash, 'n=0; PROMPT_COMMAND=\'n=$((n + 1)); PS1="$n> "\'');
  await shell.run('true');
  await shell.run('true');

  expect(shell.prompts()).toEqual(['1> true', '2> true', '3>']);
});

test('zsh keeps its mark behind output without a newline as the user has it', async () => {
  const shell = await start(
    zsh,
    "PS1='P> '; PROMPT_EOL_MARK='!'; precmd_functions=(look); look() { seen=$PROMPT_EOL_MARK }",
  );
  await shell.run('printf abc');
  await shell.run('echo $seen');

  expect(shell.commands().map(({ output }) => output)).toEqual(['abc', '!\n']);
  expect(shell.written()).toContain('abc\x1b]133;D;0\x07!');
});

test('zsh without percent signs in prompts, and without its mark, reports what it can', async () => {
  const shell = await start(zsh, "PS1='P> '; unsetopt prompt_sp");
  await shell.run('sh -c "exit 3"');
  shell.type('unsetopt prompt_percent; PS1="Q> "\r');
  await waitFor('it is shown', () => shell.prompts().at(-1) === 'Q>');
  shell.type('true\r');
  await waitFor('it is marked', () => shell.prompts().at(-2) === 'Q> true');

  expect(shell.commands()[0]?.status).toBe(3);
});
