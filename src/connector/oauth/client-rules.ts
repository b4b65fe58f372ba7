import { type Client, type Configuration, errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { CLIENT_ID_MAX_BYTES, isDocumentAddress } from '../domain/client-id.ts';
import { newId } from '../random.ts';
import { dropUnused, fitMetadata, METHODS_MEMBER } from './policy/client-metadata.ts';
import { differInPortOnly, redirectUriProblem } from './policy/redirect-uri.ts';

/**
 * Our rules for clients that describe themselves at an address, applied whenever the library reads such a document.
 * Registered clients stay as they registered: the rules may have changed since.
 * @param configuredId id of the one client that stands in the configuration
 */
export function clientRules(configuredId: string | undefined): NonNullable<Configuration['extraClientMetadata']> {
  return {
    properties: [METHODS_MEMBER],
    validator: (_ctx, _member, _value, metadata: Record<string, unknown>) => {
      const { client_id: id } = metadata;
      const isDocument = id !== configuredId && typeof id === 'string' && isDocumentAddress(id);
      const problem = isDocument ? fitMetadata(metadata, 'document') : undefined;
      if (problem !== undefined) throw new errors.InvalidClientMetadata(problem);
      dropUnused(metadata);
    },
  };
}

/** Refuses an address that is too long to be stored, before its host is asked. @throws InvalidClient */
export function requireShortId(clientId: string): void {
  const bytes = Buffer.byteLength(clientId);
  if (bytes <= CLIENT_ID_MAX_BYTES) return;
  throw new errors.InvalidClient(
    `client_id is ${bytes} bytes long, and an address may have ${CLIENT_ID_MAX_BYTES.toLocaleString('en')}`,
  );
}

/**
 * Applies our rules for a registration before the library reads it, because they decide whether the client gets a
 * secret. The id factory is the library's only hook between the body and the client.
 * @returns the id of the client
 */
export function fitRegistration(ctx: KoaContextWithOIDC): string {
  const body: Record<string, unknown> = ctx.oidc.body ?? {};
  const problem = fitMetadata(body, 'registration');
  if (problem !== undefined) throw new errors.InvalidClientMetadata(problem);
  dropUnused(body);
  return newId('cli');
}

/**
 * The library lets native clients vary a loopback port. The addresses of a registered client are compared exactly; a
 * document can't name the port that an app will find free on a person's machine.
 * @spec connector#authentication
 */
export function compareRedirectsExactly(provider: Provider): void {
  provider.Client.prototype.redirectUriAllowed = function allowed(this: Client, uri: string): boolean {
    const { redirectUris = [] } = this;
    if (redirectUris.includes(uri)) return true;
    if (!('clientIdMetadataDocument' in this) || redirectUriProblem(uri, { isPublic: true }) !== undefined)
      return false;
    return redirectUris.some((known) => differInPortOnly(known, uri));
  };
}
