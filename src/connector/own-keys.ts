import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { Keys } from './ports/keys.ts';
import type { Seal } from './ports/seal.ts';
import { createSeal, fingerprint, type KeyedSeal } from './store/aes-seal.ts';
import type { Agreement } from './store/hold/agreement.ts';
import type { OtherStated } from './store/hold/agreement-rows.ts';
import { keyOfCheck } from './store/installation.ts';

/** Time after which nothing that another process encrypted before it moved on can still be stored. */
const SETTLED_AFTER_MS = 30_000;

const MOVED = 'all processes have newer keys: they encrypt with them from now on';

export interface OwnKeysOptions {
  clock: Pick<Clock, 'monotonic'>;
  log: Logger;
  /** Called when this process lacks the key with which the others encrypt. @param hasKeys whether it has any */
  lacking(hasKeys: boolean): void;
}

/**
 * The keys of this process among those of others on the same database. All encrypt with one key, which the database
 * names: the newest one that all processes have. The process that has the database moves on to a newer one once the
 * last process has it; the others follow with their next heartbeat. So no process meets a text that it can't open,
 * in whichever order they get newer keys. Cookies are signed by the newest key that all have, in the same way.
 */
export class OwnKeys {
  readonly #options: OwnKeysOptions;
  #keys: { keys: Keys; seal: KeyedSeal; cookieIds: readonly string[] } | undefined;
  #agreement: Agreement | undefined;
  #cookieKeys: readonly string[] = [];
  #record: ((seal: Seal) => Promise<void>) | undefined;
  #isMoving = false;
  /** Names of the processes that were reported last. */
  #lacking = '';
  #settledSince = Number.POSITIVE_INFINITY;
  /** Whether another process was seen that encrypted with another key than the newest one. */
  #hasSeenEarlier = false;

  constructor(options: OwnKeysOptions) {
    this.#options = options;
  }

  /** Keys of cookies: the first one signs. */
  get cookieKeys(): readonly string[] {
    return this.#cookieKeys;
  }

  /** Returns the seal of this process, which is made of the first keys that it is called with. */
  sealOf(keys: Keys): KeyedSeal {
    this.#keys ??= {
      keys,
      seal: createSeal(keys.sealKey, keys.earlierSealKeys),
      cookieIds: keys.cookieKeys.map(fingerprint),
    };
    if (this.#cookieKeys.length === 0) this.#cookieKeys = keys.cookieKeys;
    return this.#keys.seal;
  }

