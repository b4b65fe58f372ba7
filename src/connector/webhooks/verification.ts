import { z } from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import { secretMatcher } from '../../kernel/http/bearer.ts';
import { countedHost } from '../domain/counted-host.ts';
import {
  VERIFICATION_WINDOW_MS,
  VERIFICATIONS_AT_ONCE,
  VERIFICATIONS_OF_ACCOUNT_AT_ONCE,
  VERIFICATIONS_PER_ACCOUNT,
  VERIFICATIONS_PER_HOST,
} from '../domain/limits.ts';
import { type Processes, shareOf } from '../domain/share.ts';
import { EventRefusal } from '../errors.ts';
import type { OutboundAnswer } from '../outbound/exchange.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { Places } from '../places.ts';
import { PlacesByKey } from '../places-by-key.ts';
import type { CallbackFailure, Callbacks } from '../ports/callbacks.ts';
import { newSecret } from '../random.ts';
import { signedHeaders } from './signed-headers.ts';
import { WindowsByKey } from './windows-by-key.ts';

/**
 * Most callbacks that wait to be verified, for one account and in total; above the number that one account may request
 * per minute.
 */
const WAITING_MAX = 64;
const WAIT_MAX_MS = 20_000;

/** Longest answer that is read; an echo has about eighty bytes. */
const ECHO_BYTES_MAX = 4_096;

const Echo = z.object({ challenge: z.string() });

type Target = Parameters<Callbacks['verify']>[0];

export interface VerificationParts {
  outbound: Outbound;
  clock: Clock;
  /** Processes that keep the numbers per minute together: receivers and hosts are protected by them. */
  processes: Processes;
}

/**
 * Creates a function that asks receivers to echo a random text, each in a message that is signed and headed like a
 * delivery.
 */
export function createVerification(parts: VerificationParts): Callbacks['verify'] {
  const ofAccount = (): number => shareOf(VERIFICATIONS_PER_ACCOUNT, parts.processes);
  const ofHost = (): number => shareOf(VERIFICATIONS_PER_HOST, parts.processes);
  const accountWindows = new WindowsByKey(ofAccount, VERIFICATION_WINDOW_MS);
  const hostWindows = new WindowsByKey(ofHost, VERIFICATION_WINDOW_MS);
  const accountPlaces = new PlacesByKey(VERIFICATIONS_OF_ACCOUNT_AT_ONCE, lineFor(VERIFICATIONS_OF_ACCOUNT_AT_ONCE));
  const places = new Places(VERIFICATIONS_AT_ONCE, lineFor(VERIFICATIONS_AT_ONCE));
  return async (target) => {
    const now = parts.clock.monotonic();
    // The account's limit comes first: a request that it refuses must not count for the host, which others may need.
    refuse('this account', ofAccount(), accountWindows.take(target.accountId, now));
    refuse('this host', ofHost(), hostWindows.take(countedHost(target.url), now));
    return accountPlaces.use(target.accountId, () => places.use(() => ask(parts, target)));
  };
}

async function ask(
  { outbound, clock }: Pick<VerificationParts, 'outbound' | 'clock'>,
  { url, secret, subscriptionId }: Target,
): Promise<CallbackFailure | undefined> {
  const challenge = newSecret();
  const body = JSON.stringify({ type: 'verification', challenge });
  const messageId = `msg_verification_${newSecret()}`;
  const sentAt = new Date(clock.now());
  const headers = signedHeaders({ messageId, subscriptionId, body, secrets: [secret], sentAt });
  const answer = await outbound.send({ url, method: 'POST', headers, body, answerBytesMax: ECHO_BYTES_MAX });
  return failureOf(answer, challenge);
}

const lineFor = (max: number) => ({
  max: WAITING_MAX,
  waitMaxMs: WAIT_MAX_MS,
  refusal: () => tooMany(`more callbacks wait to be verified than ${max} at once allow`, max, WAIT_MAX_MS),
});

function refuse(whose: string, max: number, waitMs: number): void {
  if (waitMs > 0) throw tooMany(`callbacks of ${whose} are verified at most ${max} times a minute`, max, waitMs);
}

const tooMany = (why: string, max: number, waitMs: number): EventRefusal => {
  const retryAfterMs = Math.ceil(waitMs);
  const words = `${why}: try again in ${Math.ceil(retryAfterMs / 1_000)} s`;
  return new EventRefusal('too_many_requests', words, { limit: 'verifications', max, retryAfterMs });
};

/**
 * Undefined for the echo of the challenge. All other answers are the same failure: clients must not learn through this
 * service the answers of servers that only it can reach.
 */
function failureOf(answer: OutboundAnswer, challenge: string): CallbackFailure | undefined {
  if (answer.kind === 'unreachable') return answer.failure === 'no_answer' ? 'challenge_failed' : answer.failure;
  const isSuccess = answer.status >= 200 && answer.status < 300;
  return isSuccess && secretMatcher(challenge)(echoIn(answer.body)) ? undefined : 'challenge_failed';
}

function echoIn(body: string | undefined): string | undefined {
  try {
    return Echo.safeParse(JSON.parse(body ?? '')).data?.challenge;
  } catch {
    // A body that is not JSON has no challenge in it.
    return undefined;
  }
}
