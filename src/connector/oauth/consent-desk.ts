import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { isScope } from '../domain/scope.ts';
import type { ConsentDesk } from '../ports/consent-desk.ts';
import { resourceVariants } from './policy/resource.ts';

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
