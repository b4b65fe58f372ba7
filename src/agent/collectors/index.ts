import type { CollectionConfig } from '../../../schemas/agent.ts';
import type { Collector } from './collector.ts';
import { createCpuCollector } from './cpu.ts';
import { createDisksCollector } from './disks.ts';
import { createDiskstatsCollector } from './diskstats.ts';
import { kernel } from './kernel.ts';
import { createKnotCollector } from './knot.ts';
import { load } from './load.ts';
import { memory } from './memory.ts';
import { netdev } from './netdev.ts';
import { os } from './os.ts';
import { packages } from './packages.ts';
import { postfix } from './postfix.ts';
import { createPressureCollector } from './pressure.ts';
import { PeerNumbers, peerNames } from './programs/peer-labels.ts';
import { system } from './system.ts';
import { systemd } from './systemd.ts';
import { uname } from './uname.ts';
import { units } from './units.ts';
import { uptime } from './uptime.ts';
import { vmstat } from './vmstat.ts';
import { createWireguardCollector } from './wireguard.ts';

/**
 * Gives, for a configuration, every collector it asks for, in the order of the report's fields.
 * Those that remember something are made once, so that a reload changes no counter and no label of a peer.
 */
export function openCollectors(): (config: CollectionConfig) => readonly Collector[] {
  const [cpu, pressure, diskstats] = [createCpuCollector(), createPressureCollector(), createDiskstatsCollector()];
  const peerNumbers = new PeerNumbers();
  return ({ agent, hosts }) => {
    const all: readonly (Collector | false)[] = [
      uptime,
      load,
      cpu,
      memory,
      createDisksCollector(agent.networkFilesystems),
      systemd,
      os,
      system,
      kernel,
      packages,
      agent.wireguard && createWireguardCollector(peerNames(agent.wgPeers, hosts.wgPeers), peerNumbers),
      agent.postfix && postfix,
      agent.knot && createKnotCollector(agent.knotSocket),
      pressure,
      vmstat,
      diskstats,
      netdev,
      units,
      agent.unameInfo && uname,
    ];
    return all.filter((collector) => collector !== false);
  };
}
