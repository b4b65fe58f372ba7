import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ManagedProcess, startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { createMark, type Mark } from './marked-processes.ts';

const READY_DEADLINE_MS = 40_000;

export interface Demo extends AsyncDisposable {
  process: ManagedProcess;
  mark: Mark;
  readyFile: string;
  ready(): Promise<DemoFacts>;
  facts(): DemoFacts;
}

/** Contents of the ready file. */
export interface DemoFacts {
  connector: { baseUrl: string; adminToken: string; pid: number };
  agent: { baseUrl: string; token: string; pid: number };
  irc: { host: string; port: number };
  soju: { adminSocket: string; pid: number };
  ergo: { pid: number };
}

/** `npm start` without npm: the demo appliance with a ready file. */
export function startDemo(options: { args?: string[]; env?: Record<string, string | undefined> } = {}): Demo {
  const mark = createMark();
  const folder = mkdtempSync(join(tmpdir(), 'hp-'));
  const readyFile = join(folder, 'ready.json');
  const running = startProcess({
    name: 'demo',
    command: [process.execPath, 'scripts/demo/main.ts', '--ready-file', readyFile, ...(options.args ?? [])],
    // A demo that is killed leaves its files behind.
    env: { DISPLAY: undefined, TMPDIR: folder, ...options.env, ...mark.env },
  });
  const facts = (): DemoFacts => JSON.parse(readFileSync(readyFile, 'utf8')) as DemoFacts;
  return {
    process: running,
    mark,
    readyFile,
    facts,
    ready: () => waitFor('the demo is ready', facts, { timeoutMs: READY_DEADLINE_MS, process: running }),
    [Symbol.asyncDispose]: async () => {
      await running.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
