import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import knex from 'knex';
import { afterAll, expect } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { createAdminSocket, type RunCommand } from '../../../src/connector/bouncer/admin-socket.ts';
import type { Agent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { captured, historyOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { type IrcProxy, startIrcProxy } from '../../harness/irc-proxy.ts';
import { agentIn, connected, informationOf } from '../../harness/person.ts';
import { becomes } from '../../harness/sending.ts';
import { keptBySoju } from '../../harness/soju-history.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';

/** Time for which the bouncer's database is locked: longer than the bouncer waits for it. */
const SOJU_LOCK_MS = 6_000;

const test = testWithStack({
  bouncer: { replayTimeoutSeconds: 2 },
  config: { ircChannels: ['#room', '#dev[1]'] },
  wrapBouncer: async (port) => {
    proxy = await startIrcProxy(port);
    return proxy.port;
  },
});

let agent: Agent;
let bob: IrcClient;
/** The proxy between the connector and the bouncer. */
let proxy: IrcProxy;
let soju: RunCommand;

test.beforeAll(async () => {
  bob = await joinIrc(stack.ergo, 'bob', ['#room', '#dev[1]']);
  agent = await agentIn(stack, 'ada', ['#room', '#dev[1]']);
  await agent.call('go_online');
  soju = createAdminSocket(stack.soju.adminSocket);
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  await agent?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
});

const information = () => informationOf(agent);

const said = (text: string, channel?: string) => captured(agent, text, channel);

const logHas = (text: string) => waitFor(`the log has "${text}"`, () => stack.connector.output().includes(text));

test('a line without end ends the connection and is logged, and nothing is missing afterwards', async () => {
  proxy.tell(`:bouncer NOTICE ada :${'x'.repeat(70_000)}`);

  await logHas('a line longer than 65536 characters');
  bob.say('#room', 'after the line without end');
  await said('after the line without end');
  expect((await historyOf(agent, '#room')).filter(({ text }) => text.includes('xxx'))).toEqual([]);
});

test('a message and a topic of 8 kB are kept whole', async () => {
  const long = 'y'.repeat(8 * 1_024);
  const time = new Date().toISOString();
  proxy.tell(`@time=${time};msgid=long1 :eve!e@h PRIVMSG #room :${long}`);
  proxy.tell(`@time=${time};msgid=long2 :eve!e@h TOPIC #room :${long}`);
  bob.say('#room', 'after the long ones');
  await said('after the long ones');

  const kept = (await historyOf(agent, '#room')).filter(({ text }) => text.startsWith('yy'));

  expect(kept.map(({ kind, text }) => [kind, text.length])).toEqual([
    ['message', long.length],
    ['topic', long.length],
  ]);
});

test('when a bouncer stops offering tags, own lines are recognized by their order; tags are used again when it offers them', async () => {
  const written: string[] = [];
  proxy.toServer = (line) => {
    if (line.includes('PRIVMSG')) written.push(line);
    return line;
  };
  proxy.fromServer = (line) => line.replace(/\+homeport\/id=[^; ]+;?/, '');
  proxy.tell(':bouncer CAP * DEL :message-tags');
  const both = [
    await agent.call('send_message', { channel: '#room', text: 'without a tag' }),
    await agent.call('send_message', { channel: '#room', text: 'without a tag' }),
  ];
  for (const sent of both) await becomes(agent, sent, 'echoed');
  expect(written.some((line) => line.includes('homeport/id'))).toBe(false);

  proxy.fromServer = (line) => line;
  proxy.tell(':bouncer CAP * NEW :message-tags');
  await waitFor('tags are written again', async () => {
    await becomes(agent, await agent.call('send_message', { channel: '#room', text: 'with a tag' }), 'echoed');
    return written.at(-1)?.includes('homeport/id');
  });
  proxy.toServer = (line) => line;

  const own = (await historyOf(agent, '#room')).filter(({ text }) => text === 'without a tag');
  expect(own.map(({ messageId }) => messageId)).toEqual(both.map(({ messageId }) => messageId));
});

test('a network that changes how it folds names keeps its channels together, with the ids they had', async () => {
  bob.say('#dev[1]', 'before the change');
  const before = await said('before the change', '#dev[1]');

  proxy.tell(':bouncer 005 ada CASEMAPPING=rfc1459 :are supported by this server');
  proxy.tell(`@time=${new Date().toISOString()};msgid=fold1 :eve!e@h PRIVMSG #DEV{1} :under another spelling`);
  const after = await said('under another spelling', '#dev[1]');

  expect(after).toMatchObject({ channel: '#dev[1]' });
  expect(await said('before the change', '#dev[1]')).toEqual(before);
  expect((await information())['channels']).toMatchObject([
    { channel: '#dev[1]', joined: true },
    { channel: '#room', joined: true },
  ]);
});

test('an agent may name a channel in any spelling that the network takes for the same, also offline', async () => {
  proxy.tell(':bouncer 005 ada CASEMAPPING=rfc1459 :are supported by this server');
  const read = (channel: string) => agent.attempt('read_history', { channel, mode: 'recent', limit: 1 });
  await waitFor('the mapping is noted', async () => (await read('#DEV{1}')).isError !== true);

  expect((await agent.call('search_history', { channel: 'dev{1}', phrase: 'change' }))['entries']).not.toEqual([]);
  await agent.call('go_offline');
  expect((await read('#Dev{1}')).isError).toBeFalsy();
  await agent.call('go_online');
  await waitFor('the network announces its own', async () => (await read('#DEV{1}')).isError === true);
});

test('a replay that never ends is asked for again, and every missed line is there once', async () => {
  let reference: string | undefined;
  let swallowed = 0;
  proxy.fromServer = (line) => {
    reference ??= /\bBATCH \+(\S+) chathistory /.exec(line)?.[1];
    if (swallowed > 0 || reference === undefined || !line.endsWith(`BATCH -${reference}`)) return line;
    swallowed += 1;
    return undefined;
  };
  await stack.kill('connector');
  bob.say('#room', 'missed, and told without an end');
  await waitFor('the bouncer has it', async () =>
    (await keptBySoju(stack.folder)).includes('missed, and told without an end'),
  );
  await stack.revive('connector');

  await logHas('the bouncer did not send all missed lines in time');
  await said('missed, and told without an end');
  proxy.fromServer = (line) => line;

  expect(swallowed).toBe(1);
  expect((await historyOf(agent, '#room')).filter(({ text }) => text.startsWith('missed, and'))).toHaveLength(1);
});

test('a network renamed by hand in the bouncer gets its name back, and its history goes on', async () => {
  const [status = ''] = await soju(['user', 'status']);
  const user = status.split(':')[0] ?? '';
  const names = async () => (await soju(['user', 'run', user, 'network', 'status'])).map((line) => line.split(' ')[0]);

  await soju(['user', 'run', user, 'network', 'update', 'main', '-name', 'another']);

  await waitFor('the network has its name', async () => (await names()).join() === 'main');
  await connected(agent);
  bob.say('#room', 'after the rename');
  await said('after the rename');
  expect((await historyOf(agent, '#room')).map(({ text }) => text)).toContain('after the line without end');
});

test('lines that the bouncer could not store, because its database was locked, are still in history, once', async () => {
  const texts = Array.from({ length: 3 }, (_, n) => `while the bouncer is locked ${n}`);
  const database = knex({
    client: 'sqlite3',
    connection: { filename: join(stack.folder, 'soju', 'soju.db') },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
  });
  await database.raw('BEGIN IMMEDIATE');
  const lockedAt = performance.now();
  for (const text of texts) bob.say('#room', text);
  await waitFor('the bouncer has waited longer than it does', () => performance.now() - lockedAt > SOJU_LOCK_MS);
  await database.raw('ROLLBACK');
  await database.destroy();
  await said(texts.at(-1) ?? '');

  await stack.restartConnector();
  bob.say('#room', 'after the bouncer was locked');
  await said('after the bouncer was locked');

  const kept = (await historyOf(agent, '#room')).filter(({ text }) => text.startsWith('while the bouncer is locked'));
  expect(kept.map(({ text }) => text)).toEqual(texts);
  expect((await keptBySoju(stack.folder)).filter((text) => texts.includes(text)).length).toBeLessThan(texts.length);
});

test('a killed bouncer that left its sockets behind is reported, with what to do', async () => {
  await stack.kill('soju');

  await logHas('is left over from a soju that was killed: delete it');

  const status = await fetch(`${stack.baseUrl}/v1/status`, {
    headers: { authorization: `Bearer ${agent.accessToken}` },
  });
  expect(status.status).toBe(503);
  await stack.revive('soju');
  await connected(agent);
});

test('a bouncer that can’t start, because a newer version made its database, is reported, with where to look', async () => {
  await stack.soju.process.stop();
  const file = join(stack.folder, 'soju', 'soju.db');
  const version = (wanted: string) => promisify(execFile)(process.execPath, ['-e', PRAGMA, file, wanted]);
  const { stdout } = await version('');
  await version('9999');
  const newer = startProcess({ name: 'soju', command: ['soju', '-config', join(stack.folder, 'soju', 'soju.conf')] });

  expect((await newer.ended).exitCode).not.toBe(0);
  expect(newer.output()).toContain('schema');
  await logHas('see its own log when it does not stay up');

  await version(stdout.trim());
  await stack.revive('soju');
  await connected(agent);
});

test('a bouncer that stores whole seconds is noticed when it replays; the log and every agent say so', async () => {
  await using coarse = await startConnectorStack({ messageStore: 'fs' });
  using eve = await joinIrc(coarse.ergo, 'eve', ['#room']);
  await using reader = await agentIn(coarse, 'ada', ['#room']);
  await reader.call('go_online');
  const texts = ['one', 'two', 'two', 'three'];
  for (const text of texts) eve.say('#room', text);
  const kept = async () => (await historyOf(reader, '#room')).filter(({ kind }) => kind === 'message');
  await waitFor('history has them', async () => (await kept()).length === texts.length);
  expect((await reader.call('see_account_information'))['problems']).toEqual([]);

  await coarse.restartConnector();

  await waitFor('an agent is told', async () =>
    ((await reader.call('see_account_information'))['problems'] as string[]).some((problem) =>
      problem.includes('message-store db'),
    ),
  );
  expect(coarse.connector.output()).toContain('the bouncer keeps whole seconds only');
  expect((await kept()).map(({ text }) => text)).toEqual(texts);
});

/** Reads, or sets, which version of soju a database belongs to. */
const PRAGMA = `
const { DatabaseSync } = require('node:sqlite');
const [file, wanted] = process.argv.slice(1);
const database = new DatabaseSync(file);
if (wanted !== '') database.exec('PRAGMA user_version = ' + wanted);
console.log(database.prepare('PRAGMA user_version').get().user_version);
`;
