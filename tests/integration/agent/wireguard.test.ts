import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { createWireguardCollector } from '../../../src/agent/collectors/wireguard.ts';
import { openHost } from '../../../src/agent/host/host.ts';
import { needs } from '../../harness/needs.ts';
import { type RunningWireguard, startWireguard } from '../../harness/start-wireguard.ts';

/** A tunnel wants root, a device for it, and a network of its own. */
const tunnelTest = needs(
  ...(['root', 'the tunnel device', 'wireguard-go'] as const),
  ...(['network namespaces', 'mount namespaces', 'process namespaces'] as const),
);

/** Returns the agent's report of the tunnel. */
async function report({ programs, sysfs, ends: [first] }: RunningWireguard) {
  const host = openHost({ roots: { procfs: '/proc', sysfs, rootfs: '' }, threads: 4, path: programs });
  try {
    const { sections, families, problems } = await createWireguardCollector(new Map([[first.public, 'ada']])).collect(
      host,
    );
    const samples = families.flatMap(({ name, samples }) =>
      samples.map(({ labels, value }): [string, number] => [`${name} ${labels['peer']}`, value]),
    );
    return { peers: sections.wireguard ?? [], metrics: Object.fromEntries(samples), problems };
  } finally {
    host.close();
  }
}

tunnelTest('the peers of a real tunnel tell their handshake and traffic, by name or number', async () => {
  await using tunnel = await startWireguard();
  const [first, second] = tunnel.ends;

  const { peers, metrics, problems } = await waitFor('both ends have shaken hands', async () => {
    const found = await report(tunnel);
    return (
      found.peers.filter(({ latestHandshake, rxBytes }) => latestHandshake > 0 && rxBytes > 0).length === 2 && found
    );
  });

  expect(problems).toEqual([]);
  expect(peers.map(({ publicKey }) => publicKey)).toEqual(
    [first.public, second.public, tunnel.silent.public].toSorted(),
  );
  const nowSec = Date.now() / 1000;
  for (const { publicKey, latestHandshake, rxBytes, txBytes } of peers) {
    const isSilent = publicKey === tunnel.silent.public;
    expect(Math.abs(nowSec - latestHandshake) < 60).toBe(!isSilent);
    expect([rxBytes > 0, txBytes > 0]).toEqual([!isSilent, !isSilent]);
  }
  expect(metrics['monitor_wireguard_latest_handshake_seconds ada']).toBe(
    peers.find(({ publicKey }) => publicKey === first.public)?.latestHandshake,
  );
  expect(
    Object.keys(metrics)
      .filter((key) => key.startsWith('monitor_wireguard_sent'))
      .sort(),
  ).toEqual([
    'monitor_wireguard_sent_bytes_total ada',
    'monitor_wireguard_sent_bytes_total unnamed1',
    'monitor_wireguard_sent_bytes_total unnamed2',
  ]);

  const everything = JSON.stringify([peers, metrics, problems]);
  for (const secret of [first.private, second.private, tunnel.silent.private, tunnel.presharedKey]) {
    expect(everything).not.toContain(secret);
  }
});
