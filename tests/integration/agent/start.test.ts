import { chmodSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { needs } from '../../harness/needs.ts';
import { AGENT_TOKEN, agentCommand, runToEnd, startAgent, writeAgentFiles } from '../../harness/start-agent.ts';

test('a bad configuration is refused with every problem, path, expected and received', async () => {
  using files = writeAgentFiles(1);
  writeFileSync(
    files.configFile,
    JSON.stringify({ agent: { tokenFile: 'token', listen: { port: 0 }, logLevel: 'loud', wiregaurd: true } }),
  );

  const { exitCode, stdout, stderr } = await runToEnd('run', '--config', files.configFile);

  expect(exitCode).toBe(78);
  expect(stdout).toBe('');
  expect(stderr.split('\n')).toEqual([
    `homeport-agent: ${files.configFile}: 4 problems`,
    '  agent.listen.port: expected a number of at least 1, received 0',
    '  agent.tokenFile: expected an absolute path, or one that starts with $CREDENTIALS_DIRECTORY/, received a string that is not repeated, in case it is a secret',
    '  agent.logLevel: expected one of "debug", "info", "warn", "error", received "loud"',
    '  agent.wiregaurd: unknown option, did you mean wireguard?',
    'homeport-agent print-schema shows every option',
  ]);
});

test('a busy port is one line that says what to do', async () => {
  await using agent = await startAgent();
  using files = writeAgentFiles(Number(new URL(agent.baseUrl).port));

  const { exitCode, stderr } = await runToEnd('run', '--config', files.configFile);

  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^homeport-agent: 127\.0\.0\.1 port \d+ is in use by another program: .+ agent\.listen\.port$/,
  );
});

for (const [why, token, complaint] of [
  ['empty', '\n', 'is empty'],
  ['of several words', 'one two\n', 'must hold one line of letters'],
] as const) {
  test(`a token file that is ${why} is refused`, async () => {
    using files = writeAgentFiles(1, token);

    const { exitCode, stderr } = await runToEnd('run', '--config', files.configFile);

    expect(exitCode).toBe(1);
    expect(stderr).toContain(`homeport-agent: agent.tokenFile: ${files.tokenFile} ${complaint}`);
    expect(stderr).not.toContain('one two');
  });
}

test('a token file that others may read is refused', async () => {
  using files = writeAgentFiles(1);
  chmodSync(files.tokenFile, 0o644);

  const { exitCode, stderr } = await runToEnd('run', '--config', files.configFile);

  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    `homeport-agent: agent.tokenFile: ${files.tokenFile} is readable by group or others: chmod 600 ${files.tokenFile}`,
  );
});

test('a root that is not a directory is refused', async () => {
  const { exitCode, stderr } = await runToEnd('report', '--procfs', '/nowhere');

  expect(exitCode).toBe(1);
  expect(stderr).toBe('homeport-agent: --procfs: /nowhere is not a directory that can be read: name another');
});

test('the report is printed once as JSON when the output is not a terminal', async () => {
  const { exitCode, stdout, stderr } = await runToEnd('report');

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(hostReport.parse(JSON.parse(stdout)).errors).toEqual({});
});

test('a person at a terminal gets a table, and JSON on request', async () => {
  const inTerminal = (command: string) => execa('script', ['-qec', command, '/dev/null']);
  const command = agentCommand('report').join(' ');

  expect((await inTerminal(command)).stdout).toMatch(/^host {2,}\S+\r?\n[\s\S]*\nload {2,}\d/);
  expect(JSON.parse((await inTerminal(`${command} --json`)).stdout)).toHaveProperty('host');
});

test('the metrics of another tree are printed once', async () => {
  const { exitCode, stdout } = await runToEnd('metrics', '--procfs', 'tests/golden/agent/root/proc');

  expect(exitCode).toBe(0);
  expect(stdout).toContain('\nnode_cpu_seconds_total{cpu="2",mode="user"} 2298.04\n');
});

test('a configuration that is named must be good, also where none is needed', async () => {
  const { exitCode, stderr } = await runToEnd('metrics', '--config', '/nowhere.json');

  expect(exitCode).toBe(78);
  expect(stderr).toContain('/nowhere.json: 1 problem\n  the file does not exist');
});

