import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { freePort } from '../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../scripts/stack/managed-process.ts';

const TOKEN = 'bench-token';

/** Interval at which a starting server is tried. */
const POLL_MS = 1;

const ANSWER_DEADLINE_MS = 5_000;

const METRICS = '/metrics';

/** A server to compare, with the command that starts it on a port. */
export interface SubjectSpec {
  name: string;
  command(port: number, token: string): [string, ...string[]];
}

/** A running server with one connection to it. */
export class Subject {
  readonly #process: ManagedProcess;
  readonly #port: number;
  readonly #connection = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly startMs: number;

  private constructor(process: ManagedProcess, port: number, startMs: number) {
    this.#process = process;
    this.#port = port;
    this.startMs = startMs;
  }

  /**
   * Starts the server and resolves at its first answer with status 200; `startMs` is the time until then.
   * @param path of the requests
   */
  static async start({ name, command }: SubjectSpec, path = METRICS): Promise<Subject> {
    const port = await freePort();
    const start = performance.now();
    const process = startProcess({ name, command: command(port, TOKEN) });
    let hasEnded = false;
    void process.ended.then(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      const isThere = await request(port, path, new Agent()).then(
        () => true,
        () => false,
      );
      if (isThere) return new Subject(process, port, performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`${name} ended before it answered\n${process.output()}`);
  }

  /** Scrapes once over the kept connection and returns the duration in milliseconds. */
  async scrape(): Promise<number> {
    const start = performance.now();
    await request(this.#port, METRICS, this.#connection);
    return performance.now() - start;
  }

  /** Time on a CPU of all threads so far; schedstat counts in nanoseconds where stat counts in ticks. */
  cpuMs(): number {
    const ns = this.#ofThreads('schedstat', (text) => Number(text.split(' ')[0]));
    return ns / 1e6;
  }

  /** Voluntary context switches of all threads so far; each one ends with a wake-up. */
  wakeUps(): number {
    return this.#ofThreads('status', (text) => Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(text)?.[1]));
  }

  /** Resident memory in MiB. */
  residentMiB(): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }

  /** Ends the kept connection; the next scrape makes a new one. */
  disconnect(): void {
    this.#connection.destroy();
  }

  async stop(): Promise<void> {
    this.disconnect();
    await this.#process.stop();
  }

  /** Sum over the threads of a file that each has below /proc. */
  #ofThreads(file: string, read: (text: string) => number): number {
    const tasks = `/proc/${this.#process.pid}/task`;
    return readdirSync(tasks).reduce((sum, task) => sum + read(readFileSync(`${tasks}/${task}/${file}`, 'utf8')), 0);
  }
}

function request(port: number, path: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const asked = get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      response.resume();
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
      );
    });
    asked.setTimeout(ANSWER_DEADLINE_MS, () => asked.destroy(new Error('no answer')));
    asked.once('error', reject);
  });
}
