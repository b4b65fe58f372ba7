import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../scripts/stack/managed-process.ts';
import type { Postgres } from '../../scripts/stack/postgres.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { healthOf } from '../../tests/harness/beside.ts';
import { type PostgresProxy, startPostgresProxy } from '../../tests/harness/postgres-proxy.ts';
import { type ConnectorStack, connectorCommand, writeConfig } from '../../tests/harness/start-connector.ts';

/** Long enough for a process that waits until another one counts as dead. */
const SERVES_DEADLINE_MS = 90_000;
/** Its newest words in a message. */
const SAID_CHARACTERS = 1_000;

interface Ports {
  port: number;
  inspectPort: number;
}

interface Files {
  configFile: string;
  logFile: string;
}

/** One of the connector's processes, which is started again at the same place. */
export class Member implements AsyncDisposable {
  readonly port: number;
  /** Its own way to the database. */
  readonly database: PostgresProxy;
  /** Where its memory can be looked at. */
  readonly inspectPort: number;
  readonly #configFile: string;
  readonly #logFile: string;
  #process: ManagedProcess | undefined;
  #hasEnded = true;

  private constructor({ port, inspectPort }: Ports, database: PostgresProxy, files: Files) {
    this.port = port;
    this.inspectPort = inspectPort;
    this.database = database;
    this.#configFile = files.configFile;
    this.#logFile = files.logFile;
  }

  static async prepare(stack: ConnectorStack, server: Postgres, number: number, logs: string): Promise<Member> {
    const [port, metricsPort, inspectPort] = [await freePort(), await freePort(), await freePort()];
    const folder = join(stack.folder, `m${number}`);
    const stateDirectory = join(folder, 'state');
    await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
    await copyFile(join(stack.folder, 'state', 'keys.json'), join(stateDirectory, 'keys.json'));
    const database = await startPostgresProxy(folder, { host: server.socketDirectory, port: server.port });
    const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as {
      listen: Record<string, unknown>;
      database: { postgres: Record<string, unknown> };
    };
    const configFile = await writeConfig(folder, {
      ...{ ...config, stateDirectory, metricsListen: { port: metricsPort } },
      listen: { ...config.listen, port },
      database: { postgres: { ...config.database.postgres, host: folder } },
    });
    const logFile = join(logs, `connector-${number}.log`);
    return new Member({ port, inspectPort }, database, { configFile, logFile });
  }

  get pid(): number | undefined {
    return this.#hasEnded ? undefined : this.#process?.pid;
  }

  begin(): void {
    const begun = startProcess({
      name: `connector at ${this.port}`,
      command: connectorCommand(this.#configFile),
      env: { NODE_OPTIONS: `--inspect=127.0.0.1:${this.inspectPort}` },
      logFile: this.#logFile,
    });
    this.#process = begun;
    this.#hasEnded = false;
    void begun.ended.then(() => {
      if (this.#process === begun) this.#hasEnded = true;
    });
  }

  /** Resolves when it serves. One that ends is started again, as by a service manager: the database may be away. */
  async serves(): Promise<void> {
    const isServing = async (): Promise<boolean> => {
      if ((await healthOf(this))?.status === 200) return true;
      const said = this.#process?.output().slice(-SAID_CHARACTERS);
      if (this.#hasEnded) this.begin();
      throw new Error(`it said: ${said}`);
    };
    await waitFor(`the connector at ${this.port} serves`, isServing, { timeoutMs: SERVES_DEADLINE_MS });
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#process?.ended;
  }

  /** Ends it as a service manager does. */
  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.database[Symbol.asyncDispose]();
  }
}