test('names in a configuration reach a terminal as text alone', async () => {
  using files = writeAgentFiles(1);
  const named = { tokenFile: files.tokenFile, 'a\u001b]0;title\u0007': 1, exclude: { 'b\u009b2J': '' } };
  writeFileSync(files.configFile, JSON.stringify({ agent: named }));

  const { exitCode, stderr } = await runToEnd('check-config', files.configFile);

  expect(exitCode).toBe(78);
  expect(stderr).toContain('\n  agent.a\ufffd]0;title\ufffd: unknown option\n');
  expect(stderr).toContain('\n  agent.exclude.b\ufffd2J: unknown option\n');
});

test('a report that could not be printed is a failure', async () => {
  const command = agentCommand('report').join(' ');
  const inShell = async (line: string) => {
    const { exitCode, stderr, timedOut } = await execa('bash', ['-c', line], { reject: false, timeout: 120_000 });
    return { exitCode, stderr, timedOut };
  };

  expect(await inShell(`exec ${command} >/dev/full`)).toEqual({
    exitCode: 1,
    stderr: 'homeport-agent: could not print: ENOSPC: no space left on device, write',
    timedOut: false,
  });
  expect(await inShell(`set -o pipefail; ${command} | true`)).toEqual({ exitCode: 0, stderr: '', timedOut: false });
});

test('a configuration that could not be printed is a failure, and a reader that has seen enough is none', async () => {
  const inShell = (line: string) => execa('bash', ['-c', line], { reject: false, timeout: 120_000 });
  const command = agentCommand('print-schema').join(' ');

  expect(await inShell(`exec ${command} >/dev/full`)).toMatchObject({
    exitCode: 1,
    stderr: 'homeport-agent: could not print: ENOSPC: no space left on device, write',
  });
  expect(await inShell(`set -o pipefail; ${command} | true`)).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a command says what it takes, and refuses what it does not', async () => {
  const { exitCode, stdout } = await runToEnd('report', '--help');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^usage: homeport-agent report \[--json\] \[--config FILE\]\n/);
  expect(stdout).toMatch(/\n {2}--procfs DIR +\S/);
  expect((await runToEnd('--help')).stdout).toMatch(/\n {2}homeport-agent metrics \[--config FILE\]\n +\S/);

  for (const [words, complaint] of [
    [['report', 'extra'], 'report does not take extra'],
    [['check-config', 'a.json', 'b.json'], 'check-config does not take b.json'],
    [
      ['reprot'],
      'unknown command reprot: expected one of run, report, metrics, user-units, check-start, install-units, uninstall-units, check-config, print-config, print-schema',
    ],
    [['report', '--jsno'], "Unknown option '--jsno'"],
    [['metrics', '--json'], "Unknown option '--json'"],
    [['--config'], "Option '--config <value>' argument missing"],
  ] as const) {
    expect(await runToEnd(...words)).toEqual({
      exitCode: 64,
      stdout: '',
      stderr: `homeport-agent: ${complaint}\ntry: homeport-agent --help`,
    });
  }
});

test('every source missing, the agent answers and names each section', async () => {
  using files = writeAgentFiles(await freePort());

  const roots = ['procfs', 'sysfs', 'rootfs'].map((root) => `--${root}=${files.directory}`);
  const { stdout } = await runToEnd('report', ...roots);

  const report = hostReport.parse(JSON.parse(stdout));
  expect(Object.keys(report.errors)).toEqual(['uptimeSec', 'load', 'cpus', 'counters', 'memory', 'disks', 'kernel']);
  expect(report.errors['load']).toBe(`could not read ${files.directory}/loadavg: ENOENT: no such file or directory`);
  // Missing parts that a host may well be without have no error.
  expect(report).toMatchObject({ failedUnits: [], os: { id: 'linux' }, system: {}, wireguard: [], units: [] });
});

test('SIGTERM ends the agent with status 0, also with a connection open', async () => {
  await using agent = await startAgent();
  await (await agent.get('/metrics')).text();

  agent.process.kill('SIGTERM');

  expect(await agent.process.ended).toEqual({ exitCode: 0, signal: undefined });
});

needs('host name namespaces')('a machine that is named after the start is reported under its new name', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  const agent = startProcess({
    name: 'homeport-agent',
    command: ['unshare', '--uts', ...agentCommand('run', '--config', files.configFile)],
  });
  const get = (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${AGENT_TOKEN}` } });
  await waitFor('the agent answers', async () => (await get('/healthz')).ok, { process: agent });

  const inItsNames = ['--target', String(agent.pid), '--uts', '--', 'sh', '-c'];
  await execa('nsenter', [...inItsNames, 'echo renamed.example >/proc/sys/kernel/hostname']);

  expect(hostReport.parse(await (await get('/v1/report')).json()).host).toBe('renamed.example');
  await agent.stop();
});
