import { lookup, Resolver } from 'node:dns/promises';

/** A name server that does not answer is asked once more, and given up well before a request would be. */
const ANSWER_DEADLINE_MS = 1_500;
const TRIES = 2;
/** However many servers the machine has: a name that they don't know by then is unknown. */
const RESOLVE_DEADLINE_MS = 4_000;

export interface ResolvedAddress {
  address: string;
  family: number;
}

/**
 * All addresses that the name servers tell for a name; none where they tell none. It asks them itself, for the public name
 * alone: the machine's own way takes one of the few threads that the database needs, for as long as a slow server wants,
 * and adds the machine's search domains and hosts file.
 * @param servers in place of the machine's, as ADDRESS:PORT
 */
export async function resolvePublicName(
  name: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  // Made anew each time, because the machine's servers change while the service runs.
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

/** The addresses that this machine knows for a name, by its hosts file too; none where it knows none in time. */
export async function resolveAsMachine(name: string, signal: AbortSignal): Promise<ResolvedAddress[]> {
  const { promise: tooLate, resolve: giveUp } = Promise.withResolvers<ResolvedAddress[]>();
  const noneYet = (): void => giveUp([]);
  signal.addEventListener('abort', noneYet, { once: true });
  try {
    return await Promise.race([lookup(name, { all: true }).catch(() => []), tooLate]);
  } finally {
    signal.removeEventListener('abort', noneYet);
  }
}

const addressesOf = (told: PromiseSettledResult<string[]>, family: number): ResolvedAddress[] =>
  told.status === 'fulfilled' ? told.value.map((address) => ({ address, family })) : [];
