import { afterAll, beforeAll, expect } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { has } from '../../harness/capabilities.ts';
import {
  AGENT,
  agentConfig,
  CONNECTOR,
  connectorConfig,
  type HomeportMachine,
  homeportOn,
  prepareServers,
  prepareSoju,
  unpack,
} from '../../harness/debian-13/homeport.ts';
import { bootDebian13, type DebianMachine } from '../../harness/debian-13/machine.ts';
import { makePackageDisks, type PackageDisks } from '../../harness/debian-13/package-disk.ts';
import { needs } from '../../harness/needs.ts';

/** Deadline of the preparation on a busy machine, including an image to be made. */
const PREPARATION_DEADLINE_MS = 1_800_000;

/** Shutdown, boot and both services, on a machine that is busy; each step has a deadline of its own. */
const REBOOT_DEADLINE_MS = 1_800_000;

/** Fields of every report, but for those of a question about units. */
const SECTIONS = Object.keys(hostReport.shape).filter((field) => field !== 'services');

/** Tolerance for an emulated processor, on a machine that is busy. */
const STEP_TOLERANCE_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

const machineTest = needs('qemu and mmdebstrap');

let disks: PackageDisks;
let machine: DebianMachine;
let homeport: HomeportMachine;

beforeAll(async () => {
  if (!has('qemu and mmdebstrap')) return;
  disks = await makePackageDisks();
  machine = await bootDebian13([disks.first, disks.update]);
  homeport = homeportOn(machine);
  await unpack(machine, 'vdb');
  await prepareServers(homeport);
  await prepareSoju(homeport);
}, PREPARATION_DEADLINE_MS);

afterAll(async () => {
  await machine?.[Symbol.asyncDispose]();
  await disks?.[Symbol.asyncDispose]();
});

/** The report, once it is as a healthy machine has it. @throws Error at the deadline, with the errors that stayed */
const healthyReport = (query?: string) =>
  waitFor('the report has no error', async () => {
    const report = await homeport.report(query);
    if (Object.keys(report.errors).length > 0) throw new Error(JSON.stringify(report.errors));
    return report;
  });

const restartsOf = (unit: string) => machine.run('systemctl', 'show', '--value', '--property=NRestarts', unit);
const pidOf = (unit: string) => machine.run('systemctl', 'show', '--value', '--property=MainPID', unit);

machineTest('on Debian 13 the installed agent fills every section, without an error', async () => {
  await homeport.write('/etc/homeport/agent.json', JSON.stringify(agentConfig));

  expect(await homeport.installUnits(AGENT, '--tunnel-access')).toMatchObject({ status: 0, complaint: '' });

  const report = await healthyReport('unit=knot.service&userUnit=dbus.socket');
  expect(SECTIONS.filter((section) => !(section in report))).toEqual([]);
  expect(report).toMatchObject({
    host: 'debian-13',
    os: { id: 'debian', versionId: '13' },
    failedUnits: [],
    packages: { manager: 'dpkg' },
    wireguard: [{ latestHandshake: 0 }],
    postfix: { messages: 1 },
    knot: [{ name: 'example', serial: 7 }],
    services: [
      { unit: 'knot.service', active: 'active' },
      { unit: 'dbus.socket', user: 'ada', active: 'active' },
    ],
  });
  expect(report.kernel?.newest).toBe(report.kernel?.running);
  expect(report.kernel?.running).toBe(await machine.run('uname', '-r'));
  expect(report.disks?.map(({ mount }) => mount)).toEqual(['/']);
  for (const group of ['bootTime', 'cpu', 'pressure', 'vmstat', 'disks', 'net']) {
    expect(report.counters).toHaveProperty(group);
  }
  expect(await homeport.metrics()).toContain('\nmonitor_reboot_required 0\n');

  await machine.run('touch', '/run/reboot-required');
  await waitFor('the agent says so', async () => (await homeport.metrics()).includes('\nmonitor_reboot_required 1\n'));
});

machineTest('on Debian 13 the installed connector starts beside a soju that shares its socket', async () => {
  const first = await machine.attempt(CONNECTOR, 'install-units');
  expect(first).toMatchObject({ status: 78, complaint: '' });
  await homeport.write('/etc/homeport/connector.json', JSON.stringify(connectorConfig));
  await homeport.write('/etc/homeport/secrets/oidc', 'not-a-secret-in-this-test\n', '600');

  const installed = await homeport.installUnits(CONNECTOR);

  expect(installed).toMatchObject({ status: 0, complaint: '' });
  expect(installed.output).not.toContain('admin socket');
  expect(await homeport.connectorStatus()).toBe('200');
  expect(await restartsOf('homeport-connector')).toBe('0');
});

