import { hostname } from 'node:os';
import { execa } from 'execa';
import { expect } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Beside, healthOf, startBeside, toolsAt } from '../../harness/beside.ts';
import { pair, stack, testWithPair } from '../../harness/fixtures/standby-pair.ts';
import { connectorCommand } from '../../harness/start-connector.ts';

const test = testWithPair({ config: { metricsListen: { port: await freePort() } } });

test('a second process waits: it says so to a balancer and once in its log, and serves nobody', async () => {
  expect(await healthOf(pair.waiting)).toEqual({ status: 503, body: { ok: false, reason: 'standby' } });
  expect(await healthOf(pair.serving)).toEqual({ status: 200, body: { ok: true } });

  const page = await fetch(`http://127.0.0.1:${pair.waiting.port}/settings`);
  await expect(toolsAt(pair.waiting, pair.ada)('see_account_information')).rejects.toThrow();

  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
  expect(
    pair.waiting.process
      .output()
      .split('\n')
      .filter((line) => line.includes('standby: waits')),
  ).toHaveLength(1);
  expect(pair.waiting.process.output()).toContain(`process ${pair.serving.process.pid} on `);
});

async function metricsOf({ metricsPort }: Beside): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(answer.status).toBe(200);
  return answer.text();
}

test('the metrics of both and the doctor show which process has the database since when', async () => {
  const name = `process ${pair.serving.process.pid} on ${hostname()}`;
  const info = `homeport_connector_database_holder_info{holder="${name}"} 1\n`;
  const since = /^homeport_connector_database_taken_timestamp_seconds (\S+)$/m;
  const [served, waited] = [await metricsOf(pair.serving), await metricsOf(pair.waiting)];

  expect(served).toContain('homeport_connector_has_database 1\n');
  expect(waited).toContain('homeport_connector_has_database 0\n');
  for (const metrics of [served, waited]) expect(metrics).toContain(info);
  expect(since.exec(waited)?.[1]).toBe(since.exec(served)?.[1]);
  expect(waited).not.toContain('homeport_connector_sessions_online');
  expect(served).toContain('homeport_connector_takeovers_total{cause="free"} 1\n');
  for (const cause of ['free', 'ended', 'silent']) {
    expect(waited).toContain(`homeport_connector_takeovers_total{cause="${cause}"} 0\n`);
  }
  for (const metrics of [served, waited]) {
    expect(metrics).toContain('homeport_connector_processes_serving ');
    expect(metrics).toMatch(/^homeport_connector_heartbeat_age_seconds \d/m);
    expect(metrics).toMatch(/^homeport_connector_heartbeat_seconds \d/m);
    // No other process serves.
    expect(metrics).toContain('homeport_connector_notice_age_seconds Nan\n');
  }

  const [program, ...args] = connectorCommand(stack.configFile, 'doctor');
  const { stdout } = await execa(program, args, { reject: false });
  const takenAt = new Date(Number(since.exec(served)?.[1]) * 1_000).toISOString();
  expect(stdout).toContain(
    `${name} has the database since ${takenAt}; process ${pair.waiting.process.pid} on ${hostname()} waits`,
  );
});

test('a standby that is told to stop ends at once, with status 0', async () => {
  const other = await startBeside(stack);

  await other.process.stop();

  expect((await other.process.ended).exitCode).toBe(0);
});

test('when the process that serves is killed the other one goes on: no line is lost or doubled, and nobody on IRC sees it', async () => {
  await pair.say('before the crash');
  const before = pair.movements();
  const passwordBefore = await password();
  pair.serving.process.kill('SIGKILL');
  pair.bob.say('#room', 'said while none served');
  await pair.takeOver();

  await pair.say('after the crash');
  const metrics = await metricsOf(pair.serving);
  expect(metrics).toContain('homeport_connector_has_database 1\n');
  expect(metrics).toContain('homeport_connector_sessions_online 1\n');
  expect(metrics).toContain('homeport_connector_takeovers_total{cause="silent"} 1\n');
  // The new password keeps back what the dead process had written last.
  expect(await password()).not.toBe(passwordBefore);
  await pair.stored('said while none served');

  for (const text of ['before the crash', 'said while none served', 'after the crash']) {
    expect([text, await pair.timesStored(text)]).toEqual([text, 1]);
  }
  expect([pair.heard('before the crash'), pair.heard('after the crash')].map(({ length }) => length)).toEqual([1, 1]);
  expect(pair.movements()).toBe(before);
  await pair.replace();
});

test('when the process that serves is told to stop the other one goes on, and nobody on IRC sees it', async () => {
  const before = pair.movements();
  const passwordBefore = await password();
  const stopped = pair.serving.process.stop();
  const { process: ended } = pair.serving;
  await pair.takeOver();
  await stopped;

  await pair.say('after the stop');
  expect(await password()).toBe(passwordBefore);
  expect(await metricsOf(pair.serving)).toContain('homeport_connector_takeovers_total{cause="free"} 1\n');
  pair.bob.say('#room', 'said after the stop');
  await pair.stored('said after the stop');

  expect((await ended.ended).exitCode).toBe(0);
  expect(pair.movements()).toBe(before);
  await pair.replace();
});

test('a process that was frozen is taken over; when it wakes it ends, and has neither said nor stored anything', async () => {
  await pair.say('before the freeze');
  const frozen = pair.serving.process;
  // The test does not wait for these: the process is frozen with lines on their way.
  const pending = Promise.allSettled(
    [1, 2, 3, 4, 5, 6].map((number) => pair.call('send_message', { channel: '#room', text: `on its way ${number}` })),
  );
  await waitFor('the first one is heard', () => pair.heard('on its way 1').length > 0);
  frozen.kill('SIGSTOP');
  pair.bob.say('#room', 'said while it was frozen');
  await pair.takeOver();
  await pair.say('after the takeover');
  await pair.stored('said while it was frozen');

  frozen.kill('SIGCONT');
  const { exitCode } = await frozen.ended;
  await pending;

  expect(exitCode).toBe(1);
  pair.bob.say('#room', 'said after it woke');
  await pair.stored('said after it woke');
  await pair.say('sent after it woke');
  for (const text of ['before the freeze', 'said while it was frozen', 'after the takeover', 'said after it woke']) {
    expect([text, await pair.timesStored(text)]).toEqual([text, 1]);
  }
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const text = `on its way ${number}`;
    expect([text, pair.heard(text).length <= 1, (await pair.timesStored(text)) <= 1]).toEqual([text, true, true]);
  }
  await pair.replace();
});

/** Returns the stored password of the account in the bouncer. */
async function password(): Promise<string> {
  const connection = stack.database.connect();
  try {
    const [sealed]: string[] = await connection('accounts').pluck('bouncer_password_sealed');
    return sealed ?? '';
  } finally {
    await connection.destroy();
  }
}
