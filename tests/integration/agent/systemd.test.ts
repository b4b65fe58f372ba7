import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { BusSystemd } from '../../../src/agent/host/systemd/bus-systemd.ts';
import { CommandSystemd } from '../../../src/agent/host/systemd/command-systemd.ts';
import type { Systemd } from '../../../src/agent/host/systemd/systemd-answers.ts';
import { instantOf } from '../../../src/agent/host/systemd/timer-state.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { has } from '../../harness/capabilities.ts';
import { skipWithout } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { startAgent } from '../../harness/start-agent.ts';
import { bootSystemd } from '../../harness/systemd-container.ts';
import { askedUnits, startedUnits, testUnits, unitsThatFail } from './systemd-units.ts';

beforeEach(skipWithout('systemd containers'));
const now = () => instantOf(systemClock);

let container: SystemdContainer;

beforeAll(async () => {
  if (!has('systemd containers')) return;
  container = await bootSystemd(testUnits);
  await container.attempt('systemctl', 'start', ...startedUnits);
  const failed = () => container.run('systemctl', 'list-units', '--state=failed', '--plain', '--no-legend');
  await waitFor('all that shall fail has failed', async () => {
    return (await failed()).trim().split('\n').length === unitsThatFail.length;
  });
});

afterAll(() => container?.[Symbol.asyncDispose]());

const overBus = (): Systemd =>
  new BusSystemd({ path: `${container.rootfs}/run/dbus/system_bus_socket`, kind: 'bus' }, now);
const byCommand = (): Systemd => new CommandSystemd(({ program, args }) => container.attempt(program, ...args), now);

for (const [way, open] of [
  ['over the bus', overBus],
  ['by its command', byCommand],
] as const) {
  test(`${way}, systemd reports which units have failed`, async () => {
    const systemd = open();

    expect((await systemd.failedUnits()).sort()).toEqual(unitsThatFail);
    systemd.close();
  });

  test(`${way}, systemd reports the fate of units`, async () => {
    const systemd = open();
    const names = [...askedUnits, 'ok.service'];
    const answers = await systemd.unitAnswers(names);
    systemd.close();

    const answer = (name: string) => answers[names.indexOf(name)];
    expect(answers).toHaveLength(names.length);
    const running = { load: 'loaded', active: 'active', sub: 'running', result: 'success' };
    expect(answer('ok.service')).toEqual(running);
    expect(answers.at(-1)).toEqual(running);
    expect(answer('alias.service')).toEqual(running);
    const failed = { load: 'loaded', active: 'failed', sub: 'failed' };
    expect(answer('fail.service')).toEqual({ ...failed, result: 'exit-code' });
    expect(answer('slow.service')).toEqual({ ...failed, result: 'timeout' });
    expect(answer('mnt-nope.mount')).toEqual({ ...failed, result: 'exit-code' });
    const dead = { active: 'inactive', sub: 'dead', result: 'success' };
    expect(answer('nosuch.service')).toEqual({ ...dead, load: 'not-found' });
    expect(answer('--help.service')).toEqual({ ...dead, load: 'not-found' });
    expect(answer('masked.service')).toEqual({ ...dead, load: 'masked' });
    expect(answer('bad.service')).toEqual({ ...dead, load: 'bad-setting' });
    expect(answer('system.slice')).toEqual({ load: 'loaded', active: 'active', sub: 'active', result: '' });
  });

  test(`${way}, systemd reports when timers ran and will run`, async () => {
    verifies('agent.point.running-exitStatus-and-nextRun-of-a-timer');
    const systemd = open();
    const [seven, runs, mono, past, daily] = await systemd.unitAnswers([
      ...['seven.timer', 'runs.timer', 'mono.timer', 'past.timer', 'daily.timer'],
    ]);
    systemd.close();

    const recently = expect.closeTo(Date.now() / 1000, -3);
    expect(seven).toMatchObject({ service: 'seven.service', running: false, exitStatus: 7, lastRun: recently });
    expect(runs).toMatchObject({
      sub: 'running',
      service: 'long.service',
      running: true,
      lastRun: recently,
      nextRun: 0,
    });
    expect(mono).toMatchObject({ service: 'done.service', running: false, exitStatus: 0, lastRun: 0 });
    expect(mono).toMatchObject({ nextRun: expect.closeTo(Date.now() / 1000 + 3600, -3) });
    expect(past).toMatchObject({ sub: 'elapsed', running: false, lastRun: 0, nextRun: 0 });
    expect(daily).toMatchObject({ lastRun: 0, nextRun: (Math.floor(Date.now() / 86_400_000) + 1) * 86_400 });
  });
}

test('both ways give the same answers', async () => {
  const [bus, command] = [overBus(), byCommand()];

  const expected = await command.unitAnswers(askedUnits);

  // A moment of the monotonic clock is reported to the nearest second, which depends on the time of the request.
  const nearby = expected.map((answer) => {
    const { nextRun = 0 } = 'nextRun' in answer ? answer : {};
    if (nextRun === 0) return answer;
    return { ...answer, nextRun: expect.toSatisfy((next: number) => Math.abs(next - nextRun) <= 1) };
  });
  expect(await bus.unitAnswers(askedUnits)).toEqual(nearby);
  bus.close();
});

test('a name that the command refuses does not affect the answers for the others', async () => {
  const answers = await byCommand().unitAnswers(['ok.service', 'template@.service', 'fail.service']);

  expect(answers).toMatchObject([
    { load: 'loaded' },
    { problem: expect.stringContaining('template@') },
    { sub: 'failed' },
  ]);
});

test('the agent reports failed units, and units asked for in the order of the request', async () => {
  verifies('agent.field.services');
  await using agent = await startAgent('--rootfs', container.rootfs);

  const response = await agent.get('/v1/report?unit=ok.service&unit=nosuch.service&unit=seven.timer&unit=ok.service');

  const { failedUnits, services, errors } = hostReport.parse(await response.json());
  expect(failedUnits).toEqual(unitsThatFail);
  expect(errors).not.toHaveProperty('failedUnits');
  expect(services?.map(({ unit, user, load }) => [unit, user, load])).toEqual([
    ['ok.service', '', 'loaded'],
    ['nosuch.service', '', 'not-found'],
    ['seven.timer', '', 'loaded'],
    ['ok.service', '', 'loaded'],
  ]);
  expect(services?.[2]).toMatchObject({ service: 'seven.service', exitStatus: 7 });
  expect(await (await agent.get('/metrics')).text()).toMatch(/^monitor_systemd_units_failed 7$/m);
});

test('a bus that was started anew is used again', async () => {
  const systemd = overBus();
  await systemd.failedUnits();

  await container.run('systemctl', 'kill', '--signal=KILL', 'dbus.service');

  const failed = await waitFor('systemd is on the new bus', () => systemd.failedUnits());
  expect(failed.sort()).toEqual(unitsThatFail);
  systemd.close();
});
