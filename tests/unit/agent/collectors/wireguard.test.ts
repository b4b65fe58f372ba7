import { expect, test } from 'vitest';
import type { Contribution } from '../../../../src/agent/collectors/collector.ts';
import { createWireguardCollector } from '../../../../src/agent/collectors/wireguard.ts';
import { MissingProgramError } from '../../../../src/agent/errors.ts';
import type { Host } from '../../../../src/agent/host/host.ts';
import type { CommandResult } from '../../../../src/agent/host/run-command.ts';
import { filesWith, hostWith } from '../../../harness/host-double.ts';

const key = (letter: string): string => `${letter.repeat(43)}=`;
const ok = (output: string): CommandResult => ({ status: 0, output, complaint: '' });

/** Lines of one of the two answers. */
const lines = (...rows: [name: string, key: string, ...numbers: number[]][]): string =>
  rows.map((row) => `${row.join('\t')}\n`).join('');

/** Returns the kernel's file about an interface. */
const ofKind = (name: string, kind: string): Record<string, string> => ({
  [`/class/net/${name}/uevent`]: `${kind === '' ? '' : `DEVTYPE=${kind}\n`}INTERFACE=${name}\nIFINDEX=2\n`,
});

const withTunnel = filesWith({
  '/module/wireguard/version': '1.0.0\n',
  ...ofKind('lo', ''),
  ...ofKind('wg0', 'wireguard'),
});

const collect = async (host: Host, names: Record<string, string> = {}): Promise<Contribution> =>
  createWireguardCollector(new Map(Object.entries(names))).collect(host);

const series = ({ families }: Contribution): string[] =>
  families.flatMap(({ name, samples }) => samples.map(({ labels, value }) => `${name}{${labels['peer']}} ${value}`));

test('only the two questions that show no private key are asked', async () => {
  const host = hostOf(ok(''), ok(''));

  await collect(host);

  expect(host.asked).toEqual(['wg show all latest-handshakes', 'wg show all transfer']);
});

test('two peers under one name become one series, and stay two in the report', async () => {
  const host = hostOf(
    ok(lines(['wg0', key('A'), 100], ['wg0', key('B'), 200])),
    ok(lines(['wg0', key('A'), 1, 2], ['wg0', key('B'), 10, 20])),
  );

  const contribution = await collect(host, { [key('A')]: 'ada', [key('B')]: 'ada' });

  expect(contribution.sections.wireguard).toHaveLength(2);
  expect(series(contribution)).toEqual([
    'monitor_wireguard_latest_handshake_seconds{ada} 200',
    'monitor_wireguard_received_bytes_total{ada} 11',
    'monitor_wireguard_sent_bytes_total{ada} 22',
  ]);
});

test('peers keep their labels when the program lists them in another order', async () => {
  const rows: [string, string, number][] = [
    ['wg0', key('A'), 1],
    ['wg0', key('B'), 2],
    ['wg1', key('C'), 3],
  ];
  const collector = createWireguardCollector(new Map());
  const answer = async (order: typeof rows): Promise<string[]> => {
    const transfers = ok(lines(...order.map(([name, peer]): [string, string, number, number] => [name, peer, 0, 0])));
    return series(await collector.collect(hostOf(ok(lines(...order)), transfers)));
  };

  const first = await answer(rows);

  expect(first).toContain('monitor_wireguard_latest_handshake_seconds{unnamed2} 2');
  expect(await answer(rows.toReversed())).toEqual(first);
});

test('a machine without the program, and one without tunnels, has no peers and no error', async () => {
  const without = hostWith({
    sys: withTunnel,
    root: filesWith({}),
    runCommand: async () => {
      throw new MissingProgramError('wg');
    },
  });
  const nothing = { sections: { wireguard: [] }, families: [] };

  expect(await collect(without)).toEqual(nothing);
  expect((await collect(hostOf(ok(''), ok('')))).sections).toEqual({ wireguard: [] });
});

