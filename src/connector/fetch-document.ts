import { DOCUMENT_MAX_BYTES } from './domain/limits.ts';
import type { DocumentAnswer, FetchDocument } from './oauth/client-documents.ts';
import type { OutboundAnswer } from './outbound/exchange.ts';
import type { Outbound } from './outbound/outbound.ts';

/** Deadline of a document; a person waits for it. */
export const DOCUMENT_DEADLINE_MS = 2_500;

const FOUND_STATUS = 200;
const GONE_STATUSES: readonly number[] = [404, 410];
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;

/** Fetches the documents of clients. @param outbound one without exempt hosts: strangers may name any address */
export const documentFetcher =
  (outbound: Outbound): FetchDocument =>
  async (url) =>
    answerOf(
      await outbound.send({
        url,
        method: 'GET',
        headers: { accept: 'application/json' },
        answerBytesMax: DOCUMENT_MAX_BYTES,
      }),
    );

function answerOf(answer: OutboundAnswer): DocumentAnswer {
  if (answer.kind !== 'answered') return { kind: 'unreachable' };
  const { status, headers, body } = answer;
  if (GONE_STATUSES.includes(status)) return { kind: 'gone' };
  const isJson = JSON_TYPE.test(headers['content-type'] ?? '');
  return status === FOUND_STATUS && isJson && body !== undefined
    ? { kind: 'found', text: body, headers }
    : { kind: 'unreachable' };
}
