import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { agentCommand, runToEnd, writeAgentFiles } from '../../harness/start-agent.ts';

/** Runs a command whose reader begins late, when the pipe has long been full. */
async function readLate(words: string, stream: 'stdout' | 'stderr'): Promise<{ bytes: number; status: number }> {
  const command = agentCommand(...words.split(' ')).join(' ');
  const streams = stream === 'stdout' ? '2>/dev/null' : '2>&1 >/dev/null';
  const line = `${command} ${streams} | (sleep 3; wc -c); exit \${PIPESTATUS[0]}`;
  const { exitCode, stdout } = await execa('bash', ['-c', line], { reject: false, timeout: 120_000 });
  return { bytes: Number(stdout), status: exitCode ?? -1 };
}

test('everything a command prints reaches a slow reader: a large configuration, and every problem of a bad one', async () => {
  using files = writeAgentFiles(1);
  const names = Array.from({ length: 3_000 }, (_, index) => `a-name-${String(index).padStart(30, '0')}`);
  const keyOf = (index: number): string => Buffer.alloc(32, String(index).padStart(32)).toString('base64');
  const wgPeers = Object.fromEntries(names.map((name, index) => [name, keyOf(index)]));
  const { agent } = JSON.parse(readFileSync(files.configFile, 'utf8'));

  writeFileSync(files.configFile, JSON.stringify({ agent, hosts: { wgPeers } }));
  const { stdout } = await runToEnd('print-config', '--config', files.configFile);
  const printed = Buffer.byteLength(`${stdout}\n`);
  expect(printed).toBeGreaterThan(200_000);
  expect(await readLate(`print-config --config ${files.configFile}`, 'stdout')).toEqual({ bytes: printed, status: 0 });

  writeFileSync(files.configFile, JSON.stringify({ agent, ...Object.fromEntries(names.map((name) => [name, 1])) }));
  const { stderr } = await runToEnd('check-config', files.configFile);
  const complained = Buffer.byteLength(`${stderr}\n`);
  expect(complained).toBeGreaterThan(150_000);
  expect(await readLate(`check-config ${files.configFile}`, 'stderr')).toEqual({ bytes: complained, status: 78 });
});

test('a service that can not start does not wait for a reader that never reads', async () => {
  using files = writeAgentFiles(1);
  const options = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`unknown-option-${index}`, 1]));
  writeFileSync(files.configFile, JSON.stringify(options));
  const [program, ...args] = agentCommand('run', '--config', files.configFile);
  const agent = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 120_000 });

  expect(await once(agent, 'exit')).toEqual([78, null]);
  agent.stderr.destroy();
});
