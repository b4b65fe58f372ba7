import { type Client, type Configuration, errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { isDocumentAddress } from '../domain/client-id.ts';
import {
  dropUnused,
  fitDocument,
  METHODS_MEMBER,
  nameNativeApps,
  registrationProblem,
} from './policy/client-metadata.ts';
import { differInPortOnly, redirectUriProblem } from './policy/redirect-uri.ts';

/**
 * Our rules for what clients say of themselves, applied by the library whenever it makes one of such words.
 * @param configuredId of the one client that is known from the configuration
 */
export function clientRules(configuredId: string | undefined): NonNullable<Configuration['extraClientMetadata']> {
  return {
    properties: [METHODS_MEMBER],
    validator: (ctx: KoaContextWithOIDC | undefined, _member, _value, metadata: Record<string, unknown>) => {
      const problem = problemOf(ctx, metadata, configuredId);
      if (problem !== undefined) throw new errors.InvalidClientMetadata(problem);
      dropUnused(metadata);
    },
  };
}

/** Without a context a client is loaded: what it registered earlier stays good, and a document of its own is read anew. */
function problemOf(
  ctx: KoaContextWithOIDC | undefined,
  metadata: Record<string, unknown>,
  configuredId: string | undefined,
): string | undefined {
  const { client_id: id } = metadata;
  if (ctx !== undefined) {
    const problem = registrationProblem(ctx.oidc.body ?? {});
    if (problem === undefined) nameNativeApps(metadata);
    return problem;
  }
  if (id === configuredId || typeof id !== 'string' || !isDocumentAddress(id)) return undefined;
  const problem = fitDocument(metadata);
  if (problem === undefined) nameNativeApps(metadata);
  return problem;
}

/**
 * The library lets native clients vary a loopback port. One that registered has its addresses compared as it registered
 * them; a document can't name the port that an app will find free on somebody's machine.
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
