import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { AGENT_TOKEN, agentCommand, writeAgentFiles } from '../../harness/start-agent.ts';

test('SIGHUP changes what is collected, names what waits for the next start, and a bad file changes nothing', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  const agent = startProcess({
    name: 'homeport-agent',
    command: agentCommand('run', '--config', files.configFile),
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
  await waitFor('the agent answers', async () => (await metrics()).includes('node_load1'), { process: agent });

  await hangUp('{"agent": {"unameInfo": "yes"}}', 'agent.unameInfo: expected a boolean');
  expect(agent.output()).toContain('the one in force stays');
  await hangUp(config({ unameInfo: true, logLevel: 'warn' }), '"changed":["agent.unameInfo"]');
  await waitFor('the machine is named', async () => (await metrics()).includes('node_uname_info'));

  expect(agent.output()).toContain('"options":["agent.logLevel"]');
  await agent.stop();
});
