import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { isDocumentAddress } from '../domain/client-id.ts';
import { countedHost } from '../domain/counted-host.ts';
import { secretHash } from '../domain/ids.ts';
import {
  DOCUMENT_KEPT_MS,
  DOCUMENTS_AT_ONCE,
  DOCUMENTS_OF_ADDRESS_AT_ONCE,
  DOCUMENTS_PER_HOST,
  DOCUMENTS_PER_HOST_AND_ADDRESS,
  SHOWN_DOCUMENT_MS,
  SHOWN_DOCUMENTS,
} from '../domain/limits.ts';
import { type Processes, shareOf } from '../domain/share.ts';
import { HitCounts } from '../http/hit-counts.ts';
import type { ConsentStore } from '../ports/consent-store.ts';
import type { Freshness } from '../ports/invalidations.ts';
import type { OauthRecord, OauthRecords } from '../ports/oauth-records.ts';

/** Kind of the record that holds the document of a client that a person has allowed, */
const KIND = 'ClientDocument';
/** and of one about which a person may just be deciding, perhaps at another process. */
const SHOWN_KIND = 'ShownDocument';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Time for which an answer is reused: a host that has just answered is not asked again, whichever answer it gave. */
const FRESH_MS = 10_000;
/** Most answers in memory: documents about which a person may just be deciding. */
const RECENT_MAX = 100;

/** Answer of a document's host. */
export type DocumentAnswer =
  | { kind: 'found'; text: string; headers: IncomingHttpHeaders }
  /** The document does not exist any more. */
  | { kind: 'gone' }
  /** The host can't be reached, must not be reached, or is out of order. */
  | { kind: 'unreachable' };

/**
 * Fetches a document that a stranger names: at public addresses only, without following redirects, and for a bounded
 * time.
 */
export type FetchDocument = (url: string) => Promise<DocumentAnswer>;

export interface ClientDocumentsParts {
  fetchDocument: FetchDocument;
  records: OauthRecords;
  consents: ConsentStore;
  clock: Clock;
  log: Logger;
  /** Whether other processes serve on the same database; by default none does. */
  freshness?: Pick<Freshness, 'alone'>;
  /** Processes that share the limits. */
  processes?: Processes;
}

interface Recent {
  answer: DocumentAnswer;
  /** Monotonic milliseconds: with a clock that can be set back, an answer would stay fresh for too long. */
  at: number;
}

/**
 * Fetches and remembers the documents of clients that describe themselves at an address, which is their id. The library
 * checks such a document and caches it as long as its host allows. While the host is out of order, a client that a
 * person has allowed keeps the document it had last. While several processes serve, a document that one of them has
 * fetched is stored for a while: a person may decide about it at another one.
 * @see draft-ietf-oauth-client-id-metadata-document
 */
export class ClientDocuments {
  readonly #parts: ClientDocumentsParts;
  readonly #asked: HitCounts;
  readonly #unreachable: HitCounts;
  readonly #recent = new Map<string, Recent>();
  readonly #askedByAddress: HitCounts;
  /** Number of documents that are being fetched, by the address whose request waits for them. */
  readonly #underWay = new Map<string, number>();

  constructor(parts: ClientDocumentsParts) {
    this.#parts = parts;
    this.#asked = new HitCounts(MINUTE_MS, () => parts.clock.now());
    this.#askedByAddress = new HitCounts(MINUTE_MS, () => parts.clock.now());
    this.#unreachable = new HitCounts(HOUR_MS, () => parts.clock.now());
  }

