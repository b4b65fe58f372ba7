import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createNetdevCollector, parseNetdev } from '../../../../src/agent/collectors/netdev.ts';
import { hostWith } from '../../../harness/host-double.ts';

const header = 'Inter-|   Receive\n face |bytes\n';
const columns = ' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n';
const devices = (text: string): string[] => parseNetdev(header + text).map(({ device }) => device);

test('a recorded machine has its interfaces without loopback', () => {
  const found = parseNetdev(readFileSync('tests/golden/agent/recordings/net-dev', 'latin1'));

  expect(found.map(({ device }) => device)).toEqual(['ifb0', 'ifb1', 'eth0']);
  expect(found[2]).toEqual({
    device: 'eth0',
    rxBytes: 793053466,
    txBytes: 2470896,
    rxErrors: 0,
    txErrors: 0,
    rxDropped: 0,
    txDropped: 0,
  });
});

test('bytes, errors and drops are the first, third and fourth column of each direction', () => {
  expect(parseNetdev(`${header}wg0:${columns}`)).toEqual([
    { device: 'wg0', rxBytes: 1, rxErrors: 3, rxDropped: 4, txBytes: 9, txErrors: 11, txDropped: 12 },
  ]);
});

test('a name may touch its first number, hold a colon, quotes and bytes that are not text', () => {
  expect(devices(`eth0:438${columns.slice(2)}eth0:1:${columns} a"\\\xff:${columns}`)).toEqual([
    'eth0',
    'eth0:1',
    'a"\\\ufffd',
  ]);
});

test('exactly lo and names that begin with veth are left out', () => {
  const names = ['lo', 'veth0', 'vethab12', 'lo1', 'aveth0', 'docker0', 'br-1', 'tun0'];

  expect(devices(names.map((name) => `${name}:${columns}`).join(''))).toEqual([
    'lo1',
    'aveth0',
    'docker0',
    'br-1',
    'tun0',
  ]);
});

test('lines that are short, cut or no numbers are skipped', () => {
  expect(devices(`eth0: 1 2 3\neth1:${columns}eth2: x${columns}:${columns}eth3:${columns.slice(0, -1)}`)).toEqual([
    'eth1',
  ]);
});

for (const text of ['', header, 'cpu  1 2 3\n']) {
  test(`${JSON.stringify(text)} is refused by name`, () => {
    expect(() => parseNetdev(text)).toThrow('could not understand /proc/net/dev: expected a line for each interface');
  });
}

test('interfaces beyond those of one report are counted as a problem', async () => {
  const text = header + Array.from({ length: 4099 }, (_, index) => `tun${index}:${columns}`).join('');

  const { counters, problems } = await createNetdevCollector().collect(hostWith({ readProc: () => text }));

  expect(counters?.net).toHaveLength(4096);
  expect(problems).toEqual(['3 more than 4096 network interfaces']);
});

test('interfaces whose names an expression finds are left out', () => {
  const text = `1\n2\n${['eth0', 'br-1', 'docker0'].map((name) => `${name}: 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n`).join('')}`;

  expect(parseNetdev(text, (name) => /^(br-|docker)/.test(name)).map(({ device }) => device)).toEqual(['eth0']);
});
