import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Beside, healthOf, startServingBeside, toolsAt } from '../../harness/beside.ts';
import { pair, stack, testWithPair } from '../../harness/fixtures/standby-pair.ts';
import { enableChannels } from '../../harness/person.ts';
import { ADMIN_TOKEN } from '../../harness/start-connector.ts';

const test = testWithPair({ config: { adminEvents: { enable: true } } });

let reader: Beside;

test.beforeAll(async () => {
  // The tests need two processes: one that has the slot, and one that serves reads.
  await pair.waiting.process.stop();
  reader = await startServingBeside(stack);
  pair.waiting = reader;
});

test('an agent that acknowledges at one process finds it acknowledged at the other one at once, a thousand times', async () => {
  const lines = 1_000;
  const [here, there] = [toolsAt(pair.serving, pair.ada), toolsAt(reader, pair.ada)];
  for (let line = 1; line <= lines; line += 1) pair.bob.say('#room', `line ${line}`);
  await waitFor('the last line is stored', async () => {
    const { entries } = await there('read_history', { channel: '#room', mode: 'recent', limit: 1 });
    return (entries as { text: string }[])[0]?.text === `line ${lines}`;
  });
  const { sessionId } = await there('see_account_information');
  const unread = { channel: '#room', mode: 'unread', session_id: sessionId, limit: 200 };
  const unreadAt = async (tools: typeof here): Promise<unknown> => {
    const { channels } = await tools('see_account_information', { session_id: sessionId });
    return (channels as { channel: string; unreadCount: number }[]).find(({ channel }) => channel === '#room')
      ?.unreadCount;
  };

  let left = Number(await unreadAt(here));
  expect(left).toBeGreaterThanOrEqual(lines);
  while (left > 0) {
    const { entries } = await (left % 3 === 0 ? here : there)('read_history', unread);
    for (const { entryId } of entries as { entryId: string }[]) {
      const [acting, reading] = left % 2 === 0 ? [here, there] : [there, here];
      await acting('ack_messages', { channel: '#room', session_id: sessionId, entry_id: entryId });
      left -= 1;
      expect(await unreadAt(reading)).toBe(left);
    }
  }
});

test('the process without sessions shows the status that the other one has stored, and owners what happens', async () => {
  const events = await fetch(`http://127.0.0.1:${reader.port}/admin/events`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  });

  expect(await toolsAt(reader, pair.ada)('see_account_information')).toMatchObject({
    nick: 'ada',
    presence: 'online',
    upstreamConnected: true,
  });
  expect(await events.json()).toMatchObject({ connections: [{ online: true, upstreamConnected: true }] });
});

test('its metrics have its calls, and what it hears of the other process', async () => {
  const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${reader.metricsPort}/metrics`)).text();
  await waitFor('it hears notices', async () =>
    /^homeport_connector_notice_age_seconds [0-4](\.|$)/m.test(await metrics()),
  );

  // Others that tests before have started may still be counted.
  expect(await metrics()).toMatch(/^homeport_connector_processes_serving [2-9]$/m);
  expect(await metrics()).toContain('homeport_connector_has_database 0\n');
  expect(await metrics()).toContain('homeport_connector_orders_waiting 0\n');
  expect(await metrics()).toMatch(/tool_call_seconds_count\{tool="see_account_information",outcome="ok"\} [1-9]/);
});

test('an agent goes offline and online at the process without sessions, and each process knows at once', async () => {
  const [here, there] = [toolsAt(pair.serving, pair.ada), toolsAt(reader, pair.ada)];
  const presences = async () => {
    const seen = await Promise.all([here, there].map((tools) => tools('see_account_information')));
    return seen.map(({ presence }) => presence);
  };

  expect(await there('go_offline')).toEqual({ presence: 'offline' });
  expect(await presences()).toEqual(['offline', 'offline']);
  expect(await there('go_online')).toMatchObject({ presence: 'online' });
  expect(await presences()).toEqual(['online', 'online']);
});

test('a channel that a person disables at the process with the sessions is refused at the other one', async () => {
  const there = toolsAt(reader, pair.ada);
  const read = () => there('read_history', { channel: '#room', mode: 'recent', limit: 1 });
  await read();

  await enableChannels(stack, 'ada', []);

  await waitFor('it is refused', () =>
    read().then(
      () => false,
      () => true,
    ),
  );
  await enableChannels(stack, 'ada', ['#room']);
  await waitFor('it is read again', read);
});

test('it takes over when the process with the sessions is killed, carries out what it was asked meanwhile, and then sends', async () => {
  const there = toolsAt(reader, pair.ada);
  pair.serving.process.kill('SIGKILL');
  expect(await there('go_offline')).toEqual({ presence: 'offline' });
  await expect(there('go_online')).resolves.toMatchObject({ presence: 'online' });
  const text = 'after the takeover';
  pair.serving = reader;
  await waitFor('it sends', async () => {
    await pair.call('send_message', { channel: '#room', text, idempotency_key: text.replaceAll(' ', '-') });
    return true;
  });

  await waitFor('it is heard', () => pair.heard(text).length > 0);
  expect(await healthOf(reader)).toEqual({ status: 200, body: { ok: true } });
  await pair.replace();
  expect(pair.heard(text)).toHaveLength(1);
});
