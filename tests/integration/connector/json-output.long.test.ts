import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { connectorCommand, writeConfig } from '../../harness/start-connector.ts';

const test = testWithStack();

let config: Record<string, unknown>;

test.beforeAll(async () => {
  config = JSON.parse(await readFile(stack.configFile, 'utf8')) as typeof config;
});

test('the doctor gives each check as JSON, with a remedy where something is wrong', async () => {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const identityProvider = { oidc: { ...(config['identityProvider'] as { oidc: object }).oidc, issuer } };
  const file = await writeConfig(join(stack.folder, 'wrong'), {
    ...{ ...config, identityProvider },
    oauth: { clientDocuments: false },
  });

  const { exitCode, answer } = await ask(file, 'doctor', '--json');

  const { ok, checks } = answer as { ok: boolean; checks: { name: string; ok: boolean; remedy?: string }[] };
  expect({ exitCode, ok }).toEqual({ exitCode: 1, ok: false });
  expect(checks.find(({ name }) => name === 'database')).toMatchObject({ ok: true, says: expect.any(String) });
  expect(checks.find(({ name }) => name === 'identity provider')).toMatchObject({
    ok: false,
    remedy: expect.any(String),
  });
  expect(checks.every((check) => check.ok === (check.remedy === undefined))).toBe(true);
});

test('an invitation prints its grants as JSON, and a refusal prints no JSON', async () => {
  const [channel] = config['ircChannels'] as string[];

  expect(await ask(stack.configFile, 'invite', 'grace', '--channels', `${channel}`, '--json')).toEqual({
    exitCode: 0,
    stderr: '',
    answer: { login: 'grace', channels: [channel], settings: `${stack.baseUrl}/settings` },
  });
  const refused = await ask(stack.configFile, 'invite', 'grace', '--channels', '#nowhere', '--json');
  expect(refused).toMatchObject({ exitCode: 1, answer: undefined });
  expect(refused.stderr).toContain('#nowhere is not one of ircChannels');
});

test('migrate gives the steps that it has taken as JSON', async () => {
  const folder = join(stack.folder, 'new');
  const file = await writeConfig(folder, { ...config, stateDirectory: folder, database: { sqlite: {} } });

  const first = await ask(file, 'migrate', '--json');

  expect(first).toMatchObject({
    exitCode: 0,
    stderr: '',
    answer: { done: expect.arrayContaining([expect.any(String)]) },
  });
  expect((await ask(file, 'migrate', '--json')).answer).toEqual({ done: [] });
});

/** Runs a command with a configuration, and reads what it prints. */
async function ask(configFile: string, command: string, ...words: string[]) {
  const [program, ...args] = connectorCommand(configFile, command);
  const { exitCode, stdout, stderr } = await execa(program, [...args, ...words], { reject: false, timeout: 120_000 });
  return { exitCode, stderr, answer: stdout === '' ? undefined : (JSON.parse(stdout) as unknown) };
}