test('a tunnel is found beside more ends of containers than are looked at', async () => {
  const ends = Array.from({ length: 5_000 }, (_, id) => ofKind(`veth${id}`, 'veth'));
  const sys = filesWith({
    '/module/wireguard/version': '',
    ...Object.assign({}, ...ends),
    ...ofKind('wg0', 'wireguard'),
  });
  const host = { ...hostOf(ok(lines(['wg0', key('A'), 100])), ok(lines(['wg0', key('A'), 1, 2]))), sys };

  expect((await collect(host)).sections.wireguard).toHaveLength(1);
});

for (const [what, sys] of [
  ['the kernel has no such module', { '/module/loop/refcnt': '0\n' }],
  [
    'the module is there and no interface is a tunnel, as in a container',
    { '/module/wireguard/version': '', ...ofKind('eth0', ''), ...ofKind('wlan0', 'wlan') },
  ],
  ['modules are not listed and no interface is a tunnel', ofKind('wg0', '')],
] as const) {
  test(`the program is not run where ${what}`, async () => {
    const host = hostWith({ sys: filesWith(sys), root: filesWith({ '/run/wireguard/lock': '' }) });

    expect(await collect(host)).toEqual({ sections: { wireguard: [] }, families: [] });
  });
}

test('the program is run where another program has a tunnel, and where interfaces are not listed', async () => {
  for (const [sys, root] of [
    [{ '/module/loop/refcnt': '' }, { '/run/wireguard/wg0.sock': '' }],
    [{ '/module/wireguard/version': '' }, {}],
  ] as const) {
    const host = { ...hostOf(ok(''), ok('')), sys: filesWith(sys), root: filesWith(root) };
    await collect(host);
    expect(host.asked).toHaveLength(2);
  }
});

test('an interface that becomes a tunnel under its old name is found within minutes', async () => {
  let kind = 'vlan';
  let nowMs = 1_000_000;
  const files = () => filesWith({ '/module/wireguard/version': '', ...ofKind('net0', kind) });
  const sys = {
    ...filesWith({}),
    has: (path: string) => files().has(path),
    read: (path: string) => files().read(path),
    names: (path: string) => files().names(path),
  };
  const host = { ...hostOf(ok(''), ok('')), sys, now: () => nowMs };
  const collector = createWireguardCollector(new Map());
  await collector.collect(host);
  kind = 'wireguard';
  nowMs += 300_000;

  await collector.collect(host);

  expect(host.asked).toHaveLength(2);
});

for (const complaint of [
  'Unable to access interface wg0: Operation not permitted',
  'Unable to access interface wg0: Permission denied',
  'Unable to list interfaces: Address family not supported by protocol',
]) {
  test(`"${complaint}" comes with its remedy`, async () => {
    const refused = { status: 1, output: '', complaint };

    await expect(collect(hostOf(refused, refused))).rejects.toThrow(
      `wg failed: ${complaint}: the agent needs CAP_NET_ADMIN and sockets of AF_NETLINK (install-units --tunnel-access), or agent.wireguard set to false`,
    );
  });
}

test('an interface that cannot be read is named beside the peers of the others', async () => {
  const complaint = 'Unable to access interface wg1: Operation not permitted';
  const host = hostOf(
    { status: 0, output: lines(['wg0', key('A'), 5]), complaint },
    { status: 0, output: lines(['wg0', key('A'), 1, 2]), complaint },
  );

  const contribution = await collect(host);

  expect(contribution.sections.wireguard).toHaveLength(1);
  expect(contribution.problems).toEqual([
    expect.stringMatching(/^wg: Unable to access interface wg1: .*CAP_NET_ADMIN/),
  ]);
});

/** A machine with the kernel's module, on which `wg` answers so. */
function hostOf(handshakes: CommandResult, transfers: CommandResult): Host & { asked: string[] } {
  const asked: string[] = [];
  const host = hostWith({
    asked,
    sys: withTunnel,
    root: filesWith({}),
    runCommand: async ({ program, args }) => {
      asked.push([program, ...args].join(' '));
      return args[2] === 'transfer' ? transfers : handshakes;
    },
  });
  return host;
}
