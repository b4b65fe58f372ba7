import { UNDECIDED_REQUESTS_OF_PERSON } from '../domain/limits.ts';
import { INTERACTION, type OauthRecords } from '../ports/oauth-records.ts';

interface Attended {
  idHash: string;
  /** Milliseconds since 1970. */
  endsAt: number;
}

/**
 * Authorization requests that a person who is signed in has looked at: they are not removed for others' requests. Only the newest
 * of each person: else one who opens them from many addresses would leave no room for others. A restart forgets which were whose;
 * they stay until they end.
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
      // Done when the person looks again.
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

  /** Bounded by the accounts that there are, which does not hold for those that were removed. */
  #forgetEnded(now: number): void {
    for (const [accountId, requests] of this.#ofPerson) {
      if (requests.every(({ endsAt }) => endsAt <= now)) this.#ofPerson.delete(accountId);
    }
  }
}
