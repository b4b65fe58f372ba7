import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { secretHash } from '../domain/ids.ts';
import { isScope, type Scope } from '../domain/scope.ts';
import type { ConsentDesk } from '../ports/consent-desk.ts';
import type { ConsentStore } from '../ports/consents.ts';
import type { OauthRecords } from '../ports/oauth-records.ts';
import { resourceVariants } from './policy/resource.ts';

/** What a person reads in place of a name that a client has not given. */
export const UNNAMED_CLIENT = 'A client without a name';

export interface ConsentDeskParts {
  provider: Provider;
  baseUrl: string;
  records: OauthRecords;
  consents: ConsentStore;
}

export function createConsentDesk({ provider, baseUrl, records, consents }: ConsentDeskParts): ConsentDesk {
  const details = (req: IncomingMessage, res: ServerResponse) =>
    provider.interactionDetails(req, res).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
      throw error;
    });
  const nameOf = async (clientId: string): Promise<string | undefined> => {
    const client = await provider.Client.find(clientId);
    return client && (client.clientName ?? UNNAMED_CLIENT);
  };
  return {
    pending: async (req, res) => {
      const found = await details(req, res);
      if (found === undefined) return undefined;
      const { client_id: clientId, redirect_uri: redirectUri, scope } = found.params;
      const clientName = await nameOf(String(clientId));
      if (clientName === undefined) return undefined;
      return { clientName, redirectUri: String(redirectUri), scopes: scopesOf(scope) };
    },
    approve: async (req, res, accountId) => {
      const { params, jti: interaction } = await provider.interactionDetails(req, res);
      const clientId = String(params['client_id']);
      const scopes = scopesOf(params['scope']);
      await records.keep('Client', secretHash(clientId));
      const grant = grantOf(provider, { accountId, clientId }, interaction);
      for (const resource of resourceVariants(baseUrl)) grant.addResourceScope(resource, scopes.join(' '));
      grant.addOIDCScope(scopes.join(' '));
      // The consent first: without one a grant is not found, and a consent without a grant gives no tokens and ends unused.
      const clientName = (await nameOf(clientId)) ?? UNNAMED_CLIENT;
      await consents.begin({ grantHash: secretHash(grant.jti), accountId, clientId, clientName, scopes });
      const grantId = await grant.save();
      return provider.interactionResult(req, res, { login: { accountId, remember: false }, consent: { grantId } });
    },
    deny: (req, res) =>
      provider.interactionResult(
        req,
        res,
        { error: 'access_denied', error_description: 'the person declined' },
        { mergeWithLastSubmission: false },
      ),
  };
}

const scopesOf = (scope: unknown): Scope[] =>
  String(scope ?? '')
    .split(' ')
    .filter(isScope);

/**
 * With its id from the start; the library draws one only when it saves. Whoever sends the same form twice has allowed it
 * once. The id need not be a secret: no request names a grant.
 */
function grantOf(provider: Provider, of: { accountId: string; clientId: string }, interaction: string) {
  const grant = new provider.Grant(of);
  grant.jti = secretHash(JSON.stringify([interaction, of.accountId]));
  return grant;
}
