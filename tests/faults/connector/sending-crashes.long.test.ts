import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { sending, testWithSending } from '../../harness/fixtures/sending.ts';
import { refuseLines } from '../../harness/irc-proxy.ts';
import { connected } from '../../harness/person.ts';
import { becomes, heardFrom, longText, type Sent, say, statusOf } from '../../harness/sending.ts';
import { keptBySoju } from '../../harness/soju-history.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

const test = testWithSending();

const heard = (text: string): number => heardFrom(sending.bob, 'ada').filter((line) => line === text).length;

const isConnected = (): Promise<void> => connected(sending.ada);

test('a bouncer killed with a line under way leaves the send queued, and the same key does not say it twice', async () => {
  sending.server.process.kill('SIGSTOP');
  const sent = await say(sending.ada, 'in the bouncer when it died', 'key-soju');
  await waitFor('the bouncer has passed it on', () => sending.passedOn.some((line) => line.includes('in the bouncer')));
  await sending.stack.kill('soju');
  sending.server.process.kill('SIGCONT');
  await sending.bob.seen('the line', ({ params }) => params[1] === 'in the bouncer when it died');
  await sending.stack.revive('soju');
  await isConnected();

  await untilSendsAreJudged();
  const judged = await statusOf(sending.ada, sent);
  const retried = await say(sending.ada, 'in the bouncer when it died', 'key-soju');
  await becomes(sending.ada, await say(sending.ada, 'said behind the retry'), 'echoed');

  expect(judged).toMatchObject({ status: 'queued', reason: null });
  expect(retried).toMatchObject({ messageId: sent['messageId'], status: 'queued' });
  expect(heard('in the bouncer when it died')).toBe(1);
});

test('a network lost after a line and before its echo leaves the send queued, and nothing is said twice', async () => {
  sending.proxy.fromServer = (line) => (line.includes('PRIVMSG') && line.includes('echo is lost') ? undefined : line);
  const sent = await say(sending.ada, 'the echo is lost', 'key-link');
  await sending.bob.seen('the line', ({ params }) => params[1] === 'the echo is lost');
  sending.proxy.fromServer = (line) => line;
  const before = sending.bob.lines.length;
  sending.proxy.reset();
  await waitFor('ada is back', () =>
    sending.bob.lines.slice(before).some(({ command, sender }) => command === 'JOIN' && sender === 'ada'),
  );
  await isConnected();

  await untilSendsAreJudged();
  const judged = await statusOf(sending.ada, sent);
  const retried = await say(sending.ada, 'the echo is lost', 'key-link');
  await becomes(sending.ada, await say(sending.ada, 'said behind the other retry'), 'echoed');

  expect(judged).toMatchObject({ status: 'queued', reason: null });
  expect(retried).toMatchObject({ messageId: sent['messageId'], status: 'queued' });
  expect(heard('the echo is lost')).toBe(1);
});

test('a connector killed before the echo finds it in the replay, and the same key does not say it twice', async () => {
  verifies('connector.state.queued-to-echoed');
  sending.server.process.kill('SIGSTOP');
  const call = { channel: '#room', text: 'written before the crash', idempotency_key: 'key-crash' };
  const sent = await sending.ada.call('send_message', call);
  await waitFor('the bouncer has passed it on', () => sending.passedOn.some((line) => line.includes(call.text)));
  await sending.stack.kill('connector');
  sending.server.process.kill('SIGCONT');
  await waitFor('the bouncer has kept it', async () => (await keptBySoju(sending.stack.folder)).includes(call.text));
  await sending.stack.revive('connector');

  const retried = await afterRestart(call);

  expect(retried['messageId']).toBe(sent['messageId']);
  expect(await becomes(sending.ada, sent, 'echoed')).toMatchObject({ entryId: sent['entryId'] });
  expect(heard(call.text)).toBe(1);
});

