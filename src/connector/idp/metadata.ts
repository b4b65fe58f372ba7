import type { Configuration } from 'openid-client';
import { OIDC_METADATA_DOUBT_MS, OIDC_METADATA_MAX_MS } from '../domain/limits.ts';

export interface MetadataParts {
  /** Requests the metadata from the provider. */
  discover(): Promise<Configuration>;
  /** A clock that never steps back, in milliseconds. */
  monotonic(): number;
}

interface Known {
  configuration: Configuration;
  askedAt: number;
}

/**
 * Caches the endpoints and abilities of an OpenID Connect provider: requested when first needed, again after a day, and
 * sooner after a failure that suggests that they have changed. While the provider does not answer, its last answer
 * counts.
 */
export class Metadata {
  readonly #parts: MetadataParts;
  #known: Known | undefined;
  #asking: Promise<Configuration> | undefined;
  #isDoubtful = false;

  constructor(parts: MetadataParts) {
    this.#parts = parts;
  }

  /** @throws Error of a provider that has never answered */
  async current(): Promise<Configuration> {
    const known = this.#known;
    if (known !== undefined && !this.#isDue(known)) return known.configuration;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Marks the metadata as stale: a request failed that would not have failed with the right endpoints. */
  doubt(): void {
    this.#isDoubtful = true;
  }

  #isDue({ askedAt }: Known): boolean {
    const age = this.#parts.monotonic() - askedAt;
    return age >= OIDC_METADATA_MAX_MS || (this.#isDoubtful && age >= OIDC_METADATA_DOUBT_MS);
  }

  async #ask(): Promise<Configuration> {
    const askedAt = this.#parts.monotonic();
    try {
      const configuration = await this.#parts.discover();
      this.#known = { configuration, askedAt };
      this.#isDoubtful = false;
      return configuration;
    } catch (error) {
      if (this.#known === undefined) throw error;
      // The metadata are old and the provider does not answer: they are requested again as after a failure.
      this.#known = { ...this.#known, askedAt };
      this.#isDoubtful = true;
      return this.#known.configuration;
    }
  }
}
