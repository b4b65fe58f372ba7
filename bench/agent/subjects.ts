import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../../scripts/build/bundle-options.ts';
import type { SubjectSpec } from './subject.ts';

/**
 * Collectors of node_exporter and of the agent that measure the same; the agent's other collectors have no counterpart.
 */
const THEIRS = ['cpu', 'loadavg', 'meminfo', 'pressure', 'vmstat', 'filesystem', 'diskstats', 'netdev', 'stat', 'time'];
const OURS = ['uptime', 'load', 'cpu', 'memory', 'disks', 'pressure', 'vmstat', 'diskstats', 'netdev'];

/** Options of Node in bin/homeport-agent. */
const FLAGS = [
  '--single-threaded-gc',
  '--no-concurrent-recompilation',
  '--no-concurrent-sparkplug',
  '--v8-pool-size=1',
  '--no-memory-reducer',
  '--max-semi-space-size=1',
];

export interface Subjects {
  nodeExporter: SubjectSpec;
  /** A server of eight lines. */
  bare: SubjectSpec;
  /** The shipped agent with its default collectors. */
  shipped: SubjectSpec;
  /** The agent's parts with node_exporter's collectors alone; each scrape collects. */
  same: SubjectSpec;
  /** The agent's parts with all collectors; each scrape collects. */
  everything: SubjectSpec;
}

/** @param directory gets the bundles, configurations and tokens */
export async function createSubjects(directory: string): Promise<Subjects> {
  const [collecting, bare] = await Promise.all([
    bundle(directory, 'bench/agent/always-collecting.ts'),
    bundle(directory, 'bench/agent/bare-server.ts'),
  ]);
  return {
    nodeExporter: {
      name: 'node_exporter',
      command: (port) => [
        'prometheus-node-exporter',
        `--web.listen-address=127.0.0.1:${port}`,
        '--web.disable-exporter-metrics',
        '--collector.disable-defaults',
        ...THEIRS.map((name) => `--collector.${name}`),
      ],
    },
    bare: { name: 'bare Node server', command: (port) => [process.execPath, bare, String(port)] },
    shipped: { name: 'agent', command: (port, token) => shippedCommand(directory, port, token) },
    same: {
      name: "agent, node_exporter's collectors",
      command: (port, token) => [process.execPath, ...FLAGS, collecting, String(port), token, ...OURS],
    },
    everything: {
      name: 'agent, always collecting',
      command: (port, token) => [process.execPath, ...FLAGS, collecting, String(port), token],
    },
  };
}

async function bundle(directory: string, entry: string): Promise<string> {
  const outfile = join(directory, `${basename(entry, '.ts')}.cjs`);
  await build({ ...bundleOptions, entryPoints: [entry], outfile, format: 'cjs' });
  return outfile;
}

function shippedCommand(directory: string, port: number, token: string): [string, ...string[]] {
  const [tokenFile, configFile] = [join(directory, 'token'), join(directory, `agent-${port}.json`)];
  writeFileSync(tokenFile, token, { mode: 0o600 });
  writeFileSync(configFile, JSON.stringify({ agent: { tokenFile, listen: { port } } }));
  return ['bin/homeport-agent', 'run', '--config', configFile];
}
