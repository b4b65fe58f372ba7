import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Keys } from '../../../src/connector/ports/keys.ts';
import { createSeal } from '../../../src/connector/store/aes-seal.ts';
import { keysOf, textOf } from '../../../src/connector/store/key-file.ts';
import { rotateStateKeys } from '../../../src/connector/store/state-keys.ts';
import type { Agent } from '../../harness/agent.ts';
import { toolsAt } from '../../harness/beside.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { agentIn } from '../../harness/person.ts';
import { ADMIN_TOKEN, connectorCommand, writeConfig } from '../../harness/start-connector.ts';
import { type Member, type Members, startMembers } from '../../harness/three-processes.ts';

const test = testWithStack({
  config: { settings: { ownerLogins: ['ada'], maxUsers: 100 } },
});

let agent: Agent;
let all: Members;
let former: Keys;
let invited = 0;

const folderOf = ({ port }: Member): string => join(stack.folder, `member-${port}`);
const keyFileOf = (member: Member): string => join(folderOf(member), 'state', 'keys.json');

test.beforeAll(async () => {
  agent = await agentIn(stack, 'ada', ['#room']);
  former = await keysIn(join(stack.folder, 'state', 'keys.json'));
  all = await startMembers(stack);
});

afterAll(async () => {
  await all?.[Symbol.asyncDispose]();
  await agent?.[Symbol.asyncDispose]();
});

const says = (text: string): boolean => all.members.some(({ process }) => process.output().includes(text));

test('keys are replaced by restarting the processes one by one, in any order, and all use one key at each time', async () => {
  const [holder, second, third] = all.members;
  if (holder === undefined || second === undefined || third === undefined) throw new Error('three processes');
  rotateStateKeys(join(folderOf(holder), 'state'));
  const newer = await keysIn(keyFileOf(holder));
  for (const other of [second, third]) await copyFile(keyFileOf(holder), keyFileOf(other));

  for (const member of [holder, third]) {
    await member.restart();
    await expectAllUse(former.sealKey);
  }
  expect(says('all processes have newer keys')).toBe(false);
  // It has the database by now, or gets it: the last one makes the others move on.
  await second.restart();

  await waitFor('all have moved on', () => says('all processes have newer keys'));
  await waitFor('each encrypts with the newer key', async () => {
    await expectAllUse(newer.sealKey);
    return true;
  });
  await waitFor('everything is encrypted anew', () => says('nothing depends on the earlier keys any more'));
  await expectAllUse(newer.sealKey);
}, 400_000);

test('a process that lacks the key in use ends with a line that says what to do, and the others go on', async () => {
  const [, second] = all.members;
  if (second === undefined) throw new Error('three processes');
  const late = startProcess({
    name: 'a connector with earlier keys',
    command: connectorCommand(await withFormerKeys(second)),
  });

  await late.ended;

  expect(late.output()).toContain('copy the keys of one of them');
  for (const member of all.members) {
    expect(await toolsAt(member, agent)('see_account_information')).toHaveProperty('presence');
  }
});

async function keysIn(file: string): Promise<Keys> {
  const keys = keysOf(await readFile(file, 'utf8'));
  if (keys === undefined) throw new Error(`${file} holds no keys`);
  return keys;
}

/** Invites a person at a process, which encrypts a password for them. Returns that text with its place. */
async function sealedAt({ port }: Member): Promise<{ text: string; place: string }> {
  invited += 1;
  const login = `person${invited}`;
  const answer = await fetch(`http://127.0.0.1:${port}/admin/invite`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ idp_login: login }),
  });
  expect(answer.status).toBe(201);
  const database = stack.database.connect();
  try {
    const row = await database('accounts').where({ login }).first('account_id', 'bouncer_password_sealed');
    return { text: row.bouncer_password_sealed, place: row.account_id };
  } finally {
    await database.destroy();
  }
}

/** Each process encrypts with this key alone, and accepts the agent, whose token is encrypted. */
async function expectAllUse(key: Buffer): Promise<void> {
  const seal = createSeal(key);
  for (const member of all.members) {
    const { text, place } = await sealedAt(member);
    expect(seal.open(text, place)).not.toBe('');
    expect(await toolsAt(member, agent)('see_account_information')).toHaveProperty('presence');
  }
}

/** Returns the configuration of a further process, which has the keys of before alone. */
async function withFormerKeys(member: Member): Promise<string> {
  const folder = join(stack.folder, 'late');
  const stateDirectory = join(folder, 'state');
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  await writeFile(join(stateDirectory, 'keys.json'), textOf(former), { mode: 0o600 });
  const config = JSON.parse(await readFile(join(folderOf(member), 'connector.json'), 'utf8')) as object;
  const [listen, metricsListen] = [{ port: await freePort() }, { port: await freePort() }];
  return writeConfig(folder, { ...config, stateDirectory, listen, metricsListen });
}
