import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { historyOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import {
  authorization,
  codeFor,
  postRegistration,
  redeem,
  refresh,
  registerClient,
} from '../../harness/oauth-client.ts';
import { agentIn } from '../../harness/person.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';

test('while the database is locked by another program sends are refused and lines wait, to be stored once when it is free', async () => {
  await using stack = await startConnectorStack();
  await using agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  const said = async () => (await historyOf(agent, '#room')).map(({ text }) => text);
  const texts = Array.from({ length: 20 }, (_, n) => `while locked ${n}`);
  const lock = stack.database.connect();
  const held = await lock.transaction();
  // SQLite has one lock for all tables, which a write takes.
  await held.raw(
    stack.database.kind === 'sqlite' ? 'UPDATE leases SET name = name' : 'LOCK TABLE entries IN SHARE MODE',
  );
  for (const text of texts) bob.say('#room', text);

  // When this returns, the program has waited for the lock as long as one statement may.
  const refused = await agent.attempt('send_message', { channel: '#room', text: 'no lock for this' });

  expect(JSON.stringify(refused)).toContain('the database does not answer at the moment');
  expect(await said()).not.toContain(texts[0]);
  await held.rollback();
  await lock.destroy();

  await waitFor('the last line is stored', async () => (await said()).includes(texts.at(-1) ?? ''));

  const kept = (await said()).filter((text) => text.startsWith('while locked'));
  expect(kept).toEqual(texts);
  expect(JSON.stringify(bob.lines)).not.toContain('no lock for this');
});

/** The time that a request has with the database, and room for a busy machine; one statement alone may wait for half of it. */
const ANSWERED_MS = 20_000;

test('while the database is locked every request is answered in its time, with 503 where it had to write', async () => {
  await using stack = await startConnectorStack();
  await using agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
  const clientId = await registerClient(stack);
  const tokens = await redeem(stack, clientId, await codeFor(stack, 'ada', clientId));
  const code = await codeFor(stack, 'ada', clientId);
  const browser = await stack.signIn('ada');
  const lock = stack.database.connect();
  const held = await lock.transaction();
  await held.raw(
    stack.database.kind === 'sqlite'
      ? 'UPDATE leases SET name = name'
      : 'LOCK TABLE oauth_records, consents, entries, messages, browser_sessions IN ACCESS EXCLUSIVE MODE',
  );
  const timed = async <T>(work: Promise<T>) => {
    const startedAt = performance.now();
    const answer = await work;
    return { answer, ms: performance.now() - startedAt };
  };

  // At once, so that each waits for the others' connection as well.
  const [refreshed, redeemed, registered, sent, asked, pages] = await Promise.all([
    timed(refresh(stack, clientId, tokens.refresh_token)),
    timed(redeem(stack, clientId, code)),
    timed(postRegistration(stack, {})),
    // The refusal is the tool's, or that of the endpoint, where already the token's check had to wait too long.
    timed(
      agent
        .attempt('send_message', { channel: '#room', text: 'no lock for this' })
        .catch((error: Error) => error.message),
    ),
    timed(fetch(authorization(stack, clientId).url, { redirect: 'manual' })),
    timed(Promise.all(Array.from({ length: 10 }, () => browser.fetch(`${stack.baseUrl}/settings`)))),
  ]);

  for (const { ms } of [refreshed, redeemed, registered, sent, asked, pages]) expect(ms).toBeLessThan(ANSWERED_MS);
  for (const { answer } of [refreshed, redeemed]) {
    expect(answer).toMatchObject({ status: 503, error: 'temporarily_unavailable' });
  }
  expect([registered.answer.status, await registered.answer.json()]).toMatchObject([
    503,
    { error: 'temporarily_unavailable' },
  ]);
  expect(JSON.stringify(sent.answer)).toContain('the database does not answer at the moment');
  expect(asked.answer.status === 503 || asked.answer.headers.get('location')?.includes('temporarily_unavailable')).toBe(
    true,
  );
  expect(new Set(pages.answer.map(({ status }) => status))).toEqual(new Set([503]));
  await held.rollback();
  await lock.destroy();

  // Failed requests used up no token, and requests that had begun meanwhile left no bound behind.
  await waitFor('the database answers again', async () => (await postRegistration(stack, {})).status === 201);
  expect((await refresh(stack, clientId, tokens.refresh_token)).status).toBe(200);
  expect((await agent.call('send_message', { channel: '#room', text: 'free again' }))['status']).toMatch(
    /queued|echoed/,
  );
});
