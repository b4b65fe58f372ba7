import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/log.ts';
import type { Processes } from './domain/share.ts';
import { measuredCallbacks } from './metrics/measured-callbacks.ts';
import { createOutbound } from './outbound/outbound.ts';
import type { OutboundProxy } from './outbound/proxy.ts';
import type { Callbacks } from './ports/callbacks.ts';
import type { Claim } from './ports/claims.ts';
import type { DeliveryStore } from './ports/delivery-store.ts';
import type { Invalidations } from './ports/invalidations.ts';
import type { Measurements } from './ports/measurements.ts';
import { startDeliveries } from './upkeep/delivering.ts';
import type { Repeated } from './upkeep/repeat.ts';
import { readAuthorities } from './webhooks/authorities.ts';
import { createCallbacks } from './webhooks/signed-callbacks.ts';

export interface OwnDeliveriesOptions {
  config: Pick<ConnectorConfig, 'events'>;
  proxy: OutboundProxy | undefined;
  /** Processes that verify callbacks. */
  processes: Processes;
  invalidations: Invalidations;
  clock: Clock;
  log: Logger;
  lifecycle: Lifecycle;
}

/** What this process serves with now: without the slot first, with it later. */
export interface Serving {
  /** The right to act; without it no request leaves. */
  claim: Pick<Claim, 'isTrusted' | 'onDoubt'>;
  deliveries: DeliveryStore;
  measurements: Measurements;
}

interface Current extends Pick<Serving, 'claim' | 'deliveries'> {
  callbacks: Callbacks;
}

/**
 * This process's webhook client and its worker. They outlast the taking of the slot: what is under way then keeps its
 * leases, and counts for the limits of its hosts.
 */
export class OwnDeliveries {
  readonly #options: OwnDeliveriesOptions;
  readonly #callbacks: Callbacks;
  readonly #abandonUnwritten: () => void;
  #current: Current | undefined;
  #worker: Repeated | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: OwnDeliveriesOptions) {
    this.#options = options;
    const { config, proxy, processes, clock, lifecycle } = options;
    const { allowCallbackHosts, callbackCaFile } = config.events;
    const outbound = createOutbound({
      allowHosts: allowCallbackHosts,
      authorities: callbackCaFile === undefined ? undefined : readAuthorities(callbackCaFile),
      proxy,
      mayAct: () => this.#current?.claim.isTrusted() === true,
    });
    this.#abandonUnwritten = () => outbound.abandonUnwritten();
    lifecycle.add('callbacks', () => outbound.close());
    this.#callbacks = createCallbacks({ outbound, clock, processes });
  }

  /** The webhook client for what this process serves with. */
  get callbacks(): Callbacks {
    return forwarded(() => this.#required().callbacks);
  }

  /** Uses these parts from now on, also for what is under way. */
  use({ claim, deliveries, measurements }: Serving): void {
    const { clock } = this.#options;
    // A process that was frozen while a connection was made may be trusted again before it stands: then another process
    // may have the delivery.
    claim.onDoubt(() => this.#abandonUnwritten());
    const callbacks = measuredCallbacks(this.#callbacks, measurements, () => clock.monotonic());
    this.#current = { claim, deliveries, callbacks };
  }

  /** Uses the parts of the process that has the database. Leases of an earlier run end, unless this process delivers. */
  async holds(serving: Serving): Promise<void> {
    if (this.#worker === undefined) await serving.deliveries.releaseAllBut([]);
    this.use(serving);
  }

  /** Delivers from now on; the result ends that. */
  start(): Repeated {
    const deliveries = forwarded(() => this.#required().deliveries);
    this.#worker ??= startDeliveries({ ...this.#options, deliveries, callbacks: this.callbacks });
    return { close: () => this.close() };
  }

  /** Begins no more deliveries; resolves when those under way have ended, or after a deadline. */
  close(): Promise<void> {
    this.#closed ??= this.#worker?.close() ?? Promise.resolve();
    return this.#closed;
  }

  #required(): Current {
    if (this.#current === undefined) throw new Error('this process serves with no database yet');
    return this.#current;
  }
}

/** Returns an object of which each method is that of the present one. */
const forwarded = <T extends object>(current: () => T): T =>
  new Proxy({} as T, { get: (_, name) => Reflect.get(current(), name) });