  /**
   * Whether a document may be fetched: this service must not flood a host. Documents that strangers name there are
   * counted by the strangers' address, so that one of them does not keep out the clients of others. Clients that a
   * person has allowed are few, and not counted.
   * @param address address of the requester, as rate limits count it
   */
  async mayAsk(clientId: string, address: string): Promise<boolean> {
    if (this.#fresh(clientId) !== undefined || (await this.#parts.consents.isAllowed(clientId))) return true;
    const { processes = () => 1 } = this.#parts;
    const share = (limit: number): number => shareOf(limit, processes);
    if ((this.#underWay.get(address) ?? 0) >= share(DOCUMENTS_OF_ADDRESS_AT_ONCE)) return false;
    if ([...this.#underWay.values()].reduce((sum, count) => sum + count, 0) >= share(DOCUMENTS_AT_ONCE)) return false;
    const host = countedHost(clientId);
    // A refusal by the limit of an address does not count for the host.
    if (this.#askedByAddress.hit(`${address} ${host}`).hits > share(DOCUMENTS_PER_HOST_AND_ADDRESS)) return false;
    return this.#asked.hit(host).hits <= share(DOCUMENTS_PER_HOST);
  }

  /** Replaces the library's fetch. @param address as for `mayAsk` @throws Error if there is no document */
  async fetch(clientId: string, address: string): Promise<Response> {
    const answer = this.#fresh(clientId) ?? (await this.#ask(clientId, address));
    if (answer.kind === 'found') return respond(answer.text, answer.headers);
    const kept = answer.kind === 'gone' ? undefined : await this.#known(clientId);
    if (kept === undefined) throw new Error(`the document of the client is ${answer.kind}`);
    return respond(kept, {});
  }

  /**
   * Stores a client's document when a person allows the client. Registered clients have no document. This process may
   * not have fetched it: another one has, or it was dropped since.
   */
  async keep(clientId: string): Promise<void> {
    if (!isDocumentAddress(clientId)) return;
    const recent = this.#recent.get(clientId)?.answer;
    const text = recent?.kind === 'found' ? recent.text : await this.#known(clientId);
    if (text !== undefined) await this.#parts.records.save(KIND, this.#record(clientId, text, DOCUMENT_KEPT_MS));
  }

  #fresh(clientId: string): DocumentAnswer | undefined {
    const recent = this.#recent.get(clientId);
    return recent !== undefined && this.#parts.clock.monotonic() - recent.at < FRESH_MS ? recent.answer : undefined;
  }

  async #ask(clientId: string, address: string): Promise<DocumentAnswer> {
    const { fetchDocument, consents, clock } = this.#parts;
    this.#underWay.set(address, (this.#underWay.get(address) ?? 0) + 1);
    let answer: DocumentAnswer;
    try {
      answer = await fetchDocument(clientId);
    } finally {
      const left = (this.#underWay.get(address) ?? 0) - 1;
      if (left > 0) this.#underWay.set(address, left);
      else this.#underWay.delete(address);
    }
    if (answer.kind === 'unreachable') this.#logUnreachable(new URL(clientId).host);
    this.#remember(clientId, { answer, at: clock.monotonic() });
    if (answer.kind === 'found') {
      if (await consents.isAllowed(clientId)) await this.keep(clientId);
      else await this.#show(clientId, answer.text, address);
    }
    return answer;
  }

  /** Logs at most once an hour for each host, because strangers name the hosts. */
  #logUnreachable(host: string): void {
    if (this.#unreachable.hit(countedHost(`https://${host}`)).hits > 1) return;
    this.#parts.log.warn(
      { host },
      'the document of a client cannot be fetched from its host, so the client cannot sign in; homeport-connector doctor says whether there is a way to the Internet',
    );
  }

  #remember(clientId: string, recent: Recent): void {
    this.#recent.delete(clientId);
    if (this.#recent.size >= RECENT_MAX) this.#recent.delete(this.#oldestOfLargestHost());
    this.#recent.set(clientId, recent);
  }

  /**
   * Chooses the answer to drop. Strangers name addresses: one who names many of a host pushes out only that host's
   * answers.
   */
  #oldestOfLargestHost(): string {
    const byHost = Map.groupBy(this.#recent.keys(), countedHost);
    const [largest = []] = [...byHost.values()].sort((one, other) => other.length - one.length);
    return largest[0] ?? '';
  }

  /** Stores the document of a client that no person has allowed yet, for other processes. */
  async #show(clientId: string, text: string, address: string): Promise<void> {
    const { records, freshness } = this.#parts;
    if (freshness === undefined || freshness.alone() !== undefined) return;
    const shown = this.#record(clientId, text, SHOWN_DOCUMENT_MS);
    // Without it the other process asks the host itself.
    await records.admit(SHOWN_KIND, shown, secretHash(address), SHOWN_DOCUMENTS).catch(() => undefined);
  }

  #record(clientId: string, payload: string, lastsMs: number): OauthRecord {
    const expiresAt = this.#parts.clock.now() + lastsMs;
    return { idHash: secretHash(clientId), uidHash: null, grantHash: null, payload, expiresAt };
  }

  /** Returns the stored document of a client; undefined without one. */
  async #known(clientId: string): Promise<string | undefined> {
    const { records } = this.#parts;
    const by = { idHash: secretHash(clientId) };
    return ((await records.find(SHOWN_KIND, by)) ?? (await records.find(KIND, by)))?.payload;
  }
}

/** A response with the headers that limit its caching. */
function respond(text: string, { 'cache-control': cacheControl, expires }: IncomingHttpHeaders): Response {
  const headers = new Headers({ 'content-type': 'application/json' });
  if (cacheControl !== undefined) headers.set('cache-control', cacheControl);
  if (expires !== undefined) headers.set('expires', expires);
  return new Response(text, { headers });
}
