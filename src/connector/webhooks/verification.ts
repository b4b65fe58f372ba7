import { z } from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import { secretMatcher } from '../../kernel/http/bearer.ts';
import { VERIFICATION_WINDOW_MS, VERIFICATIONS_AT_ONCE, VERIFICATIONS_PER_WINDOW } from '../domain/limits.ts';
import { RetryLater } from '../errors.ts';
import type { OutboundAnswer } from '../outbound/exchange.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { CallbackFailure, Callbacks } from '../ports/callbacks.ts';
import { newSecret } from '../random.ts';
import { HostWindows } from './host-windows.ts';
import { Places } from './places.ts';
import { signedHeaders } from './signed-headers.ts';

/** Callbacks that wait to be verified: all that one host may have in a minute, and for two that hang. */
const WAITING_MAX = 64;
const WAIT_MAX_MS = 20_000;

/** An echo has about eighty bytes. */
const ECHO_BYTES_MAX = 4_096;

const Echo = z.object({ challenge: z.string() });

/** Asks a receiver to send a random text back, in a message that is signed and headed like a delivery. */
export function createVerification({ outbound, clock }: { outbound: Outbound; clock: Clock }): Callbacks['verify'] {
  const windows = new HostWindows(VERIFICATIONS_PER_WINDOW, VERIFICATION_WINDOW_MS);
  const places = new Places(VERIFICATIONS_AT_ONCE, {
    max: WAITING_MAX,
    waitMaxMs: WAIT_MAX_MS,
    refusal: () => tooMany('too many callbacks wait to be verified', WAIT_MAX_MS),
  });
  return async ({ url, secret, subscriptionId }) => {
    const waitMs = windows.take(new URL(url).hostname, clock.monotonic());
    if (waitMs > 0) throw tooMany('this host was asked to verify too many callbacks', waitMs);
    return places.use(async () => {
      const challenge = newSecret();
      const body = JSON.stringify({ type: 'verification', challenge });
      const messageId = `msg_verification_${newSecret()}`;
      const sentAt = new Date(clock.now());
      const headers = signedHeaders({ messageId, subscriptionId, body, secrets: [secret], sentAt });
      const answer = await outbound.send({ url, method: 'POST', headers, body, answerBytesMax: ECHO_BYTES_MAX });
      return failureOf(answer, challenge);
    });
  };
}

const tooMany = (why: string, waitMs: number): RetryLater => new RetryLater('too_many_requests', why, waitMs);

/**
 * Undefined for the echo of the challenge. Any other answer is told as one and the same failure: nobody is to learn by us
 * what a server says that only we can reach.
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
    return undefined;
  }
}
