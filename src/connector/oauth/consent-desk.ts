import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { isScope, type Scope } from '../domain/scope.ts';
import { resourceVariants } from './policy/resource.ts';

/** What a person is asked to decide. */
export interface ConsentRequest {
  clientId: string;
  clientName: string;
  redirectUri: string;
  scopes: Scope[];
}

/** Between the consent page and the authorization server; each call belongs to the browser's own authorization request. */
export interface ConsentDesk {
  /** Undefined when the request is over or was begun in another browser. */
  pending(req: IncomingMessage, res: ServerResponse): Promise<ConsentRequest | undefined>;
  /** Grants what is pending and returns where the browser goes on. */
  approve(req: IncomingMessage, res: ServerResponse, accountId: string): Promise<string>;
  deny(req: IncomingMessage, res: ServerResponse): Promise<string>;
}

export function createConsentDesk(provider: Provider, baseUrl: string): ConsentDesk {
  const details = (req: IncomingMessage, res: ServerResponse) =>
    provider.interactionDetails(req, res).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
      throw error;
    });
  return {
    pending: async (req, res) => {
      const found = await details(req, res);
      if (found === undefined) return undefined;
      const { client_id: clientId, redirect_uri: redirectUri, scope } = found.params;
      const client = await provider.Client.find(String(clientId));
      if (client === undefined) return undefined;
      return {
        clientId: client.clientId,
        clientName: client.clientName ?? 'A client without a name',
        redirectUri: String(redirectUri),
        scopes: String(scope ?? '')
          .split(' ')
          .filter(isScope),
      };
    },
    approve: async (req, res, accountId) => {
      const { params } = await provider.interactionDetails(req, res);
      const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) });
      const scope = String(params['scope'] ?? '');
      grant.addOIDCScope(scope);
      for (const resource of resourceVariants(baseUrl)) grant.addResourceScope(resource, scope);
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
