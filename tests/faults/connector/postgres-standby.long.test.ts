import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { type Beside, healthOf, serves, startBeside, toolsAt } from '../../harness/beside.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { heardFrom } from '../../harness/sending.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

let stack: ConnectorStack;
let ada: Agent;
let bob: IrcClient;
/** The process that serves, and the one that waits. */
let serving: Beside;
let waiting: Beside;

beforeAll(async () => {
  stack = await startConnectorStack();
  bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  ada = await agentIn(stack, 'ada', ['#room']);
  await ada.call('go_online');
  await connected(ada);
  serving = { port: Number(new URL(stack.baseUrl).port), process: stack.connector };
  waiting = await startBeside(stack);
});

afterAll(async () => {
  await waiting?.process.stop();
  await serving?.process.stop();
  bob?.[Symbol.dispose]();
  await ada?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
});

const heard = (text: string) => heardFrom(bob, 'ada').filter((line) => line.includes(text));

const call = (tool: string, args?: Record<string, unknown>) => toolsAt(serving, ada)(tool, args);

async function timesStored(text: string): Promise<number> {
  const { entries } = await call('read_history', { channel: '#room', mode: 'recent', limit: 200 });
  return (entries as { text: string }[]).filter((entry) => entry.text === text).length;
}

const stored = (text: string): Promise<unknown> =>
  waitFor(`“${text}” is stored`, async () => (await timesStored(text)) > 0);

async function say(text: string): Promise<void> {
  // The account may not be attached yet: then the send is refused, and may be repeated.
  await waitFor(`“${text}” is accepted`, async () => {
    await call('send_message', { channel: '#room', text, idempotency_key: text.replaceAll(' ', '-') });
    return true;
  });
  await waitFor(`“${text}” is heard`, () => heard(text).length > 0);
}

/** The one that waits takes over; a new one waits. */
async function takeOver(): Promise<void> {
  await serves(waiting);
  serving = waiting;
  await waitFor(
    'the network is connected',
    async () => (await call('see_account_information'))['upstreamConnected'] === true,
  );
}

/** Of the account in the bouncer, as it is stored. */
async function password(): Promise<string> {
  const connection = stack.database.connect();
  try {
    const [sealed]: string[] = await connection('accounts').pluck('bouncer_password_sealed');
    return sealed ?? '';
  } finally {
    await connection.destroy();
  }
}

/** Who came or went on IRC, as others see it. */
const movements = (): number => bob.lines.filter(({ command }) => ['JOIN', 'PART', 'QUIT'].includes(command)).length;

test('a second process waits: it says so to a balancer and once in its log, and serves nobody', async () => {
  expect(await healthOf(waiting)).toEqual({ status: 503, body: { ok: false, reason: 'standby' } });
  expect(await healthOf(serving)).toEqual({ status: 200, body: { ok: true } });

  const page = await fetch(`http://127.0.0.1:${waiting.port}/settings`);
  await expect(toolsAt(waiting, ada)('see_account_information')).rejects.toThrow();

  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
  expect(
    waiting.process
      .output()
      .split('\n')
      .filter((line) => line.includes('standby: waits')),
  ).toHaveLength(1);
  expect(waiting.process.output()).toContain(`process ${serving.process.pid} on `);
});

test('a standby that is told to stop ends at once, with status 0', async () => {
  const other = await startBeside(stack);

  await other.process.stop();

  expect((await other.process.ended).exitCode).toBe(0);
});

test('when the process that serves is killed the other one goes on: no line is lost or doubled, and nobody on IRC sees it', async () => {
  await say('before the crash');
  const before = movements();
  const passwordBefore = await password();
  serving.process.kill('SIGKILL');
  bob.say('#room', 'said while none served');
  await takeOver();

  await say('after the crash');
  // What the dead one had written lately must not come later.
  expect(await password()).not.toBe(passwordBefore);
  await stored('said while none served');

  for (const text of ['before the crash', 'said while none served', 'after the crash']) {
    expect([text, await timesStored(text)]).toEqual([text, 1]);
  }
  expect([heard('before the crash'), heard('after the crash')].map(({ length }) => length)).toEqual([1, 1]);
  expect(movements()).toBe(before);
  waiting = await startBeside(stack);
});

test('when the process that serves is told to stop the other one goes on, and nobody on IRC sees it', async () => {
  const before = movements();
  const passwordBefore = await password();
  const stopped = serving.process.stop();
  const { process: ended } = serving;
  await takeOver();
  await stopped;

  await say('after the stop');
  expect(await password()).toBe(passwordBefore);
  bob.say('#room', 'said after the stop');
  await stored('said after the stop');

  expect((await ended.ended).exitCode).toBe(0);
  expect(movements()).toBe(before);
  waiting = await startBeside(stack);
});

test('a process that was frozen is taken over; when it wakes it ends, and has neither said nor stored anything', async () => {
  await say('before the freeze');
  const frozen = serving.process;
  // Not waited for: it is frozen with lines on their way.
  const pending = Promise.allSettled(
    [1, 2, 3, 4, 5, 6].map((number) => call('send_message', { channel: '#room', text: `on its way ${number}` })),
  );
  await waitFor('the first one is heard', () => heard('on its way 1').length > 0);
  frozen.kill('SIGSTOP');
  bob.say('#room', 'said while it was frozen');
  await takeOver();
  await say('after the takeover');
  await stored('said while it was frozen');

  frozen.kill('SIGCONT');
  const { exitCode } = await frozen.ended;
  await pending;

  expect(exitCode).toBe(1);
  bob.say('#room', 'said after it woke');
  await stored('said after it woke');
  await say('sent after it woke');
  for (const text of ['before the freeze', 'said while it was frozen', 'after the takeover', 'said after it woke']) {
    expect([text, await timesStored(text)]).toEqual([text, 1]);
  }
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const text = `on its way ${number}`;
    expect([text, heard(text).length <= 1, (await timesStored(text)) <= 1]).toEqual([text, true, true]);
  }
  waiting = await startBeside(stack);
});
