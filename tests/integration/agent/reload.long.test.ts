import { cpSync, mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { writeProgram } from '../../harness/fake-program.ts';
import { AGENT_TOKEN, agentCommand, writeAgentFiles } from '../../harness/start-agent.ts';

/** Writes a `wg` that prints these tunnel peers; the handshake of each identifies it. */
function writePeers(directory: string, ...letters: string[]): void {
  const lines = (numbers: (letter: string) => string): string =>
    letters.map((letter) => `wg0\\t${letter.repeat(43)}=\\t${numbers(letter)}\\n`).join('');
  const handshakes = lines((letter) => String(letter.charCodeAt(0)));
  writeProgram(directory, 'wg', `[ $3 = transfer ] && printf '${lines(() => '1\\t2')}' || printf '${handshakes}'`);
}

/** A CPU that was idle this long; times are in hundredths of a second. */
const stat = (idle: number): string =>
  `cpu  1 1 1 ${idle} 1 1 1 1 1 1\ncpu0 1 1 1 ${idle} 1 1 1 1 1 1\nbtime 1700000000\n`;

test('SIGHUP changes what is collected, names what waits for the next start, keeps what was counted, and a bad file has no effect', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  mkdirSync(join(files.directory, 'sys/module/wireguard'), { recursive: true });
  writePeers(files.directory, 'B');
  const proc = join(files.directory, 'proc');
  cpSync('tests/golden/agent/root/proc', proc, { recursive: true });
  for (const name of ['ostype', 'hostname', 'domainname', 'version']) {
    await writeFile(join(proc, 'sys/kernel', name), `${name}\n`);
  }
  await writeFile(join(proc, 'stat'), stat(5_000));
  await writeFile(join(proc, 'meminfo'), 'MemTotal: 1 MB\n');
  const agent = startProcess({
    name: 'homeport-agent',
    command: agentCommand(
      'run',
      '--config',
      files.configFile,
      '--sysfs',
      join(files.directory, 'sys'),
      '--procfs',
      proc,
    ),
    env: { PATH: `${files.directory}:${process.env['PATH']}` },
  });
  const metrics = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${AGENT_TOKEN}` };
    return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  };
  const hangUp = async (content: string, words: string): Promise<void> => {
    await writeFile(files.configFile, content);
    agent.kill('SIGHUP');
    await waitFor(`the log says "${words}"`, () => agent.output().includes(words));
  };
  const config = (changes: object) =>
    JSON.stringify({ agent: { tokenFile: files.tokenFile, listen: { port }, ...changes } });
  const secondPeer = 'monitor_wireguard_latest_handshake_seconds{peer="unnamed1"} 66\n';
  await waitFor('the agent answers', async () => (await metrics()).includes('node_load1'), { process: agent });
  expect(await metrics()).toContain(secondPeer);
  expect(await metrics()).toContain('monitor_agent_collect_errors_total{collector="memory"} 1\n');
  expect(await metrics()).toContain('node_cpu_seconds_total{cpu="0",mode="idle"} 50\n');
  // The kernel lets idle step back a little, which would look like a restart of the counter.
  await writeFile(join(proc, 'stat'), stat(4_999));

  await hangUp('{"agent": {"unameInfo": "yes"}}', 'agent.unameInfo: expected a boolean');
  expect(agent.output()).toContain('the one in force stays');
  writePeers(files.directory, 'A', 'B');
  await hangUp(config({ unameInfo: true, logLevel: 'warn' }), '"changed":["agent.unameInfo"]');
  await waitFor('the machine is named', async () => (await metrics()).includes('node_uname_info'));

  // A peer keeps its number, although another one comes before it now.
  expect(await metrics()).toContain(secondPeer);
  expect(await metrics()).toContain('monitor_wireguard_latest_handshake_seconds{peer="unnamed2"} 65\n');
  expect(await metrics()).toContain('monitor_agent_collect_errors_total{collector="memory"} 2\n');
  expect(await metrics()).toContain('node_cpu_seconds_total{cpu="0",mode="idle"} 50\n');
  expect(agent.output()).toContain('"options":["agent.logLevel"]');
  await agent.stop();
});

test('SIGHUP takes on a token that was rotated, names it, and keeps the old one while the file is wrong', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  const agent = startProcess({
    name: 'homeport-agent',
    command: agentCommand('run', '--config', files.configFile),
  });
  const statusWith = async (token: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status;
  await waitFor('the agent answers', async () => (await statusWith(AGENT_TOKEN)) === 200, { process: agent });

  await writeFile(files.tokenFile, 'two words\n');
  agent.kill('SIGHUP');
  await waitFor('the wrong token is refused', () => agent.output().includes('the one in force stays'));
  expect(await statusWith(AGENT_TOKEN)).toBe(200);

  await writeFile(files.tokenFile, 'rotated\n');
  agent.kill('SIGHUP');
  await waitFor('the reload is told', () => agent.output().includes('"changed":["agent.tokenFile"]'));
  expect(await statusWith(AGENT_TOKEN)).toBe(401);
  expect(await statusWith('rotated')).toBe(200);
  expect(agent.output()).not.toContain('rotated"');
  await agent.stop();
});

for (const [what, replace] of [
  ['a named pipe', 'mkfifo -m 600 "$1"'],
  ['a device without an end', 'ln -s /dev/zero "$1"'],
] as const) {
  for (const file of ['configFile', 'tokenFile'] as const) {
    test(`SIGHUP with ${what} in place of the ${file} leaves the configuration in force, and the agent answers and ends`, async () => {
      const port = await freePort();
      using files = writeAgentFiles(port);
      const agent = startProcess({
        name: 'homeport-agent',
        command: agentCommand('run', '--config', files.configFile),
      });
      const isThere = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
      await waitFor('the agent answers', isThere, { process: agent });

      await execa('sh', ['-c', `rm "$1" && ${replace}`, 'sh', files[file]]);
      agent.kill('SIGHUP');

      await waitFor('it is refused', () => agent.output().includes('the one in force stays'), { process: agent });
      expect(agent.output()).toMatch(/not a (small )?regular file/);
      expect(await isThere()).toBe(true);
      agent.kill('SIGTERM');
      expect(await agent.ended).toEqual({ exitCode: 0, signal: undefined });
    });
  }
}
