import { AsyncLocalStorage } from 'node:async_hooks';

/** What is left of a request's time with the database. */
interface Allowance {
  leftMs: number;
  /** The request is answered; what it began may go on without a bound of its own. */
  isOver: boolean;
}

const requests = new AsyncLocalStorage<Allowance>();

/**
 * Does the work of a request, whose statements have this time together: to wait for a connection and for locks, and to run.
 * Without that each of them would wait anew, and a request of ten statements ten times as long.
 * @returns what to call when the request is answered
 */
export function allowDatabaseTime(limitMs: number, work: () => void): () => void {
  const allowance: Allowance = { leftMs: limitMs, isOver: false };
  requests.run(allowance, work);
  return () => {
    allowance.isOver = true;
  };
}

/** Does work that a request began, but that is not part of it: its statements have no common bound. */
export const outsideOfRequest = <T>(work: () => T): T => requests.exit(work);

/** Binds work that another one will do, such as the account's mailbox, to the request that wants it. */
export const asPartOfRequest = <T>(work: () => T): (() => T) => {
  const allowance = requests.getStore();
  return allowance === undefined ? () => outsideOfRequest(work) : () => requests.run(allowance, work);
};

/** Does something with the database, and takes its time from the request's. @param work is given what is left, if there is a bound */
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
