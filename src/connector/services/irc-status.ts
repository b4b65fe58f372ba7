import type { PresenceStatus } from '../ports/presence.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount } from './require-account.ts';

/**
 * `connecting`: the account is meant to be online and is not. `unknown`: the bouncer does not answer, or does not know.
 */
export type IrcState = 'offline' | 'connecting' | 'online' | 'unknown';

/** A person's own presence on IRC, as their page shows it. */
export interface IrcStatus {
  state: IrcState;
  /** Null while the account is not connected. */
  nickInUse: string | null;
  /** Problems as sentences; usually empty. */
  problems: readonly string[];
  /** Channel → the server's reason why the account is not in it; only where the server gave one. */
  notJoined: Readonly<Record<string, string>>;
}

/** Answers from what is known: a page does not wait for a bouncer that does not answer. */
export async function ircStatus(context: ServiceContext, accountId: string): Promise<IrcStatus> {
  const { isOnline } = await requireAccount(context, accountId);
  const status = isOnline ? await context.presence.status(accountId) : undefined;
  if (status === undefined) {
    return { state: isOnline ? 'connecting' : 'offline', nickInUse: null, problems: [], notJoined: {} };
  }
  const state = stateOf(status);
  const { problems, notJoined } = status;
  return { state, nickInUse: state === 'connecting' ? null : status.nick, problems, notJoined };
}

function stateOf({ isAnswering, upstream }: PresenceStatus): IrcState {
  if (!isAnswering || upstream === null) return 'unknown';
  return upstream ? 'online' : 'connecting';
}
