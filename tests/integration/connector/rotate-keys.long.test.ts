import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { newKeys, textOf } from '../../../src/connector/store/key-file.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { refresh } from '../../harness/oauth-client.ts';
import { enableChannels } from '../../harness/person.ts';
import { connectorCommand, secretFile } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const DONE = 'nothing depends on the earlier keys any more';

const test = testWithStack();

let agent: Agent;

test.beforeAll(async () => {
  await enableChannels(stack, 'ada', ['#room']);
  agent = await connectAgent(stack, 'ada');
  await agent.call('go_online');
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
});

const rotate = (configFile: string) => execa({ reject: false })(...rotation(configFile));

const keyFile = () => join(stack.folder, 'state/keys.json');
const keys = async (): Promise<KeyFile> => JSON.parse(await readFile(keyFile(), 'utf8')) as KeyFile;

test('keys are replaced in a running installation without new sign-ins, and the earlier keys are gone in the end', async () => {
  const before = await keys();
  const { mode, uid, gid } = await stat(keyFile());

  const { exitCode, stdout } = await rotate(stack.configFile);

  const between = await keys();
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('restart homeport-connector')]);
  expect(between.sealKey).not.toBe(before.sealKey);
  expect(between.earlierSealKeys).toEqual([before.sealKey]);
  expect(await stat(keyFile())).toMatchObject({ mode, uid, gid });
  // The program that runs still has the keys with which it began.
  expect(await agent.call('see_account_information')).toMatchObject({ presence: 'online' });

  await stack.restartConnector();
  await waitFor('everything is encrypted anew', () => stack.connector.output().includes(DONE));

  const after = await keys();
  expect(after).toEqual({ ...between, earlierSealKeys: undefined, cookieKeys: between.cookieKeys.slice(0, 1) });
  await stack.restartConnector();
  expect(await agent.call('see_account_information')).toMatchObject({ presence: 'online' });
  const { client_id: clientId = '' } = agent.credentials.client ?? {};
  const answer = await refresh(stack, clientId, agent.credentials.stored?.refresh_token ?? '');
  expect(answer.status).toBe(200);
  expect(stack.connector.output()).not.toContain(DONE);
  for (const key of [before.sealKey, after.sealKey]) expect(stack.connector.output()).not.toContain(key);
});

test('where the owner keeps the keys, the new ones are printed, and their file stays as it is', async () => {
  await using folder = await tempFolder();
  const held = textOf(newKeys());
  const keysFile = await secretFile(folder.path, 'keys', held);
  const config = { ...(JSON.parse(await readFile(stack.configFile, 'utf8')) as object), keysFile };
  const configFile = await secretFile(folder.path, 'config', JSON.stringify(config));

  const { exitCode, stdout } = await rotate(configFile);

  const printed = JSON.parse(stdout) as KeyFile;
  expect(exitCode).toBe(0);
  expect(printed.earlierSealKeys).toEqual([(JSON.parse(held) as KeyFile).sealKey]);
  expect((await readFile(keysFile, 'utf8')).trim()).toBe(held);
});

interface KeyFile {
  sealKey: string;
  earlierSealKeys?: string[];
  cookieKeys: string[];
}

function rotation(configFile: string): [string, string[]] {
  const [program, ...words] = connectorCommand(configFile, 'rotate-keys');
  return [program, words];
}
