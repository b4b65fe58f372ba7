import { mkdirSync, symlinkSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { type HostReport, hostReport } from '../../../schemas/report.ts';
import { type Exposition, parseExposition } from '../../../scripts/stack/exposition.ts';
import { VERSION } from '../../../src/kernel/version.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { copyAgentTree, startAgentOn } from '../../harness/agent-tree.ts';
import { encodeUnitList, startFakeBus } from '../../harness/fake-bus.ts';
import { runAgent } from '../../harness/start-agent.ts';

/**
 * Report and metrics of one agent with every section about the recorded machine, requested over HTTP as a hub and a
 * scraper do.
 */
let report: HostReport;
let text: string;
let metrics: Exposition;

beforeAll(async () => {
  await using tree = await copyAgentTree();
  await using bus = await startFakeBus({
    onCall: ({ serial }, socket) => void socket.write(encodeUnitList(serial, ['fail.service', 'mnt-nope.mount'])),
  });
  tree.startedBySystemd(bus.path);
  // Its root directory is a disk, which is mounted twice.
  tree.write('proc/1/mountinfo', '1 0 0:80 / / rw - ext4 /dev/root rw\n2 1 0:80 / /again rw - ext4 /dev/root rw\n');
  const { root } = tree;
  await using agent = await runAgent({
    options: [`--procfs=${root}/proc`, `--sysfs=${root}/sys`, `--rootfs=${root}`],
    agent: { postfix: true, knot: true, wgPeers: { ada: 'C5KalKt9ZaU3y/IOSjsj6ZX41K1n4oxH3haqUBUZk10=' } },
    env: { PATH: `${resolve('tests/golden/agent/programs')}:${process.env['PATH']}` },
  });
  const response = await agent.get('/v1/report');
  expect(response.status).toBe(200);
  report = hostReport.parse(await response.json());
  text = await (await agent.get('/metrics')).text();
  metrics = parseExposition(text);
});

/** Every series of the families with these names -> value. */
const families = (...names: string[]): Record<string, number> =>
  Object.fromEntries([...metrics.samples].filter(([series]) => names.includes(series.slice(0, series.indexOf('{')))));

/** Returns the values of families without labels, by their names. */
const plain = (...names: string[]): Record<string, number> =>
  Object.fromEntries(Object.entries(families(...names)).map(([series, value]) => [series.replace('{}', ''), value]));

test('the report has the state of the host, and the metrics have the same', () => {
  verifies('agent.service.1', 'agent.service.2', 'agent.field.load', 'agent.metrics.CPU');
  expect(report.load).toEqual([1.62, 0.87, 0.44]);
  expect(plain('node_load1', 'node_load5', 'node_load15')).toEqual({
    node_load1: 1.62,
    node_load5: 0.87,
    node_load15: 0.44,
  });
  const seconds = families('node_cpu_seconds_total');
  expect(Object.keys(seconds)).toHaveLength(24);
  expect(seconds).toMatchObject({
    'node_cpu_seconds_total{cpu="0",mode="user"}': 2511.17,
    'node_cpu_seconds_total{cpu="0",mode="steal"}': 2.03,
    'node_cpu_seconds_total{cpu="3",mode="idle"}': 24044.61,
  });
});

test('the host has its name, and the report the moment of its collection', () => {
  verifies('agent.field.host', 'agent.field.time');
  expect(report.host).toBe(hostname());
  expect(report.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Math.abs(Date.parse(report.time) - Date.now())).toBeLessThan(600_000);
});

test('uptime and the number of CPUs are those of the kernel', () => {
  verifies('agent.field.uptimeSec', 'agent.field.cpus');
  expect([report.uptimeSec, report.cpus]).toEqual([951_042.08, 3]);
});

test('memory is in KiB in the report and in bytes in the metrics; fields that the kernel lacks are in neither', () => {
  verifies('agent.field.memory', 'agent.metrics.memory', 'agent.point.a-fact-the-kernel-does-not-offer');
  expect(report.memory).toEqual({
    totalKB: 8_142_604,
    freeKB: 612_380,
    buffersKB: 90_124,
    cachedKB: 4_120_776,
    shmemKB: 201_160,
    dirtyKB: 3_172,
    swapTotalKB: 2_097_148,
    swapFreeKB: 1_711_004,
  });
  expect([...metrics.samples].filter(([series]) => series.startsWith('node_memory_'))).toEqual(
    Object.entries({
      MemTotal: 8_142_604,
      MemFree: 612_380,
      Buffers: 90_124,
      Cached: 4_120_776,
      Shmem: 201_160,
      Dirty: 3_172,
      SwapTotal: 2_097_148,
      SwapFree: 1_711_004,
    }).map(([name, kilobytes]) => [`node_memory_${name}_bytes{}`, kilobytes * 1024]),
  );
  expect(report.errors['memory']).toBeUndefined();
});

test('a filesystem that is mounted twice is one disk, as full as df says', async () => {
  verifies(
    'agent.field.disks',
    'agent.metrics.filesystems',
    'agent.point.real-filesystem-one-entry-per-device-usedPct',
  );
  const [disk, ...others] = report.disks ?? [];
  expect(others).toEqual([]);
  expect(disk).toMatchObject({ device: '/dev/root', mount: '/', fsType: 'ext4' });
  const { stdout } = await execa('df', ['--output=pcent,size,itotal', '--block-size=1', tmpdir()]);
  const [used, size, files] = (stdout.split('\n')[1] ?? '').trim().split(/\s+/);
  // df rounds up to whole percents, and others write to the disk meanwhile.
  expect(Math.abs((disk?.usedPct ?? 0) - Number(used?.replace('%', '')))).toBeLessThanOrEqual(1.5);
  const labels = '{device="/dev/root",fstype="ext4",mountpoint="/"}';
  expect(disk?.totalBytes).toBe(Number(size));
  expect(
    families(
      'node_filesystem_size_bytes',
      'node_filesystem_avail_bytes',
      'node_filesystem_files',
      'node_filesystem_files_free',
    ),
  ).toEqual({
    [`node_filesystem_size_bytes${labels}`]: Number(size),
    [`node_filesystem_avail_bytes${labels}`]: disk?.availBytes,
    [`node_filesystem_files${labels}`]: Number(files),
    [`node_filesystem_files_free${labels}`]: disk?.filesFree,
  });
});

test('units in failed state are named and counted, and services report their memory', () => {
  verifies('agent.field.failedUnits', 'agent.field.units', 'agent.metrics.services');
  expect(report.failedUnits).toEqual(['fail.service', 'mnt-nope.mount']);
  expect(report.units).toContainEqual({ unit: 'postgresql.service', bytes: 268_435_456, maxBytes: 1_073_741_824 });
  expect(report.units).toContainEqual({ unit: 'ssh.service', bytes: 8_376_320 });
  expect(plain('monitor_systemd_units_failed')).toEqual({ monitor_systemd_units_failed: 2 });
  expect(Object.keys(families('monitor_systemd_unit_memory_bytes'))).toHaveLength(report.units?.length ?? 0);
  expect(families('monitor_systemd_unit_memory_max_bytes')).toEqual({
    'monitor_systemd_unit_memory_max_bytes{unit="memory.service"}': 0,
    'monitor_systemd_unit_memory_max_bytes{unit="postgresql.service"}': 1_073_741_824,
  });
});

test('a machine without NixOS has its distribution, kernels and package manager, and an empty system', () => {
  verifies('agent.field.os', 'agent.field.kernel', 'agent.field.packages');
  expect(report.os).toEqual({ id: 'debian', versionId: '12', name: 'Debian "GNU" $Linux' });
  expect(report.kernel).toEqual({ running: '6.1.0-28-amd64', newest: '6.12.117+deb12-rt-amd64' });
  expect(report.packages).toEqual({ manager: 'dpkg', changed: expect.any(Number) });
  expect(report.system).toEqual({});
  expect(plain('monitor_reboot_required')).toEqual({ monitor_reboot_required: 1 });
});

test('tunnel peers have their keys in the report, and names or numbers in the metrics', () => {
  verifies('agent.field.wireguard', 'agent.metrics.tunnel', 'agent.rule.2');
  expect(report.wireguard).toHaveLength(4);
  expect(report.wireguard?.[0]).toEqual({
    publicKey: 'C5KalKt9ZaU3y/IOSjsj6ZX41K1n4oxH3haqUBUZk10=',
    latestHandshake: 1_795_218_397,
    rxBytes: 252,
    txBytes: 520,
  });
  expect(families('monitor_wireguard_latest_handshake_seconds')).toEqual({
    'monitor_wireguard_latest_handshake_seconds{peer="ada"}': 1_795_218_397,
    'monitor_wireguard_latest_handshake_seconds{peer="unnamed1"}': 0,
    'monitor_wireguard_latest_handshake_seconds{peer="unnamed2"}': 1_795_218_397,
    'monitor_wireguard_latest_handshake_seconds{peer="unnamed3"}': 0,
  });
  expect(families('monitor_wireguard_received_bytes_total', 'monitor_wireguard_sent_bytes_total')).toMatchObject({
    'monitor_wireguard_received_bytes_total{peer="ada"}': 252,
    'monitor_wireguard_sent_bytes_total{peer="ada"}': 520,
  });
  for (const { publicKey } of report.wireguard ?? []) expect(text).not.toContain(publicKey);
});

test('the mail queue is counted queue by queue', () => {
  verifies('agent.field.postfix', 'agent.metrics.postfix', 'agent.point.values-of-queues');
  const queues = { maildrop: 0, incoming: 0, active: 1, deferred: 4, hold: 1 };
  expect(report.postfix).toEqual({ messages: 6, queues, oldestAgeSec: expect.any(Number) });
  expect(families('monitor_postfix_queue_messages')).toEqual(
    Object.fromEntries(
      Object.entries(queues).map(([queue, count]) => [`monitor_postfix_queue_messages{queue="${queue}"}`, count]),
    ),
  );
  expect(plain('monitor_postfix_queue_oldest_seconds')).toEqual({
    monitor_postfix_queue_oldest_seconds: report.postfix?.oldestAgeSec,
  });
});

test('zones show their role, serial and expiry; a primary has no expiry, and an expired zone has no time left', () => {
  verifies('agent.field.knot', 'agent.metrics.DNS-zones', 'agent.point.a-primary-zone-an-expired-zone');
  expect(report.knot).toEqual([
    { name: 'dead.example', role: 'slave', expiresInSec: 0 },
    { name: 'example.com', role: 'slave', serial: 2_026_112_001, expiresInSec: 554 },
    { name: 'example.net', role: 'slave', serial: 2_026_112_002, expiresInSec: 18 },
    { name: 'local.example', role: 'master', serial: 7, expiresInSec: -1 },
  ]);
  expect(plain('monitor_knot_zones')).toEqual({ monitor_knot_zones: 4 });
  expect(families('monitor_knot_zone_serial', 'monitor_knot_zone_expires_seconds')).toEqual({
    'monitor_knot_zone_serial{zone="example.com"}': 2_026_112_001,
    'monitor_knot_zone_serial{zone="example.net"}': 2_026_112_002,
    'monitor_knot_zone_serial{zone="local.example"}': 7,
    'monitor_knot_zone_expires_seconds{zone="dead.example"}': 0,
    'monitor_knot_zone_expires_seconds{zone="example.com"}': 554,
    'monitor_knot_zone_expires_seconds{zone="example.net"}': 18,
  });
});

test('the time of boot is the same in both, and the clock is in the metrics', () => {
  verifies('agent.field.counters', 'agent.counter.bootTime', 'agent.metrics.time');
  expect(report.counters?.bootTime).toBe(1_769_139_062);
  expect(plain('node_boot_time_seconds', 'node_time_seconds')).toEqual({
    node_boot_time_seconds: 1_769_139_062,
    node_time_seconds: expect.any(Number),
  });
});

test('each CPU has its number and the seconds of eight modes', () => {
  verifies('agent.counter.cpu', 'agent.point.counters-cpu');
  expect(report.counters?.cpu?.map(({ cpu }) => cpu)).toEqual([0, 2, 3]);
  expect(report.counters?.cpu?.[0]).toEqual({
    cpu: 0,
    user: 2511.17,
    nice: 5.08,
    system: 702.15,
    idle: 23_970.01,
    iowait: 57.13,
    irq: 0.14,
    softirq: 44.8,
    steal: 2.03,
  });
});

test('pressure is in microseconds and percent in the report, in seconds in the metrics', () => {
  verifies('agent.counter.pressure', 'agent.metrics.pressure');
  expect(report.counters?.pressure).toEqual({
    cpu: { someTotalUs: 14_036_781, fullTotalUs: 0, someAvg60: 2, fullAvg60: 0 },
    memory: { someTotalUs: 19_194_773, fullTotalUs: 13_780_907, someAvg60: 0.43, fullAvg60: 0.33 },
    io: { someTotalUs: 159_886_802, fullTotalUs: 159_229_614, someAvg60: 100, fullAvg60: 12.34 },
  });
  expect([...metrics.samples].filter(([series]) => series.startsWith('node_pressure_'))).toEqual([
    ['node_pressure_cpu_waiting_seconds_total{}', 14.036781000000001],
    ['node_pressure_memory_waiting_seconds_total{}', 19.194773],
    ['node_pressure_memory_stalled_seconds_total{}', 13.780907],
    ['node_pressure_io_waiting_seconds_total{}', 159.886802],
    ['node_pressure_io_stalled_seconds_total{}', 159.229614],
  ]);
});

test('the counts of virtual memory are the same in both', () => {
  verifies('agent.counter.vmstat', 'agent.metrics.vmstat');
  expect(report.counters?.vmstat).toEqual({ oomKill: 2, pswpin: 1476, pswpout: 35_045, pgmajfault: 10_287 });
  expect([...metrics.samples].filter(([series]) => series.startsWith('node_vmstat_'))).toEqual([
    ['node_vmstat_oom_kill{}', 2],
    ['node_vmstat_pswpin{}', 1476],
    ['node_vmstat_pswpout{}', 35_045],
    ['node_vmstat_pgmajfault{}', 10_287],
  ]);
  expect(metrics.comments).toContain('TYPE node_vmstat_oom_kill untyped');
});

test('whole devices report what they have done, and their partitions do not', () => {
  verifies('agent.counter.disks', 'agent.point.counters-disks', 'agent.metrics.disks');
  const devices = ['sda', 'dm-0', 'nvme0n1', 'mmcblk0', 'cciss/c0d0'];
  expect(report.counters?.disks?.map(({ device }) => device)).toEqual(devices);
  expect(report.counters?.disks?.[0]).toEqual({
    device: 'sda',
    reads: 389_571,
    writes: 423_700,
    readBytes: 10_375_091_200,
    writtenBytes: 13_816_602_624,
    ioTimeMs: 45_283,
  });
  const ofSda = [...metrics.samples].filter(([series]) => /^node_disk_.*"sda"/.test(series));
  expect(ofSda).toEqual([
    ['node_disk_reads_completed_total{device="sda"}', 389_571],
    ['node_disk_writes_completed_total{device="sda"}', 423_700],
    ['node_disk_read_bytes_total{device="sda"}', 10_375_091_200],
    ['node_disk_written_bytes_total{device="sda"}', 13_816_602_624],
    ['node_disk_io_time_seconds_total{device="sda"}', 45.283],
  ]);
  expect(Object.keys(families('node_disk_reads_completed_total'))).toHaveLength(devices.length);
});

test('interfaces report bytes, errors and drops each way, but not lo and veth', () => {
  verifies('agent.counter.net', 'agent.point.counters-net', 'agent.metrics.network');
  const devices = report.counters?.net?.map(({ device }) => device) ?? [];
  expect(devices.slice(0, 3)).toEqual(['eth0', 'eth0:1', 'wg0']);
  expect(devices.filter((device) => device === 'lo' || device.startsWith('veth'))).toEqual([]);
  expect(report.counters?.net?.[0]).toEqual({
    device: 'eth0',
    rxBytes: 793_053_466,
    txBytes: 2_470_896,
    rxErrors: 1,
    txErrors: 3,
    rxDropped: 2,
    txDropped: 4,
  });
  const ofEth0 = [...metrics.samples].filter(([series]) => /^node_network_.*"eth0"/.test(series));
  expect(Object.fromEntries(ofEth0)).toEqual({
    'node_network_receive_bytes_total{device="eth0"}': 793_053_466,
    'node_network_receive_errs_total{device="eth0"}': 1,
    'node_network_receive_drop_total{device="eth0"}': 2,
    'node_network_transmit_bytes_total{device="eth0"}': 2_470_896,
    'node_network_transmit_errs_total{device="eth0"}': 3,
    'node_network_transmit_drop_total{device="eth0"}': 4,
  });
});

test('the agent reports its version and a count of errors for each collector, from zero', () => {
  verifies('agent.metrics.agent', 'agent.rule.1', 'agent.field.errors');
  expect(families('monitor_agent_build_info')).toEqual({ [`monitor_agent_build_info{version="${VERSION}"}`]: 1 });
  const counts = families('monitor_agent_collect_errors_total');
  expect(new Set(Object.values(counts))).toEqual(new Set([0]));
  expect(counts).toHaveProperty('monitor_agent_collect_errors_total{collector="postfix"}');
  expect(report.errors).toEqual({});
  // The scraper adds the label of the host.
  expect(text).not.toMatch(/[{,](host|instance|hostname|nodename)="/);
});

const BOOTED = '/nix/store/bbb-nixos-system-h-26.05';
const CURRENT = '/nix/store/ccc-nixos-system-h-26.05';

test('a NixOS without systemd, tunnels and legible memory reports what it has, and why the rest is missing', async () => {
  verifies(
    'agent.service.3',
    'agent.error.200',
    'agent.rule.3',
    'agent.field.system',
    'agent.metrics.hygiene',
    'agent.point.a-machine-without-systemd',
    'agent.point.a-unit-that-could-not-be-told',
    'agent.point.no-tunnel-interface-and-no-wg-program',
  );
  await using tree = await copyAgentTree();
  tree.write('usr/lib/os-release', 'ID=nixos\nBUILD_ID="26.05.20260614.abcdef1"\n');
  tree.write('proc/meminfo', 'MemTotal: 1 MB\n');
  tree.remove('sys/module/wireguard');
  tree.remove('sys/fs/cgroup');
  for (const [name, target] of Object.entries({ 'booted-system': BOOTED, 'current-system': CURRENT })) {
    mkdirSync(join(tree.root, 'run'), { recursive: true });
    symlinkSync(target, join(tree.root, 'run', name));
    mkdirSync(join(tree.root, target), { recursive: true });
    symlinkSync(`/nix/store/kernel-of-${name}`, join(tree.root, target, 'kernel'));
  }
  await using agent = await startAgentOn(tree);

  const response = await agent.get('/v1/report?unit=ssh.service');
  const scraped = await agent.get('/metrics');

  expect([response.status, scraped.status]).toEqual([200, 200]);
  const { errors, ...found } = hostReport.parse(await response.json());
  expect(errors).toEqual({
    memory: expect.stringContaining('could not understand /proc/meminfo'),
    services: 'this machine was not started by systemd',
  });
  expect(found).toMatchObject({ load: [1.62, 0.87, 0.44], failedUnits: [], units: [], wireguard: [] });
  expect(found.services).toEqual([{ unit: 'ssh.service', user: '', load: '', active: '', sub: '', result: '' }]);
  expect(found.system).toEqual({
    booted: BOOTED,
    current: CURRENT,
    rebootNeeded: true,
    nixosVersion: '26.05.20260614.abcdef1',
    nixpkgsDate: '20260614',
  });
  expect([found.memory, found.kernel, found.packages]).toEqual([undefined, undefined, undefined]);
  const lines = (await scraped.text()).split('\n');
  expect(lines).toContain('monitor_reboot_required 1');
  expect(lines).toContain('monitor_agent_collect_errors_total{collector="memory"} 1');
  const age = Number(lines.find((line) => line.startsWith('monitor_nixpkgs_age_seconds '))?.split(' ')[1]);
  expect(Math.abs(age - (Date.now() - Date.UTC(2026, 5, 14)) / 1000)).toBeLessThan(600);
  expect(lines.filter((line) => /^(node_memory_|monitor_systemd_|monitor_wireguard_)/.test(line))).toEqual([]);
});
