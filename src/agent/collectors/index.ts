import type { CollectionConfig } from '../../../schemas/agent.ts';
import { writeOutCounts } from '../../../schemas/linear-expression.ts';
import type { Collector } from './collector.ts';
import { createCpuCollector } from './cpu.ts';
import { createDisksCollector, type ExcludableMount } from './disks.ts';
import { createDiskstatsCollector } from './diskstats.ts';
import { kernel } from './kernel.ts';
import { createKnotCollector } from './knot.ts';
import { load } from './load.ts';
import { memory } from './memory.ts';
import { createNetdevCollector } from './netdev.ts';
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
 * Names of mounts are made by others, by the label of a stick for example: an expression such as `^(/?[a-z]+)*$` would keep
 * this thread for years over one of 40 letters. After some thousand steps back V8 takes its engine whose time grows with
 * the text alone, as that of node_exporter. What that engine does not know, the schema refuses or `writeOutCounts` writes in another way.
 */
function boundTimeOfExpressions(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
}

/** Whether a name is one of those to leave out; none is where there is no expression. */
function matcher(expression: string | undefined): (name: string) => boolean {
  if (expression === undefined) return () => false;
  boundTimeOfExpressions();
  const pattern = new RegExp(writeOutCounts(expression));
  return (name) => pattern.test(name);
}

function isExcluded(exclude: CollectionConfig['agent']['exclude']): (mount: ExcludableMount) => boolean {
  const [isPoint, isType] = [matcher(exclude.mountPoints), matcher(exclude.filesystemTypes)];
  return ({ point, fsType }) => isPoint(point) || isType(fsType);
}

/**
 * Gives, for a configuration, every collector it asks for, in the order of the report's fields.
 * Those that remember something are made once, so that a reload changes no counter and no label of a peer.
 */
export function openCollectors(): (config: CollectionConfig) => readonly Collector[] {
  const [cpu, pressure] = [createCpuCollector(), createPressureCollector()];
  const peerNumbers = new PeerNumbers();
  return ({ agent, hosts }) => {
    const { exclude, networkFilesystems: withRemote } = agent;
    const all: readonly (Collector | false)[] = [
      uptime,
      load,
      cpu,
      memory,
      createDisksCollector({ withRemote, exclude: isExcluded(exclude) }),
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
      createDiskstatsCollector(matcher(exclude.devices)),
      createNetdevCollector(matcher(exclude.interfaces)),
      units,
      agent.unameInfo && uname,
    ];
    return all.filter((collector) => collector !== false);
  };
}
