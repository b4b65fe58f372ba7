import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { copyAgentTree, startAgentOn } from '../../harness/agent-tree.ts';
import { encodeError, encodeUnitList, type ReceivedCall, startFakeBus } from '../../harness/fake-bus.ts';
import { AGENT_TOKEN } from '../../harness/start-agent.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

const everything = { postfix: true, knot: true, knotSocket: '/run/knot/knot.sock' };

test('results of an earlier collection never replace values that can’t be read now', async () => {
  let isWell = true;
  await using bus = await startFakeBus({
    onCall: ({ serial }: ReceivedCall, socket: Socket) =>
      socket.write(isWell ? encodeUnitList(serial, ['a.service']) : encodeError(serial, 'x.Failed', 'no memory')),
  });
  await using tree = await copyAgentTree(everything);
  tree.startedBySystemd(bus.path);
  const recordings = `${process.cwd()}/tests/golden/agent/recordings`;
  tree.program('wg', `[ -e "$0.broken" ] && exit 1; cat ${recordings}/wg-$3`);
  tree.program('postqueue', `[ -e "$0.broken" ] && exit 1; cat ${recordings}/postqueue-j`);
  tree.program('knotc', `[ -e "$0.broken" ] && exit 1; cat ${recordings}/zone-status-secondary`);
  const sections = ['failedUnits', 'knot', 'load', 'memory', 'postfix', 'wireguard'] as const;

  const before = await tree.collect();
  isWell = false;
  for (const name of ['wg', 'postqueue', 'knotc']) writeFileSync(join(tree.programs, `${name}.broken`), '');
  for (const file of ['loadavg', 'meminfo']) tree.write(`proc/${file}`, 'nonsense\n');
  const after = await tree.collect();

  expect(before.report.errors).toEqual({});
  expect(sections.filter((section) => before.report[section] === undefined)).toEqual([]);
  expect(Object.keys(after.report.errors).sort()).toEqual(sections);
  expect(sections.filter((section) => after.report[section] !== undefined)).toEqual([]);
  expect(after.text).not.toMatch(/^(monitor_(systemd_units_failed|wireguard|postfix|knot)|node_(load|memory))/m);
});

test('lines of knotc that are not a zone are skipped if any line is one; otherwise they are an error', async () => {
  await using tree = await copyAgentTree(everything);
  tree.program('postqueue', 'exit 0');

  tree.program(
    'knotc',
    `printf '[zone role:\\n[good.example.] role: master | serial: 5\\n\\377[\\n[a b] role: master\\n'`,
  );
  const some = await tree.collect();
  tree.program('knotc', `printf '[zone role:\\nnonsense\\n'`);
  const none = await tree.collect();
  tree.program('knotc', `head -c 10000000 /dev/zero | tr '\\0' x`);
  const endless = await tree.collect();

  expect(some.report).toMatchObject({ knot: [{ name: 'good.example', serial: 5 }], errors: {} });
  for (const { report, text } of [none, endless]) {
    expect(report.knot).toBeUndefined();
    expect(text).not.toContain('monitor_knot_zone');
  }
  expect(none.report.errors).toEqual({
    knot: 'could not understand knotc zone-status: expected a line for each zone with its role',
  });
  expect(endless.report.errors).toEqual({ knot: 'knotc printed more than 8388608 bytes and was ended' });
});

test('names of zones, queues and units that would break lines or steer a terminal do neither', async () => {
  await using bus = await startFakeBus({
    onCall: ({ serial }: ReceivedCall, socket: Socket) =>
      socket.write(encodeUnitList(serial, ['odd\u001b[31m"\\x2d\n.service'])),
  });
  await using tree = await copyAgentTree(everything);
  tree.startedBySystemd(bus.path);
  tree.program('postqueue', `echo '{"queue_name": "hold", "queue_id": "\\u001b[2J", "arrival_time": 99999999999}'`);
  tree.program(
    'knotc',
    `printf '[\\033[31mred.example.\\033[0m] role: slave | serial: 1 | expiration: +1D\\n[a\\007"\\134.example.] role: master | serial: 2\\n'`,
  );

  const { report, text } = await tree.collect();
  const checked = await execa('promtool', ['check', 'metrics'], { input: text, reject: false });

  expect(checked.exitCode).not.toBe(1);
  expect(text).toContain('monitor_knot_zone_serial{zone="a\ufffd\\"\\\\.example"} 2\n');
  expect(text).toContain('monitor_knot_zone_expires_seconds{zone="red.example"} 86400\n');
  // A message from the future has no age.
  expect(report.postfix).toMatchObject({ messages: 1, oldestAgeSec: 0 });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is what is tested
  expect(JSON.stringify(report) + text).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
});

