import { Places } from './places.ts';

/** Deliveries to one host at once: a host that hangs, or that many agents share, gets no more of them side by side. */
const DELIVERIES_AT_ONCE = 16;

/** Lets only some deliveries go to each host at once. Whoever begins them bounds how many wait. */
export class HostPlaces {
  readonly #hosts = new Map<string, Places>();

  async use<T>(host: string, work: () => Promise<T>): Promise<T> {
    const places = this.#hosts.get(host) ?? new Places(DELIVERIES_AT_ONCE);
    this.#hosts.set(host, places);
    try {
      return await places.use(work);
    } finally {
      if (places.isIdle) this.#hosts.delete(host);
    }
  }
}