test('a connector killed at any moment inside a send of several lines says each line at most once', async () => {
  const rounds = [];
  for (const [round, killAfterMs] of [0, 8, 30].entries()) {
    const call = { channel: '#room', text: longText('ABC'[round] ?? ''), idempotency_key: `key-round-${round}` };
    const first = sending.ada.attempt('send_message', call).catch(() => undefined);
    await delay(killAfterMs);
    await sending.stack.kill('connector');
    await first;
    await sending.stack.revive('connector');
    const sent = await afterRestart(call);
    await waitFor('nothing waits to be sent', async () => (await statusOf(sending.ada, sent))['status'] !== 'pending');
    rounds.push({ call, sent });
  }
  // A send with a known key is answered before the account is back.
  await becomes(sending.ada, await afterRestart({ channel: '#room', text: 'after all rounds' }), 'echoed');

  for (const { call, sent } of rounds) {
    const retried = await sending.ada.call('send_message', call);
    const said = heardFrom(sending.bob, 'ada').filter((text) => text.includes(`${call.text[0]}`));
    expect(retried['messageId']).toBe(sent['messageId']);
    expect(new Set(said).size).toBe(said.length);
    // A line that was stored as written just before the crash may not have been written.
    expect(['echoed', 'queued']).toContain(retried['status']);
    if (retried['status'] === 'echoed') expect(said.join('')).toBe(call.text);
  }
});

test('SIGTERM ends the connector in time while sends wait, and after the next start each is said once', async () => {
  const texts = Array.from({ length: 6 }, (_, n) => `around the restart ${n}`);
  const sent = await Promise.all(texts.map((text) => say(sending.ada, text)));
  expect(sent.some(({ status }) => status === 'pending')).toBe(true);
  using waited = watchIdle();

  sending.stack.connector.kill('SIGTERM');
  const end = await sending.stack.connector.ended;

  expect(end).toMatchObject({ exitCode: 0 });
  expect(waited.read()).toBeLessThan(10_000);
  await sending.stack.revive('connector');
  for (const each of sent) await becomes(sending.ada, each, 'echoed');
  expect(
    heardFrom(sending.bob, 'ada')
      .filter((text) => texts.includes(text))
      .toSorted(),
  ).toEqual(texts);
});

test('lines written just before an account goes offline are said', async () => {
  await becomes(sending.eve, await say(sending.eve, 'eve is here'), 'echoed');
  const texts = Array.from({ length: 4 }, (_, n) => `before the end of the day ${n}`);
  const sent = await Promise.all(texts.map((text) => say(sending.eve, text)));
  const written = texts.filter((_, n) => sent[n]?.['status'] === 'queued');

  await sending.eve.call('go_offline');

  expect(written.length).toBeGreaterThan(0);
  await waitFor('bob has heard them', () =>
    written.every((text) => heardFrom(sending.bob, 'eve').filter((heard) => heard === text).length === 1),
  );
  await sending.eve.call('go_online');
});

test('sends pending at a crash fail in time while the bouncer is away, and are not said when it is back', async () => {
  const { stack, ada } = sending;
  const texts = Array.from({ length: 8 }, (_, n) => `too late for the bouncer ${n}`);
  const sent = await Promise.all(texts.map((text) => say(ada, text)));
  await Promise.all([stack.kill('connector'), stack.kill('soju')]);
  await stack.revive('connector');
  // A send whose turn came just before the crash is with the bouncer, although its sender got the status `pending`.
  const atCrash = await Promise.all(sent.map((each) => statusOf(ada, each)));
  const waiting = atCrash.filter(({ status }) => status === 'pending');
  expect(waiting.length).toBeGreaterThan(0);

  for (const each of waiting) await becomes(ada, each, 'failed');

  await stack.revive('soju');
  await isConnected();
  await becomes(ada, await afterRestart({ channel: '#room', text: 'the bouncer is back' }), 'echoed');
  expect(heardFrom(sending.bob, 'ada').filter((text) => texts.includes(text)).length).toBeLessThanOrEqual(
    texts.length - waiting.length,
  );
});

/** The server refuses a line; once that line has failed, earlier sends are settled, too. */
async function untilSendsAreJudged(): Promise<void> {
  const { proxy, passOn, ada } = sending;
  proxy.toServer = passOn;
  const end = refuseLines(
    proxy,
    (line) => line.includes('judge me'),
    ':irc.test 404 ada #room :Cannot send to channel',
  );
  const sent = await afterRestart({ channel: '#room', text: 'judge me' });
  await becomes(ada, sent, 'failed');
  end();
}

/** Repeats the call until the account is back. */
function afterRestart(call: Record<string, unknown>): Promise<Sent> {
  return waitFor('the send is accepted', async () => {
    const result = await sending.ada.attempt('send_message', call);
    return result.isError !== true && (result.structuredContent as Sent);
  });
}
