import type { DecidedSettings, OtherStated, Stated } from './agreement-rows.ts';
import type { Membership } from './membership.ts';

/**
 * Knows what the other processes on the same database state about themselves, and which settings count for all. It
 * looks with each heartbeat, before this process may go on serving by it.
 */
export class Agreement {
  readonly #membership: Pick<Membership, 'agree' | 'decide'>;
  #stated: Stated | undefined;
  #decided: DecidedSettings | undefined;
  #others: readonly OtherStated[] = [];
  #check: string | undefined;
  /** Settings that are not stored yet: the database did not answer, or another process took this one for dead. */
  #due: { content: string; isReloaded: boolean } | undefined;
  readonly #listeners: (() => void)[] = [];

  constructor(membership: Pick<Membership, 'agree' | 'decide'>) {
    this.#membership = membership;
  }

  /** The settings that count for all, as last read. */
  get decided(): DecidedSettings | undefined {
    return this.#decided;
  }

  /** See `AgreementSeen.others`, as last read. */
  get others(): readonly OtherStated[] {
    return this.#others;
  }

  /** See `AgreementSeen.check`, as last read. */
  get check(): string | undefined {
    return this.#check;
  }

  /** Calls `looked` after each look. */
  onLook(looked: () => void): void {
    this.#listeners.push(looked);
  }

  /** States this about this process from the next look on. */
  state(stated: Stated): void {
    this.#stated = { ...this.#stated, ...stated };
  }

  /**
   * Stores the settings with which this process has started, unless one that started later has stored its own: with a
   * later look, if this process counts as dead just now.
   * @throws Error when the database does not answer
   */
  async decide(content: string): Promise<void> {
    this.#due = { content, isReloaded: false };
    await this.look();
  }

  /** Stores settings that a reload has changed: with the next look at the latest that the database answers. */
  async decideAnew(content: string): Promise<void> {
    this.#due = { content, isReloaded: true };
    // The next look stores it.
    await this.look().catch(() => undefined);
  }

  /** Looks once. @throws Error when the database does not answer */
  async look(): Promise<void> {
    const due = this.#due;
    const isStored = due !== undefined && (await this.#membership.decide(due.content, due.isReloaded));
    if (isStored && this.#due === due) this.#due = undefined;
    const seen = await this.#membership.agree(this.#stated, this.#decided);
    if (seen === undefined) return;
    this.#others = seen.others;
    this.#decided = seen.decided;
    this.#check = seen.check;
    for (const looked of this.#listeners) looked();
  }
}
