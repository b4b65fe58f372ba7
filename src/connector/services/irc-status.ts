import type { PresenceStatus } from '../ports/presence.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount } from './require-account.ts';

/** `connecting` is meant to be online and is not, `unknown` while nobody can tell. */
export type IrcState = 'offline' | 'connecting' | 'online' | 'unknown';

/** What a person sees of their own presence on IRC. */
export interface IrcStatus {
  state: IrcState;
  /** Null while the account is not connected. */
  nickInUse: string | null;
  /** Problems in words; usually none. */
  problems: readonly string[];
  /** Why the account is not in a channel, in the server's words, where it said so. */
  notJoined: Readonly<Record<string, string>>;
}

/** Tells what is known at once: a page does not wait for a bouncer that does not answer. */
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