test('while programs and the bus hang the agent is healthy, and reports the rest once their time is over', async () => {
  const hanging: Socket[] = [];
  await using bus = await startFakeBus({ onCall: (_call, socket) => void hanging.push(socket) });
  await using tree = await copyAgentTree();
  tree.startedBySystemd(bus.path);
  const started = join(tree.programs, 'started');
  for (const name of ['wg', 'postqueue', 'knotc']) {
    tree.program(name, `echo $$ ${name} $3 >> ${started}; sleep 1000`);
  }
  await using running = await startAgentOn(tree, { postfix: true, knot: true });
  using waited = watchIdle();

  const pending = Promise.all(Array.from({ length: 20 }, () => running.get('/v1/report')));
  await waitFor('the programs run', () => existsSync(started), { process: running.process });
  const healthy = running.get('/healthz').then(({ status }) => status);
  expect(await Promise.race([pending.then(() => 'reported'), healthy])).toBe(200);
  const answers = await pending;

  expect(waited.read()).toBeLessThan(8_000);
  const reports = await Promise.all(answers.map(async (answer) => hostReport.parse(await answer.json())));
  const [report] = reports;
  expect(new Set(reports.map(({ time }) => time)).size).toBe(1);
  expect(report?.errors).toEqual({
    failedUnits: expect.stringContaining('no answer within 5 s'),
    wireguard: 'wg did not end within 5 s and was killed',
    postfix: 'postqueue did not end within 5 s and was killed',
    knot: 'knotc did not end within 5 s and was killed',
  });
  expect(report).toMatchObject({ load: [1.62, 0.87, 0.44], memory: {}, cpus: 3 });
  const processes = readFileSync(started, 'utf8').trimEnd().split('\n');
  // Twenty requests started each command once: two of wg, one of each of the others.
  expect(processes).toHaveLength(4);
  await waitFor('none of them is left', () => processes.every((line) => !existsSync(`/proc/${line.split(' ')[0]}`)));
});

test('a client that leaves does not end the collection, and the next one gets what it found', async () => {
  await using tree = await copyAgentTree();
  const started = join(tree.programs, 'started');
  const leave = join(tree.programs, 'left');
  tree.program('knotc', `echo >> ${started}; while [ ! -e ${leave} ]; do sleep 0.05; done; echo '[a.] role: master'`);
  await using running = await startAgentOn(tree, { knot: true });

  const leaving = connect(Number(new URL(running.baseUrl).port), '127.0.0.1');
  leaving.write(`GET /v1/report HTTP/1.1\r\nHost: agent\r\nAuthorization: Bearer ${AGENT_TOKEN}\r\n\r\n`);
  await waitFor('the collection has begun', () => existsSync(started), { process: running.process });
  leaving.destroy();
  writeFileSync(leave, '');

  const report = hostReport.parse(await (await running.get('/v1/report')).json());
  expect(report.knot).toEqual([{ name: 'a', role: 'master', expiresInSec: -1 }]);
  expect(readFileSync(started, 'utf8')).toBe('\n');
});

test('a name that is not a unit name asks no manager and runs no program', async () => {
  const calls: ReceivedCall[] = [];
  await using bus = await startFakeBus({
    onCall: (call, socket) => {
      calls.push(call);
      socket.write(encodeError(call.serial, 'x.NoSuchUnit', 'no such unit'));
    },
  });
  await using tree = await copyAgentTree();
  tree.startedBySystemd(bus.path);
  const started = join(tree.programs, 'started');
  for (const name of ['systemctl', 'wg', 'postqueue', 'knotc']) tree.program(name, `echo ${name} >> ${started}`);
  await using running = await startAgentOn(tree, { postfix: true, knot: true });
  const names = [
    '../../x',
    'a/b',
    '*',
    '\0.service',
    '--help',
    'x@.service',
    `${'x'.repeat(256)}.service`,
    'é.service',
    '',
  ];

  for (const name of names) {
    for (const key of ['unit', 'userUnit']) {
      const answer = await running.get(`/v1/report?unit=good.service&${key}=${encodeURIComponent(name)}`);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(await answer.json()).toEqual({ error: 'invalid unit name', unit: name.slice(0, 64) });
    }
  }
  expect(calls).toEqual([]);
  expect(existsSync(started)).toBe(false);

  const answer = await running.get('/v1/report?unit=--help.service&unit=-H.service');
  const { services, errors } = hostReport.parse(await answer.json());
  expect(services?.map(({ unit, load }) => [unit, load])).toEqual([
    ['--help.service', ''],
    ['-H.service', ''],
  ]);
  expect(errors.services).toBe('no such unit');
  const paths = new Set(calls.filter(({ member }) => member === 'Get').map(({ path }) => path));
  expect([...paths]).toEqual([
    '/org/freedesktop/systemd1/unit/_2d_2dhelp_2eservice',
    '/org/freedesktop/systemd1/unit/_2dH_2eservice',
  ]);
  expect(readFileSync(started, 'utf8')).not.toContain('systemctl');
});
