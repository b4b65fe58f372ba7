import { NICK_MAX_CHARACTERS } from '../domain/limits.ts';
import { type NickProblem, nickProblem } from '../domain/nick.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';

const PROBLEMS: Record<NickProblem, string> = {
  empty: 'the nick is empty',
  too_long: `the nick is longer than ${NICK_MAX_CHARACTERS} characters`,
  bad_start: 'a nick can’t begin with a digit or a hyphen',
  bad_character: 'a nick may have letters from a to z, digits and _ - [ ] { } \\ | ^ ` only',
  reserved: 'the bouncer has this nick for itself',
};

export interface ChangedNick {
  /** The nick in use on IRC, which may still differ; while offline the account's own. */
  inUse: string;
  /** The network's reason for refusing the new nick, in its words; null without a refusal. */
  refusal: string | null;
}

/**
 * Gives the account another nick, and asks the network for it. A nick that the network refuses stays the account's:
 * each connection asks for it again.
 * @throws ConnectorError nick_invalid, nick_taken
 */
export async function changeNick(
  { store, presence }: ServiceContext,
  accountId: string,
  written: string,
): Promise<ChangedNick> {
  const nick = written.trim();
  const problem = nickProblem(nick);
  if (problem !== undefined) throw new ConnectorError('nick_invalid', `${PROBLEMS[problem]}: choose another one`);
  const isRenamed = await store.accounts.rename(accountId, nick).catch((error: unknown) => {
    // The database may have stored the nick all the same, and it alone knows.
    void presence.nickChanged(accountId);
    throw error;
  });
  if (!isRenamed) {
    throw new ConnectorError(
      'nick_taken',
      `another person here has the nick ${nick}, or one that networks take for the same: choose another one`,
    );
  }
  await presence.nickChanged(accountId);
  const status = await presence.status(accountId);
  return { inUse: status?.nick ?? nick, refusal: status?.nickRefusal ?? null };
}
