import type { Registry } from 'prom-client';
import { closeServer, type ListenOptions, listen } from '../../kernel/http/listen.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Logger } from '../../kernel/log.ts';
import { createBoundedServer } from '../http/bounded-server.ts';
import { createMetricsApp } from './metrics-app.ts';

/** Longest time that requests for metrics take at the end of the program. */
const END_DEADLINE_MS = 1_000;

/** The listener of `metricsListen`, if it is configured: first for the metrics of a standby, later for all metrics. */
export class MetricsListener {
  readonly #where: ListenOptions | undefined;
  readonly #log: Logger;
  readonly #lifecycle: Lifecycle;
  #handler: ReturnType<typeof createMetricsApp> | undefined;
  #opened: Promise<void> | undefined;

  constructor(where: ListenOptions | undefined, log: Logger, lifecycle: Lifecycle) {
    this.#where = where;
    this.#log = log;
    this.#lifecycle = lifecycle;
  }

  /** Serves these metrics from now on. @throws StartError when it can't listen */
  show(registry: Registry): Promise<void> {
    this.#handler = createMetricsApp(registry, this.#log);
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async #open(): Promise<void> {
    if (this.#where === undefined) return;
    const server = createBoundedServer((req, res) => this.#handler?.(req, res));
    await listen(server, this.#where, { option: 'metricsListen', log: this.#log });
    this.#lifecycle.add('metricsListen', () => closeServer(server, END_DEADLINE_MS));
  }
}
