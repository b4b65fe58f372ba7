import { lookup, Resolver } from 'node:dns/promises';

/** A name server that does not answer is asked once more, and given up well before a request would be. */
const ANSWER_DEADLINE_MS = 1_500;
const TRIES = 2;
/** Deadline for all servers of the machine: a name without an answer by then is unknown. */
const RESOLVE_DEADLINE_MS = 4_000;

export interface ResolvedAddress {
  address: string;
  family: number;
}

/**
 * Returns all addresses of a public name; empty if the name servers have no answer. It queries them itself, for this
 * name alone: the machine's own lookup takes one of the few threads that the database needs, for as long as a slow
 * server wants, and adds the machine's search domains and hosts file.
 * @param servers name servers that replace the machine's, as ADDRESS:PORT
 */
export async function resolvePublicName(
  name: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  // The resolver is made each time, because the machine's servers change while the service runs.
  const resolver = new Resolver({ timeout: ANSWER_DEADLINE_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const deadline = setTimeout(cancel, RESOLVE_DEADLINE_MS);
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', cancel);
  }
}

/**
 * Returns the addresses that this machine has for a name, also in its hosts file; empty if the lookup fails or is
 * aborted.
 */
export async function resolveAsMachine(name: string, signal: AbortSignal): Promise<ResolvedAddress[]> {
  const { promise: tooLate, resolve: giveUp } = Promise.withResolvers<ResolvedAddress[]>();
  const noneYet = (): void => giveUp([]);
  signal.addEventListener('abort', noneYet, { once: true });
  try {
    // A name without an address is as unreachable as one that can't be resolved.
    return await Promise.race([lookup(name, { all: true }).catch(() => []), tooLate]);
  } finally {
    signal.removeEventListener('abort', noneYet);
  }
}

const addressesOf = (answer: PromiseSettledResult<string[]>, family: number): ResolvedAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