machineTest('the memory of services is that of their control groups, with the limit', async () => {
  await machine.run('systemctl', 'set-property', '--runtime', 'knot.service', 'MemoryMax=200M');

  const { units = [] } = await healthyReport();

  const groups = Object.fromEntries(units.map(({ unit, ...memory }) => [unit, memory]));
  for (const unit of ['homeport-agent.service', 'homeport-connector.service', 'soju.service', 'dbus.service']) {
    expect(groups[unit]?.bytes, unit).toBeGreaterThan(0);
  }
  expect(groups['knot.service']).toMatchObject({ maxBytes: 200 * 1024 * 1024 });
});

for (const [direction, sign] of [
  ['forwards', 1],
  ['backwards', -1],
] as const) {
  machineTest(`a clock that steps a day ${direction} changes the time of the report and nothing else`, async () => {
    const before = await healthyReport();

    await machine.run('date', '--set', `@${Math.round(Date.parse(before.time) / 1000) + sign * DAY_SECONDS}`);

    const after = await waitFor('a report of the new time', async () => {
      const report = await healthyReport();
      const stepped = (Date.parse(report.time) - Date.parse(before.time)) / 1000 / sign;
      return Math.abs(stepped - DAY_SECONDS) < STEP_TOLERANCE_SECONDS && report;
    });
    const { uptimeSec = 0, failedUnits } = after;
    expect(uptimeSec).toBeGreaterThanOrEqual(before.uptimeSec ?? Number.POSITIVE_INFINITY);
    expect(uptimeSec - (before.uptimeSec ?? 0)).toBeLessThan(STEP_TOLERANCE_SECONDS);
    expect(failedUnits).toEqual([]);
    expect(await homeport.connectorStatus()).toBe('200');
    for (const unit of ['homeport-agent', 'homeport-connector']) expect(await restartsOf(unit)).toBe('0');
  });
}

machineTest('after a restart of the message bus the agent asks the new one', async () => {
  const before = await pidOf('homeport-agent');

  await machine.run('systemctl', 'restart', 'dbus.service');

  const query = 'unit=knot.service&userUnit=dbus.socket';
  await waitFor('both are answered', async () => {
    const { services = [] } = await healthyReport(query);
    return services.every(({ active }) => active === 'active');
  });
  expect(await pidOf('homeport-agent')).toBe(before);
});

machineTest('an update of the package restarts both services, once', async () => {
  const programs = { [AGENT]: 'homeport-agent', [CONNECTOR]: 'homeport-connector' };
  const before = await Promise.all(Object.values(programs).map(pidOf));
  await machine.run('rm', '-r', '/opt/homeport');

  await unpack(machine, 'vdc');

  for (const [program, unit] of Object.entries(programs)) {
    const words = program === AGENT ? ['--tunnel-access'] : [];
    expect(await machine.run(program, '--version')).toContain(disks.nextVersion);
    expect(await homeport.installUnits(program, ...words)).toMatchObject({ status: 0, complaint: '' });
    expect(before).not.toContain(await pidOf(unit));
    expect((await homeport.installUnits(program, ...words)).output).toContain('nothing to do: ');
  }
  await healthyReport();
});

machineTest(
  'after a reboot both services are up by themselves, and the report has no error',
  async () => {
    const before = await healthyReport();

    await machine.reboot();

    const after = await waitFor('the agent answers', () => healthyReport());
    expect(after.counters?.bootTime).toBeGreaterThan(before.counters?.bootTime ?? Number.POSITIVE_INFINITY);
    // Made by hand, it is not there at the next boot.
    expect(after.wireguard).toEqual([]);
    expect(SECTIONS.filter((section) => !(section in after))).toEqual([]);
    await waitFor('the connector answers', async () => (await homeport.connectorStatus()) === '200');
    expect(await homeport.metrics()).toContain('\nmonitor_reboot_required 0\n');
    expect(after.failedUnits).toEqual([]);
  },
  REBOOT_DEADLINE_MS,
);
