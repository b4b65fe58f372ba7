import type { Network } from '../domain/network.ts';
import type { BouncerUser } from '../ports/bouncer.ts';
import type { RunCommand } from './admin-socket.ts';

/** A network of a user as soju lists it. */
export interface ListedNetwork extends Network {
  isEnabled: boolean;
}

/** @throws CommandRefused if soju does not know the user */
export const networksOf = async (run: RunCommand, { name }: BouncerUser): Promise<ListedNetwork[]> =>
  networksIn(await run(['user', 'run', name, 'network', 'status']));

/**
 * Parses lines such as `main (ircs://irc.example.org) [connected]: 1 channels`; a network without a name has its
 * address as its name.
 */
export function networksIn(lines: readonly string[]): ListedNetwork[] {
  return lines.flatMap((line) => {
    const [, name, address = name, state] = /^(\S+) (?:\((\S+)\) )?\[([^\]]*)\]/.exec(line) ?? [];
    return name === undefined || address === undefined
      ? []
      : [{ name, address, isEnabled: state?.startsWith('disabled') !== true }];
  });
}
