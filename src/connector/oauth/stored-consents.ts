import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { Clock } from '../../kernel/clock.ts';
import { vouchingHost } from '../domain/client-id.ts';
import { secretHash } from '../domain/ids.ts';
import { isScope, type Scope } from '../domain/scope.ts';
import type { ConsentDesk } from '../ports/consent-desk.ts';
import type { ConsentStore } from '../ports/consent-store.ts';
import type { OauthRecords } from '../ports/oauth-records.ts';
import { AttendedRequests } from './attended-requests.ts';
import type { ClientDocuments } from './client-documents.ts';
import { resourceVariants } from './policy/resource.ts';

const SECOND_MS = 1_000;

/** Name that a person reads for a client without one. */
export const UNNAMED_CLIENT = 'A client without a name';

export interface ConsentDeskParts {
  provider: Provider;
  baseUrl: string;
  records: OauthRecords;
  consents: ConsentStore;
  documents: ClientDocuments;
  clock: Clock;
}

export function createConsentDesk(parts: ConsentDeskParts): ConsentDesk {
  const { provider, baseUrl, records, consents, documents, clock } = parts;
  const attended = new AttendedRequests(records);
  const details = (req: IncomingMessage, res: ServerResponse) =>
    provider.interactionDetails(req, res).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
      throw error;
    });
  const nameOf = async (clientId: string): Promise<string | undefined> => {
    const client = await provider.Client.find(clientId);
    return client && (client.clientName ?? UNNAMED_CLIENT);
  };
  const deny = (req: IncomingMessage, res: ServerResponse): Promise<string> =>
    provider.interactionResult(
      req,
      res,
      { error: 'access_denied', error_description: 'the person declined' },
      { mergeWithLastSubmission: false },
    );
  return {
    deny,
    pending: async (req, res) => {
      const found = await details(req, res);
      if (found === undefined) return undefined;
      const { client_id: clientId, redirect_uri: redirectUri, scope } = found.params;
      const clientName = await nameOf(String(clientId));
      if (clientName === undefined) return 'client_gone';
      return {
        clientName,
        vouchedBy: vouchingHost(String(clientId)),
        redirectUri: String(redirectUri),
        scopes: scopesOf(scope),
      };
    },
    attend: async (req, res, accountId) => {
      const found = await details(req, res);
      if (found === undefined) return;
      const endsAt = found.exp * SECOND_MS;
      await attended.attend(accountId, { idHash: secretHash(found.jti), endsAt }, clock.now());
    },
    approve: async (req, res, { accountId, scopes }) => {
      const { params, jti: interaction } = await provider.interactionDetails(req, res);
      const clientId = String(params['client_id']);
      const [granted, refused] = divide(scopesOf(params['scope']), (scope) => scopes.includes(scope));
      if (granted.length === 0) return deny(req, res);
      await Promise.all([records.keep('Client', secretHash(clientId)), documents.keep(clientId)]);
      const grant = grantOf(provider, { accountId, clientId }, [interaction, ...granted]);
      for (const resource of resourceVariants(baseUrl)) {
        grant.addResourceScope(resource, granted.join(' '));
        // Without the rejection the library would ask for the missing scopes once more.
        if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(' '));
      }
      grant.addOIDCScope(granted.join(' '));
      if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '));
      // Consent before grant: a grant without a consent is not found, and a consent without a grant gives no tokens and
      // ends unused.
      const clientName = (await nameOf(clientId)) ?? UNNAMED_CLIENT;
      await consents.begin({ grantHash: secretHash(grant.jti), accountId, clientId, clientName, scopes: granted });
      // The client is kept once more: it may have got a term meanwhile, because its last other consent had ended.
      await records.keep('Client', secretHash(clientId));
      const grantId = await grant.save();
      return provider.interactionResult(req, res, { login: { accountId, remember: false }, consent: { grantId } });
    },
  };
}

const scopesOf = (scope: unknown): Scope[] =>
  String(scope ?? '')
    .split(' ')
    .filter(isScope);

function divide<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/**
 * Makes a grant whose id is known from the start; the library draws one only when it saves. A person who sends the same
 * form twice allows it once. The id need not be secret: no request names a grant.
 */
function grantOf(provider: Provider, of: { accountId: string; clientId: string }, decision: readonly string[]) {
  const grant = new provider.Grant(of);
  grant.jti = secretHash(JSON.stringify([...decision, of.accountId]));
  return grant;
}
