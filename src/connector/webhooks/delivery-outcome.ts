import type { OutboundAnswer } from '../outbound/exchange.ts';
import type { AttemptOutcome } from '../ports/callbacks.ts';

const SECOND_MS = 1_000;

/** Final statuses: the receiver is gone for good, or never takes a body of this size. */
const FINAL_STATUSES = [410, 413];

/** Outcome of a delivery, from the receiver's answer. @spec connector#events retries, final answers */
export function deliveryOutcome(answer: OutboundAnswer, now: number): AttemptOutcome {
  if (answer.kind === 'unreachable') {
    // Closing a connection without an answer counts like refusing it.
    return { kind: 'failed', failure: answer.failure === 'no_answer' ? 'connection_refused' : answer.failure };
  }
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  if (FINAL_STATUSES.includes(status)) return { kind: 'refused', failure: 'http_4xx' };
  const retryAfterMs = retryAfter(headers['retry-after'], now);
  // The profile has no code for a redirect. It is never followed: the receiver has to name its final address.
  return {
    kind: 'failed',
    failure: status >= 500 ? 'http_5xx' : 'http_4xx',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Milliseconds to wait, from seconds or a date; undefined for any other header. @see RFC 9110 §10.2.3 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^[0-9]+$/.test(header)) return Number(header) * SECOND_MS;
  // The parser also accepts texts that are not dates.
  const date = /^[A-Z][a-z]{2}, .+ GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
