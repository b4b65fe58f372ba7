import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { collectionConfig } from '../../schemas/agent.ts';
import type { HostReport } from '../../schemas/report.ts';
import { type Exposition, parseExposition } from '../../scripts/stack/exposition.ts';
import { Collection } from '../../src/agent/collection/collection.ts';
import { openCollectors } from '../../src/agent/collectors/index.ts';
import { openHost } from '../../src/agent/host/host.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLog } from '../../src/kernel/log.ts';
import { writeProgram } from './fake-program.ts';
import { type RunningAgent, runAgent } from './start-agent.ts';
import { tempFolder } from './temp-folder.ts';

/** Result of one collection, as a report and as metrics. */
export interface Collected {
  report: HostReport;
  text: string;
  metrics: Exposition;
}

/** The recorded machine in a folder of its own, to be damaged; no mount of it is a real file system. */
export interface AgentTree extends AsyncDisposable {
  /** Its root directory; `proc` and `sys` are below. */
  root: string;
  /** Folder in which its programs are found first. */
  programs: string;
  write(path: string, content: string): void;
  remove(path: string): void;
  program(name: string, script: string): void;
  /** Makes it a machine started by systemd, which is asked at this bus. */
  startedBySystemd(busPath: string): void;
  /** Collects with the collectors the agent would have; each call is the next collection of one agent. */
  collect(): Promise<Collected>;
}

/** @param agent members of the configuration's section `agent` that say what is collected */
export async function copyAgentTree(agent: object = {}): Promise<AgentTree> {
  const folder = await tempFolder();
  const [root, programs] = [join(folder.path, 'root'), join(folder.path, 'bin')];
  cpSync('tests/golden/agent/root', root, { recursive: true, verbatimSymlinks: true });
  mkdirSync(programs);
  const host = openHost({
    roots: { procfs: `${root}/proc`, sysfs: `${root}/sys`, rootfs: root },
    threads: 4,
    path: programs,
  });
  const collectors = openCollectors()(collectionConfig.parse({ agent }));
  // Failures of collectors are in the report, so the log drops its warnings.
  const log = { ...createLog('test', 'error'), warn: () => undefined };
  const collection = new Collection({ host, collectors, clock: systemClock, log });
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content, 'latin1');
  };
  write('proc/1/mountinfo', '');
  return {
    root,
    programs,
    write,
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    program: (name, script) => void writeProgram(programs, name, script),
    startedBySystemd: (busPath) => {
      mkdirSync(join(root, 'run/systemd/system'), { recursive: true });
      mkdirSync(join(root, 'run/dbus'));
      symlinkSync(busPath, join(root, 'run/dbus/system_bus_socket'));
    },
    collect: async () => {
      const snapshot = await collection.run();
      const text = String(snapshot.metrics(systemClock.now(), 'identity'));
      return { report: snapshot.report, text, metrics: parseExposition(text) };
    },
    [Symbol.asyncDispose]: async () => {
      host.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Starts the agent as a process on this machine. @param agent more of its configuration */
export function startAgentOn({ root, programs }: AgentTree, agent: object = {}): Promise<RunningAgent> {
  return runAgent({
    options: [`--procfs=${root}/proc`, `--sysfs=${root}/sys`, `--rootfs=${root}`],
    agent,
    env: { PATH: `${programs}:${process.env['PATH']}` },
  });
}
