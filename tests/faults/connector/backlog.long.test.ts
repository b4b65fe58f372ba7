import { setTimeout as delay } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { afterAll, expect } from 'vitest';
import { verifies } from '../../conformance/requirements/verifies.ts';
import type { Agent } from '../../harness/agent.ts';
import { sending, testWithSending } from '../../harness/fixtures/sending.ts';
import { agentIn } from '../../harness/person.ts';
import { becomes, heardFrom, type Sent, say, statusOf } from '../../harness/sending.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

/** The posts of a minute, and more lines than an account can send in twice the time of a send. */
const POSTS_OF_A_MINUTE = 20;
const TOO_MUCH_LINES = 40;
/** Interval of the looks at the backlog, in milliseconds. */
const LOOK_MS = 500;

const test = testWithSending();

/** Sends in the other channel; they take half a minute, while the other tests run. */
let backlog: Promise<Outcome[]>;
/** Sends of a third account meanwhile. */
let fay: Agent;
let tooMuch: Promise<CallToolResult[]>;

test.beforeAll(async () => {
  await sending.stack.invite('fay');
  fay = await agentIn(sending.stack, 'fay', ['#room', '#Ops']);
  await fay.call('go_online');
  tooMuch = Promise.all(
    Array.from({ length: TOO_MUCH_LINES }, (_, n) =>
      fay.attempt('send_message', { channel: '#Ops', text: `too much ${n}` }),
    ),
  );
  backlog = Promise.all(
    Array.from({ length: POSTS_OF_A_MINUTE }, (_, index) => queue(`backlog ${String(index).padStart(2, '0')}`)),
  );
});

afterAll(async () => {
  await fay?.[Symbol.asyncDispose]();
});

test('the backlog of one account does not hold up another', async () => {
  using waited = watchIdle();

  await becomes(sending.ada, await say(sending.ada, 'of another account'), 'echoed');

  expect(waited.read()).toBeLessThan(5_000);
});

test('all lines that may be posted in a minute are accepted, and each ends echoed within 30 s of that', async () => {
  verifies('connector.limit.a-send');
  const outcomes = await backlog;

  const said = heardFrom(sending.bob, 'eve').filter((text) => text.startsWith('backlog'));
  expect(outcomes.filter(({ isAccepted }) => !isAccepted)).toEqual([]);
  expect(outcomes.filter(({ status }) => status !== 'echoed')).toEqual([]);
  expect(said.toSorted()).toEqual(outcomes.map(({ text }) => text));
});

test('sends beyond the backlog of an account are refused, with the time to try again', async () => {
  const refused = (await tooMuch).filter(({ isError }) => isError === true);

  expect(refused.length).toBeGreaterThan(0);
  for (const { content } of refused) expect(JSON.stringify(content)).toMatch(/try again in \d+ s/);
  expect(TOO_MUCH_LINES - refused.length).toBeGreaterThanOrEqual(POSTS_OF_A_MINUTE);
});

async function queue(text: string): Promise<Outcome> {
  const result = await sending.eve.attempt('send_message', { channel: '#Ops', text });
  if (result.isError === true) return { text, isAccepted: false };
  const sent = result.structuredContent as Sent;
  for (;;) {
    const { status } = await statusOf(sending.eve, sent);
    if (status === 'echoed' || status === 'failed') return { text, isAccepted: true, status };
    await delay(LOOK_MS);
  }
}

/** A send of the backlog. */
interface Outcome {
  text: string;
  isAccepted: boolean;
  /** Last status of the send; 30 seconds after its acceptance the connector makes it `failed`. */
  status?: unknown;
}
