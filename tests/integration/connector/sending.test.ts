import { setTimeout as delay } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { historyOf } from '../../harness/flood.ts';
import {
  becomes,
  heardFrom,
  inRoom,
  longText,
  SETTLED_MS,
  type Sending,
  type Sent,
  say,
  startSending,
  statusOf,
} from '../../harness/sending.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';

/** Twelve lines at the usual pace: five at once, then one each two seconds. */
const TWELVE_PACED_MS = 14_000;
/** What every account may say in a minute, and more than any may say in twice the time a send may take. */
const POSTS_OF_A_MINUTE = 20;
const TOO_MUCH_LINES = 40;
/** How often the backlog is looked at. */
const LOOK_MS = 500;

/** A send of the backlog. */
interface Outcome {
  text: string;
  isAccepted: boolean;
  /** From its acceptance to its echo. */
  tookMs: number;
}

let sending: Sending;
/** In the other channel, where it takes half a minute while the other tests run. */
let backlog: Promise<Outcome[]>;
/** Of a third account, meanwhile. */
let fay: Agent;
let tooMuch: Promise<CallToolResult[]>;

beforeAll(async () => {
  sending = await startSending();
  await sending.stack.invite('fay');
  fay = await inRoom(sending.stack, 'fay');
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
  await sending?.[Symbol.asyncDispose]();
});

async function queue(text: string): Promise<Outcome> {
  const result = await sending.eve.attempt('send_message', { channel: '#Ops', text });
  const acceptedAt = performance.now();
  if (result.isError === true) return { text, isAccepted: false, tookMs: 0 };
  const sent = result.structuredContent as Sent;
  while ((await statusOf(sending.eve, sent))['status'] !== 'echoed' && performance.now() - acceptedAt < SETTLED_MS) {
    await delay(LOOK_MS);
  }
  return { text, isAccepted: true, tookMs: performance.now() - acceptedAt };
}

test('the backlog of one account does not hold up another', async () => {
  const began = performance.now();

  await becomes(sending.ada, await say(sending.ada, 'of another account'), 'echoed');

  expect(performance.now() - began).toBeLessThan(5_000);
});

test('400 characters with joined emoji, flags and combining marks come out whole, cut between what a reader sees as one', async () => {
  const unit = '👩‍👩‍👧‍👦🏳️‍🌈🇩🇪é̂ ';
  const text = [...unit.repeat(40)].slice(0, 399).join('').trimEnd();

  const sent = await say(sending.ada, text);
  await becomes(sending.ada, sent, 'echoed');

  const lines = heardFrom(sending.bob, 'ada').filter((line) => text.includes(line));
  expect(lines.join('')).toBe(text);
  expect(lines.length).toBeGreaterThan(1);
  const graphemes = (part: string) => [...new Intl.Segmenter('und').segment(part)].map(({ segment }) => segment);
  expect(lines.flatMap(graphemes)).toEqual(graphemes(text));
  expect(
    (await historyOf(sending.ada, '#room')).filter(({ messageId }) => messageId === sent['messageId']),
  ).toMatchObject([{ text, timestampSource: 'server' }]);
});

test('a message of which one line is lost is failed with that line named, and the same key says that line alone', async () => {
  const text = longText('L');
  let count = 0;
  sending.proxy.toServer = (line) => {
    const isPart = /PRIVMSG #room .*L\d\d/.test(line);
    if (isPart) count += 1;
    return isPart && count === 2 ? undefined : line;
  };
  const sent = await say(sending.ada, text, 'key-part');
  const failed = await becomes(sending.ada, sent, 'failed');
  sending.proxy.toServer = sending.passOn;

  const again = await say(sending.ada, text, 'key-part');
  await becomes(sending.ada, again, 'echoed');

  expect(failed['reason']).toMatch(/^part 2 of 2: /);
  expect(again['messageId']).toBe(sent['messageId']);
  expect(
    heardFrom(sending.bob, 'ada')
      .filter((line) => /L\d\d/.test(line))
      .join(''),
  ).toBe(text);
});

for (const [why, mode] of [
  ['lets only some people speak', 'm'],
  ['lets only registered people speak', 'M'],
] as const) {
  test(`a channel that ${why} fails the send with the server's reason`, async () => {
    const from = sending.bob.lines.length;
    sending.bob.send('MODE', '#room', `+${mode}`);
    await waitFor('the mode is set', () => sending.bob.lines.slice(from).some(({ command }) => command === 'MODE'));

    const failed = await becomes(sending.ada, await say(sending.ada, `said while it ${why}`), 'failed');

    sending.bob.send('MODE', '#room', `-${mode}`);
    expect(failed['reason']).toMatch(/^404 /);
    expect(heardFrom(sending.bob, 'ada')).not.toContain(`said while it ${why}`);
  });
}

test('a network that is said to take lines as they come is sent them so', async () => {
  await using stack = await startConnectorStack({ network: { unpaced: true } });
  await using quick = await inRoom(stack, 'ada');
  await quick.call('go_online');
  const began = performance.now();

  const sent = await Promise.all(Array.from({ length: 12 }, (_, n) => say(quick, `unpaced ${n}`)));

  for (const each of sent) expect(each['status']).not.toBe('pending');
  expect(performance.now() - began).toBeLessThan(TWELVE_PACED_MS);
});

test('as many lines as may be posted in a minute are all accepted, and each ends echoed within 30 s of that', async () => {
  const outcomes = await backlog;

  const said = heardFrom(sending.bob, 'eve').filter((text) => text.startsWith('backlog'));
  expect(outcomes.filter(({ isAccepted }) => !isAccepted)).toEqual([]);
  expect(Math.max(...outcomes.map(({ tookMs }) => tookMs))).toBeLessThan(SETTLED_MS);
  expect(said.toSorted()).toEqual(outcomes.map(({ text }) => text));
});

test('what an account sends beyond its backlog is refused with when to try again', async () => {
  const refused = (await tooMuch).filter(({ isError }) => isError === true);

  expect(refused.length).toBeGreaterThan(0);
  for (const { content } of refused) expect(JSON.stringify(content)).toMatch(/try again in \d+ s/);
  expect(TOO_MUCH_LINES - refused.length).toBeGreaterThanOrEqual(POSTS_OF_A_MINUTE);
});
