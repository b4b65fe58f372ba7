import { expect } from 'vitest';
import { ConnectorError } from '../../../../src/connector/errors.ts';
import { databaseClock } from '../../../../src/connector/store/hold/database-clock.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { agent, door, testWithNewAgent } from '../../../harness/fixtures/front-door.ts';

const ROOM = '/v1/channels/room/messages';

const test = testWithNewAgent();

test('an account that the bouncer does not provision learns so by going online, and its posts are answered 503', async () => {
  verifies('connector.error.503');
  door.bouncer.provisionError = new ConnectorError('provisioning_failed', 'the bouncer does not take this account');
  const refused = await agent.attempt('go_online');
  expect(refused).toMatchObject({ isError: true, content: [{ text: 'the bouncer does not take this account' }] });
  // The state after a restart: the account is online, and then the bouncer makes difficulties.
  await door.open.store.accounts.setOnline(agent.accountId, door.open.clock.now());
  await door.presences.gain('all', { isShared: false });

  const posted = await agent.post(ROOM, { text: 'hello' });

  expect([posted.status, await posted.json()]).toMatchObject([503, { error: { code: 'bouncer_unreachable' } }]);
  expect((await agent.get(ROOM)).status).toBe(200);
});

test('names of channels and limits are refused with 400, channels that are not enabled with 404, texts with 422', async () => {
  verifies('connector.error.400', 'connector.error.404', 'connector.error.422', 'connector.limit.message-text');
  await agent.call('go_online');
  const listed = async (path: string) => (await agent.get(`/v1/channels/${path}`)).status;
  const posted = async (text: unknown) => (await agent.post(ROOM, { text })).status;

  for (const path of ['%23room/messages', 'a%20b/messages', 'room/messages?limit=0', 'room/messages?limit=201']) {
    expect([path, await listed(path)]).toEqual([path, 400]);
  }
  expect([await listed('nowhere/messages'), await listed('room/messages?limit=200')]).toEqual([404, 200]);
  for (const text of ['', '  ', '🙂'.repeat(401), 'a\nb', 'a\tb'])
    expect([text, await posted(text)]).toEqual([text, 422]);
  expect([await posted('x'), await posted('🙂'.repeat(400))]).toEqual([202, 202]);
});

test('twenty posts are taken in any sixty seconds, over all clients of the account, and refused ones do not count', async () => {
  verifies('connector.error.429', 'connector.limit.post-rate', 'connector.limit.the-minute-of-the-post-rate');
  await agent.call('go_online');
  const agents = [agent, await door.agent('ada', { client: 'other' })];
  const posts = async (count: number) => {
    const statuses: (number | undefined)[] = [];
    for (let n = 0; n < count; n += 1) statuses.push((await agents[n % 2]?.post(ROOM, { text: `post ${n}` }))?.status);
    return statuses;
  };
  // Posts are counted by the database's clock, and lines are paced by this one.
  const pass = async (ms: number): Promise<void> => {
    door.open.clock.set(door.open.clock.now() + ms);
    await door.open.database('messages').decrement('posted_at', ms);
  };

  expect(await posts(10)).toEqual(Array(10).fill(202));
  await pass(30_000);
  expect(await posts(15)).toEqual([...Array(10).fill(202), ...Array(5).fill(429)]);
  await pass(30_001);
  expect(await posts(10)).toEqual(Array(10).fill(202));
  const refused = await agent.post(ROOM, { text: 'one more' });
  expect(refused.status).toBe(429);
  const { database } = door.open;
  const [first = 0] = await database('messages')
    .whereRaw('posted_at > 0')
    .orderBy('posted_at')
    .offset(10)
    .pluck('posted_at');
  const { now } = await database.first(database.raw(`${databaseClock(database)} AS now`));
  expect(Number(refused.headers.get('retry-after')) * 1_000).toBeGreaterThanOrEqual(
    Number(first) + 60_000 - Number(now),
  );
});

test('a post that the bouncer does not take is answered 503 and does not count', async () => {
  await agent.call('go_online');
  door.bouncer.writeError = new Error('the bouncer accepts no lines');
  for (let n = 0; n < 25; n += 1) expect((await agent.post(ROOM, { text: `lost ${n}` })).status).toBe(503);

  door.bouncer.writeError = undefined;

  expect((await agent.post(ROOM, { text: 'heard' })).status).toBe(202);
});
