import type { AgentConfig } from '../../schemas/agent.ts';
import type { CollectorOptions } from './collectors/index.ts';

/** What a configuration says about the collectors. */
export function collectorOptions({ agent, hosts }: AgentConfig): CollectorOptions {
  const { networkFilesystems, unameInfo, wireguard, wgPeers, postfix, knot, knotSocket } = agent;
  return {
    networkFilesystems,
    unameInfo,
    wireguard,
    wgPeers,
    networkWgPeers: hosts.wgPeers,
    postfix,
    knot,
    knotSocket,
  };
}
