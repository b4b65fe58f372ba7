import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { plainReason } from './plain-reasons.ts';
import { isLoopback, isPrivateUse } from './policy/redirect-uri.ts';
import { LATER } from './refusal-texts.ts';

/** A link that leads out of an error page. */
export interface WayBack {
  href: string;
  label: string;
}

export interface ErrorRedirectParts {
  /** Path of the page where a person decides about a valid request. */
  interactionPath: string;
  /** Whether a person has ever allowed this client, or the owner has configured it. */
  isKnown(clientId: string): Promise<boolean>;
  errorPage(message: string, back?: WayBack): string;
}

/**
 * Shows a page before a failed request leaves for the client. Any stranger may register an address and send people to
 * us with an invalid request: they would come out at that address, through us, without being asked. So a request that
 * fails at once is redirected only to a client that a person has allowed before, or to the person's own machine; else a
 * page says what is wrong, and has a link back to the client.
 * @see RFC 9700 §4.11.2
 */
export function askBeforeErrorRedirects(provider: Provider, parts: ErrorRedirectParts): void {
  // Without the database the page is shown: it is right for any client.
  const isKnown = (clientId: string): Promise<boolean> => parts.isKnown(clientId).catch(() => false);
  provider.use(async (ctx, next) => {
    await next();
    const { oidc } = ctx as Partial<KoaContextWithOIDC>;
    const target: unknown = ctx.response.get('Location');
    if (oidc?.route !== 'authorization' || typeof target !== 'string' || target === '') return;
    if (target.startsWith(`${parts.interactionPath}/`)) return;
    if (isLoopback(target) || (oidc.client !== undefined && (await isKnown(oidc.client.clientId)))) return;
    ctx.remove('Location');
    ctx.status = new URL(target).searchParams.get('error') === LATER ? 503 : 400;
    ctx.type = 'html';
    ctx.body = parts.errorPage(reasonIn(target), { href: target, label: labelOf(target) });
  });
}

function reasonIn(target: string): string {
  const { searchParams } = new URL(target);
  return plainReason(searchParams.get('error_description') ?? searchParams.get('error') ?? 'the request is not valid');
}

const labelOf = (target: string): string =>
  isPrivateUse(target) ? `Back to the app for ${new URL(target).protocol} links` : `Back to ${new URL(target).host}`;
