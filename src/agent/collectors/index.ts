import type { Collector } from './collector.ts';
import { createCpuCollector } from './cpu.ts';
import { createDisksCollector } from './disks.ts';
import { createDiskstatsCollector } from './diskstats.ts';
import { failedUnits } from './failed-units.ts';
import { kernel } from './kernel.ts';
import { createKnotCollector } from './knot.ts';
import { load } from './load.ts';
import { memory } from './memory.ts';
import { netdev } from './netdev.ts';
import { os } from './os.ts';
import { packages } from './packages.ts';
import { postfix } from './postfix.ts';
import { createPressureCollector } from './pressure.ts';
import { type PeerNumbers, peerNames } from './programs/peer-labels.ts';
import { system } from './system.ts';
import { uname } from './uname.ts';
import { units } from './units.ts';
import { uptime } from './uptime.ts';
import { vmstat } from './vmstat.ts';
import { createWireguardCollector } from './wireguard.ts';

/** What a configuration decides about collectors. */
export interface CollectorOptions {
  networkFilesystems: boolean;
  unameInfo: boolean;
  wireguard: boolean;
  /** Host name -> public key. */
  wgPeers: Readonly<Record<string, string>>;
  /** The same for all hosts of the network. */
  networkWgPeers: Readonly<Record<string, string>>;
  postfix: boolean;
  knot: boolean;
  knotSocket: string;
}

/** Without a configuration, what needs none. */
export const UNCONFIGURED: CollectorOptions = {
  networkFilesystems: false,
  unameInfo: false,
  wireguard: true,
  wgPeers: {},
  networkWgPeers: {},
  postfix: false,
  knot: false,
  knotSocket: '',
};

/**
 * Every collector once, in the order of the report's fields; those with a memory are new each time.
 * @param peerNumbers what has to outlive them
 */
export function createCollectors(
  options: CollectorOptions = UNCONFIGURED,
  peerNumbers?: PeerNumbers,
): readonly Collector[] {
  const names = peerNames(options.wgPeers, options.networkWgPeers);
  return [
    uptime,
    load,
    createCpuCollector(),
    memory,
    createDisksCollector(options.networkFilesystems),
    failedUnits,
    os,
    system,
    kernel,
    packages,
    ...(options.wireguard ? [createWireguardCollector(names, peerNumbers)] : []),
    ...(options.postfix ? [postfix] : []),
    ...(options.knot ? [createKnotCollector(options.knotSocket)] : []),
    createPressureCollector(),
    vmstat,
    createDiskstatsCollector(),
    netdev,
    units,
    ...(options.unameInfo ? [uname] : []),
  ];
}
