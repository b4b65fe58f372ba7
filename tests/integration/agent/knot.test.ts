import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { createKnotCollector } from '../../../src/agent/collectors/knot.ts';
import { openHost } from '../../../src/agent/host/host.ts';
import { type RunningKnot, startKnot, zoneText } from '../../harness/start-knot.ts';

/** Returns the agent's report of a running server. */
async function report({ socket }: Pick<RunningKnot, 'socket'>) {
  const host = openHost({
    roots: { procfs: '/proc', sysfs: '/sys', rootfs: '' },
    threads: 4,
    path: process.env['PATH'],
  });
  try {
    const { sections, families } = await createKnotCollector(socket).collect(host);
    const samples = families.flatMap(({ name, samples }) =>
      samples.map(({ labels, value }): [string, number] => [`${name} ${labels['zone'] ?? ''}`.trim(), value]),
    );
    return { zones: sections.knot ?? [], metrics: Object.fromEntries(samples) };
  } finally {
    host.close();
  }
}

test('a primary and a secondary report their zones, and a zone whose primary has gone expires', async () => {
  const dead = await freePort();
  await using primary = await startKnot({
    'short.example': { text: zoneText({ serial: 4_294_967_295, expire: 3 }) },
    'long.example': { text: zoneText({ serial: 2026112001 }) },
    'missing.example': {},
  });
  await using secondary = await startKnot({
    'short.example': { from: primary.port },
    'long.example': { from: primary.port },
    'never.example': { from: dead },
    'own.example': { text: zoneText({ serial: 7 }) },
  });

  const { zones: loaded, metrics } = await waitFor('the zones have come', async () => {
    const found = await report(secondary);
    return found.zones.filter(({ serial }) => serial !== undefined).length === 3 && found;
  });

  expect((await report(primary)).zones).toEqual([
    { name: 'long.example', role: 'master', serial: 2026112001, expiresInSec: -1 },
    { name: 'missing.example', role: 'master', expiresInSec: -1 },
    { name: 'short.example', role: 'master', serial: 4_294_967_295, expiresInSec: -1 },
  ]);
  expect(loaded.map(({ name, role, serial }) => [name, role, serial])).toEqual([
    ['long.example', 'slave', 2026112001],
    ['never.example', 'slave', undefined],
    ['own.example', 'master', 7],
    ['short.example', 'slave', 4_294_967_295],
  ]);
  const long = metrics['monitor_knot_zone_expires_seconds long.example'] ?? 0;
  expect(long).toBeGreaterThan(500);
  expect(long).toBeLessThanOrEqual(600);
  expect(metrics).toMatchObject({
    monitor_knot_zones: 4,
    'monitor_knot_zone_serial own.example': 7,
    'monitor_knot_zone_expires_seconds never.example': 0,
  });
  expect(metrics).not.toHaveProperty('monitor_knot_zone_expires_seconds own.example');

  await primary.process.stop();

  const expired = await waitFor('the short zone has expired', async () => {
    const short = (await report(secondary)).zones.find(({ name }) => name === 'short.example');
    return short?.serial === undefined && short;
  });
  expect(expired).toEqual({ name: 'short.example', role: 'slave', expiresInSec: 0 });
});

test('a server that is not there is an error with its remedy', async () => {
  await expect(report({ socket: '/nowhere/knot.sock' })).rejects.toThrow(
    /^knotc failed: .*\/nowhere\/knot\.sock.*: start knotd, correct agent\.knotSocket, or set agent\.knot to false$/,
  );
});
