import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { REGISTRATIONS_MIN, REGISTRATIONS_SHARE, REQUESTS_OF_ACCOUNT_AT_ONCE } from '../domain/limits.ts';
import { type Processes, shareOf } from '../domain/share.ts';
import { ConnectorError, errorTable, RetryLater } from '../errors.ts';
import { addressKey } from './address-key.ts';
import { AnswersAtOnce } from './answers-at-once.ts';
import { HitCounts, type Hits } from './hit-counts.ts';
import { isStranger, type Requester } from './requester.ts';

const WINDOW_MS = 60_000;

/** Wait that the refusal names. The end of an answer can't be foreseen; most take far less. */
const ANSWER_WAIT_MS = 1_000;

const SERVER_ERROR_STATUS = 500;

export interface LimitOptions {
  /** Requests per minute; the function is called at each request, so that a reload takes effect. */
  limits: () => { perClient: number; perAddress: number };
  /** Wall clock, milliseconds since 1970. */
  now: () => number;
  /** Processes that keep the limits of addresses together; one by default. */
  processes?: Processes;
}

/** Limits on the rate of requests, and on requests that are answered at once. */
export interface Limits {
  /** Counts a request that came without a valid token. @throws RetryLater above the limit */
  countStranger(req: Request): void;
  /**
   * Counts a registration; an address may make far fewer of them than other requests.
   * @throws RetryLater above the limit
   */
  countRegistration(req: Request): void;
  /**
   * Counts a request of a client of an account, over all its tokens: a new token would otherwise reset the count.
   * @throws RetryLater
   */
  countClient(requester: Requester): void;
  /**
   * Counts a request of an account, over all its clients, for as long as it is being answered.
   * @throws RetryLater above the limit
   */
  countAnswer(requester: Requester, res: Response): void;
  countWrongGuess(req: Request): void;
  /**
   * Refuses an address that has guessed the admin token too often, even with the right token; else it could guess on.
   * @throws RetryLater
   */
  refuseGuesser(req: Request): void;
}

/** @see express' `trust proxy` for how the address of a request is found */
export function createLimits({ limits, now, processes = () => 1 }: LimitOptions): Limits {
  const strangers = new HitCounts(WINDOW_MS, now);
  const registrants = new HitCounts(WINDOW_MS, now);
  const clients = new HitCounts(WINDOW_MS, now);
  const guessers = new HitCounts(WINDOW_MS, now);
  const answers = new AnswersAtOnce(REQUESTS_OF_ACCOUNT_AT_ONCE);
  const retryLater = (why: string, { endsAt }: Readonly<Hits>) =>
    new RetryLater('too_many_requests', why, endsAt - now());
  return {
    countStranger: (req) => {
      const count = strangers.hit(addressOf(req));
      if (count.hits > shareOf(limits().perAddress, processes)) {
        throw retryLater('too many requests came from this address within a minute', count);
      }
    },
    countRegistration: (req) => {
      const count = registrants.hit(addressOf(req));
      const most = Math.max(REGISTRATIONS_MIN, Math.floor(limits().perAddress * REGISTRATIONS_SHARE));
      if (count.hits > shareOf(most, processes)) {
        throw retryLater('too many apps have registered from this address within a minute', count);
      }
    },
    countClient: ({ accountId, clientId }) => {
      const count = clients.hit(`${accountId} ${clientId}`);
      if (count.hits > limits().perClient)
        throw retryLater('this client has asked more than it may in a minute', count);
    },
    countAnswer: ({ accountId }, res) => {
      if (answers.begin(accountId, res)) return;
      const why = `${REQUESTS_OF_ACCOUNT_AT_ONCE} requests of this account are being answered, and no more may be at once: let some of them end`;
      throw new RetryLater('too_many_requests', why, ANSWER_WAIT_MS);
    },
    countWrongGuess: (req) => void guessers.hit(addressOf(req)),
    refuseGuesser: (req) => {
      const count = guessers.of(addressOf(req));
      if (count !== undefined && count.hits >= shareOf(limits().perAddress, processes)) {
        throw retryLater('too many wrong tokens came from this address within a minute', count);
      }
    },
  };
}

/** The key of a request's address. An IPv6 subnet belongs to one customer, who may use any address in it. */
export const addressOf = ({ ip = '' }: Request): string => addressKey(ip);

/** Counts requests that have no valid token by the time they come here. */
export function limitStrangers({ countStranger }: Limits): RequestHandler {
  return (req, res, next) => {
    if (isStranger(res)) countStranger(req);
    next();
  };
}

/**
 * Counts strangers whose request has already failed, for example with a made-up token. Errors of this service do not
 * count.
 */
export function limitFailedStrangers({ countStranger }: Limits): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const isOurs = error instanceof ConnectorError && errorTable[error.code].status >= SERVER_ERROR_STATUS;
    if (!isOurs && isStranger(res)) countStranger(req);
    next(error);
  };
}
