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
 * Other people choose names of mounts, by the label of a stick for example: an expression such as `^(/?[a-z]+)*$` would
 * keep this thread busy for years on a name of 40 letters. After some thousand backtracks V8 switches to its engine in
 * linear time, like that of node_exporter. Syntax that this engine lacks is refused by the schema or rewritten by
 * `writeOutCounts`.
 */
function boundTimeOfExpressions(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
}

/** Returns a test for names to leave out; without an expression it accepts no name. */
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
 * Returns a function: configuration -> the collectors that it asks for, in the order of the report's fields.
 * Collectors with state are made once, so that a reload changes no counter and no label of a peer.
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