  /**
   * Looks with each heartbeat from now on.
   * @param agreement undefined if no other process can use the database
   * @param keys undefined if this process has none yet: it makes some if it gets the database before all others
   */
  follow(agreement: Agreement | undefined, keys: Keys | undefined): void {
    if (agreement === undefined || this.#agreement !== undefined) return;
    if (keys === undefined) {
      agreement.onLook(() => {
        if (this.#keys === undefined && agreement.check !== undefined) this.#options.lacking(false);
      });
      return;
    }
    this.#agreement = agreement;
    const seal = this.sealOf(keys);
    this.#state(agreement);
    agreement.onLook(() => this.#looked(agreement, seal));
  }

  /**
   * Chooses the key that encrypts at the start: the newest one, or the one in use while another process lacks the newest.
   * @param inUse undefined before the first start
   */
  async choose(inUse: string | undefined): Promise<void> {
    const seal = this.#keys?.seal;
    const newest = seal?.ids[0];
    if (seal === undefined || newest === undefined) return;
    await this.#agreement?.look();
    const lacking = this.#agreement === undefined ? [] : lackingOf(this.#agreement.others, newest);
    seal.use(lacking.length === 0 || inUse === undefined ? newest : inUse);
    const hasOthers = this.#agreement !== undefined && this.#agreement.others.length > 0;
    if (hasOthers && inUse !== undefined && seal.inUse !== inUse) this.#options.log.info(MOVED);
    if (this.#agreement !== undefined) this.#state(this.#agreement);
  }

  /** This process has the database. @param record stores the key that the seal closes with as the one in use */
  holds(record: (seal: Seal) => Promise<void>): void {
    this.#record = record;
  }

  /** Whether no process can store anything any more that another key than the newest one encrypts. */
  get isSettled(): boolean {
    if (this.#agreement === undefined) return true;
    return this.#options.clock.monotonic() >= this.#settledSince + SETTLED_AFTER_MS;
  }

  #state(agreement: Agreement): void {
    if (this.#keys === undefined) return;
    const { seal, cookieIds } = this.#keys;
    agreement.state({ keys: { opens: seal.ids, closesWith: seal.inUse, accepts: cookieIds } });
  }

  #looked(agreement: Agreement, seal: KeyedSeal): void {
    if (!this.#followCheck(agreement, seal)) return;
    this.#chooseCookieKey(agreement);
    this.#settle(agreement, seal);
    if (this.#record !== undefined) void this.#moveOn(agreement, seal, this.#record);
  }

  /** Encrypts with the key that the database names. @returns false if this process lacks it */
  #followCheck({ check }: Agreement, seal: KeyedSeal): boolean {
    if (check === undefined || this.#isMoving) return true;
    try {
      seal.use(keyOfCheck(seal, check));
    } catch {
      // No key of this process opens the check: the callback reports that.
      if (this.#record === undefined) this.#options.lacking(true);
      return false;
    }
    if (this.#agreement !== undefined) this.#state(this.#agreement);
    return true;
  }

  #chooseCookieKey({ others }: Agreement): void {
    if (this.#keys === undefined) return;
    const { keys, cookieIds } = this.#keys;
    const first = cookieIds.findIndex((id) =>
      others.every(({ stated }) => stated?.keys?.accepts.includes(id) === true),
    );
    const signs = keys.cookieKeys[first];
    if (signs === undefined || signs === this.#cookieKeys[0]) return;
    this.#cookieKeys = [signs, ...keys.cookieKeys.filter((key) => key !== signs)];
  }

  #settle({ others }: Agreement, { ids: [newest], inUse }: KeyedSeal): void {
    const areOthers = others.every(({ stated }) => stated?.keys?.closesWith === newest);
    this.#hasSeenEarlier ||= !areOthers;
    if (inUse !== newest || !areOthers) this.#settledSince = Number.POSITIVE_INFINITY;
    // What another one has sent may be stored after its end.
    else if (others.length === 0 && !this.#hasSeenEarlier) this.#settledSince = Number.NEGATIVE_INFINITY;
    else if (this.#settledSince === Number.POSITIVE_INFINITY) this.#settledSince = this.#options.clock.monotonic();
  }

  /** Moves on to the newest key that all processes have. */
  async #moveOn({ others }: Agreement, seal: KeyedSeal, record: (seal: Seal) => Promise<void>): Promise<void> {
    this.#reportLacking(others, seal);
    const best = seal.ids.find((id) => lackingOf(others, id).length === 0);
    const isNewer = best !== undefined && seal.ids.indexOf(best) < seal.ids.indexOf(seal.inUse);
    if (!isNewer || this.#isMoving || this.#keys === undefined) return;
    this.#isMoving = true;
    const { keys } = this.#keys;
    const next = createSeal(keys.sealKey, keys.earlierSealKeys);
    next.use(best);
    try {
      await record(next);
      seal.use(best);
      this.#options.log.info(MOVED);
    } catch {
      // The database did not answer, or its answer was lost: the next look shows which key is in use.
    } finally {
      this.#isMoving = false;
    }
  }

  #reportLacking(others: readonly OtherStated[], { ids: [newest = ''], inUse }: KeyedSeal): void {
    const lacking = inUse === newest ? [] : lackingOf(others, newest);
    const names = lacking.join(', ');
    if (names === this.#lacking) return;
    this.#lacking = names;
    if (lacking.length > 0) {
      this.#options.log.info(
        { lacking },
        'newer keys are not used yet, because other processes lack them: copy the keys to these and restart them',
      );
    }
  }
}

/** Returns the names of the processes that can't open what a key encrypts. */
const lackingOf = (others: readonly OtherStated[], id: string): string[] =>
  others.filter(({ stated }) => stated?.keys?.opens.includes(id) !== true).map(({ name }) => name);
