import { secretHash } from '../domain/ids.ts';
import { DAY_MS } from '../domain/limits.ts';
import { isPersonalToken, isPersonalTokenClient, PERSONAL_TOKENS_MAX } from '../domain/personal-token.ts';
import type { Scope } from '../domain/scope.ts';
import type { VerifiedToken } from '../domain/verified-token.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount } from './require-account.ts';

const SECOND_MS = 1_000;

export interface TokenRequest {
  /** A name that `parseAgentName` returned. */
  name: string;
  scopes: readonly Scope[];
  /** A member of `PERSONAL_TOKEN_DAYS`. */
  days: number;
}

export interface NewToken {
  /** The token itself, shown once: only its hash is stored. */
  token: string;
  /** Milliseconds since 1970. */
  endsAt: number;
}

/**
 * Creates a token for an agent that has no browser. It is a consent like any other, whose family is this one token: it
 * ends when the person revokes it, with the account, and at its own end.
 * @throws ConnectorError personal_tokens_off, personal_tokens_exhausted
 */
export async function createPersonalToken(
  context: ServiceContext,
  accountId: string,
  { name, scopes, days }: TokenRequest,
): Promise<NewToken> {
  const { consents, clock, log, settings } = context;
  if (settings.personalTokens !== true) {
    throw new ConnectorError('personal_tokens_off', 'tokens for agents without a browser are off here: ask an owner');
  }
  await requireAccount(context, accountId);
  const endsAt = clock.now() + days * DAY_MS;
  const begun = await consents.beginToken({ accountId, clientName: name, scopes }, endsAt);
  if (begun === undefined) {
    throw new ConnectorError(
      'personal_tokens_exhausted',
      `you have ${PERSONAL_TOKENS_MAX} tokens, as many as one person may: revoke one that you do not need`,
    );
  }
  log.info({ account: accountId, client: begun.clientId, days, scopes }, 'personal token created');
  return { token: begun.token, endsAt };
}

/** The access that the token gives; undefined for a token that has ended, or while owners do not allow any. */
export async function verifyPersonalToken(
  { consents, settings }: Pick<ServiceContext, 'consents' | 'settings'>,
  token: string,
): Promise<VerifiedToken | undefined> {
  if (settings.personalTokens !== true || !isPersonalToken(token)) return undefined;
  const found = await consents.standing(secretHash(token));
  if (found === undefined || !isPersonalTokenClient(found.clientId)) return undefined;
  const { accountId, clientId, scopes, endsAt } = found;
  return { accountId, clientId, scopes: [...scopes], expiresAt: Math.floor(endsAt / SECOND_MS) };
}
