import type { Freshness } from '../ports/invalidations.ts';
import type { Company } from './hold/company.ts';

/** Freshness of a process that may serve without the slot first, and with it later. */
export class OwnFreshness implements Freshness {
  #company: Company | undefined;
  #hasSlot = false;

  /** This process serves without the slot. */
  reads(company: Company): void {
    this.#company = company;
  }

  /** This process has the database. @param company undefined if no other one can have it */
  holds(company: Company | undefined): void {
    this.#company = company;
    this.#hasSlot = true;
  }

  alone(): number | undefined {
    if (!this.#hasSlot) return undefined;
    return this.#company === undefined ? 0 : this.#company.alone();
  }

  /** Whether other processes are at work on the database, as last seen. A notice is worth its statement then. */
  hasPeers(): boolean {
    if (this.#company === undefined) return false;
    return this.#company.living.length > 0 || (!this.#hasSlot && this.#company.isEntered);
  }

  sinceBoot(): number {
    return this.#company?.now() ?? 0;
  }
}
