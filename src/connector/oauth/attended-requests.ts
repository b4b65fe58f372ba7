import { UNDECIDED_REQUESTS_OF_PERSON } from '../domain/limits.ts';
import { INTERACTION, type OauthRecords } from '../ports/oauth-records.ts';

interface Attended {
  idHash: string;
  /** Milliseconds since 1970. */
  endsAt: number;
}

/**
 * Authorization requests that a signed-in person has looked at. They are not removed to make room for requests of
 * others. Only the newest ones of each person count: else one person who opens them from many addresses would leave no
 * room. The map is in memory: after a restart the owners of earlier requests are unknown, and those requests stay until
 * they end.
 */
export class AttendedRequests {
  readonly #records: OauthRecords;
  readonly #ofPerson = new Map<string, Attended[]>();

  constructor(records: OauthRecords) {
    this.#records = records;
  }

  async attend(accountId: string, request: Attended, now: number): Promise<void> {
    const open = (this.#ofPerson.get(accountId) ?? []).filter(({ endsAt }) => endsAt > now);
    if (open.some(({ idHash }) => idHash === request.idHash)) return;
    open.push(request);
    const released = open.splice(0, open.length - UNDECIDED_REQUESTS_OF_PERSON);
    this.#forgetEnded(now);
    this.#ofPerson.set(accountId, open);
    try {
      await this.#records.keepBusy(INTERACTION, request.idHash, request.endsAt);
    } catch (error) {
      // The next look of the person adds it again.
      this.#forget(accountId, request);
      throw error;
    }
    for (const { idHash } of released) await this.#records.keepBusy(INTERACTION, idHash, now);
  }

  #forget(accountId: string, { idHash }: Attended): void {
    const open = this.#ofPerson.get(accountId) ?? [];
    this.#ofPerson.set(
      accountId,
      open.filter((each) => each.idHash !== idHash),
    );
  }

  /**
   * Drops people without open requests: the map is bounded by the number of accounts, but removed accounts would add to
   * it.
   */
  #forgetEnded(now: number): void {
    for (const [accountId, requests] of this.#ofPerson) {
      if (requests.every(({ endsAt }) => endsAt <= now)) this.#ofPerson.delete(accountId);
    }
  }
}
