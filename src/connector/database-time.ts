import { AsyncLocalStorage } from 'node:async_hooks';

/** Rest of a request's time for the database. */
interface Allowance {
  leftMs: number;
  /** Whether the request has been answered; work that it began may then go on without a bound of its own. */
  isOver: boolean;
  /** Who asks, as far as that is known; undefined for work that has no part in the connections of requests. */
  asker: string | undefined;
}

const requests = new AsyncLocalStorage<Allowance>();

/**
 * Runs the work of a request, whose statements share this time: for waits for a connection and for locks, and for
 * running. Else each of them would wait anew, and a request of ten statements ten times as long.
 * @param asker who asks: the requests of one asker share a part of the connections
 * @returns a function to call when the request is answered
 */
export function allowDatabaseTime(limitMs: number, work: () => void, asker?: string): () => void {
  const allowance: Allowance = { leftMs: limitMs, isOver: false, asker };
  requests.run(allowance, work);
  return () => {
    allowance.isOver = true;
  };
}

/** Notes which account makes the present request, which was known by its token or its address before. */
export function askedBy(accountId: string): void {
  const allowance = requests.getStore();
  if (allowance?.asker !== undefined) allowance.asker = accountId;
}

/** Who makes the present request; undefined for other work. */
export const askerNow = (): string | undefined => requests.getStore()?.asker;

/** Runs work that a request began but is not part of it: its statements have no common bound. */
export const outsideOfRequest = <T>(work: () => T): T => requests.exit(work);

/** Binds work that runs elsewhere, for example in the account's mailbox, to the present request. */
export const asPartOfRequest = <T>(work: () => T): (() => T) => {
  const allowance = requests.getStore();
  return allowance === undefined ? () => outsideOfRequest(work) : () => requests.run(allowance, work);
};

/**
 * Runs work with the database, and subtracts its time from the request's.
 * @param work gets the time that is left, if there is a bound
 */
export async function metered<T>(work: (leftMs: number | undefined) => Promise<T>): Promise<T> {
  const allowance = requests.getStore();
  if (allowance === undefined || allowance.isOver) return work(undefined);
  const startedAt = performance.now();
  try {
    return await work(allowance.leftMs);
  } finally {
    allowance.leftMs -= performance.now() - startedAt;
  }
}
