import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { isPrivateUse } from './policy/redirect-uri.ts';

/** Where a browser goes once a person has decided. */
export interface Departure {
  /** With what the client is to learn: a code, or that the person declined. */
  href: string;
  /** Whether that is an app on the person's machine: then the browser stays at the page that sent it there. */
  isApp: boolean;
}

/**
 * Sends the browser to the client by a page of ours, which leaves at once by itself. A redirect would go on from the person's
 * form, and Chromium holds every address in such a chain against the form's policy: also those to which the client sends the
 * browser on, which no server can know. The page has the code: nothing keeps it (`no-store`), and its address goes to no other
 * site (the edge's `Referrer-Policy`).
 * @see W3C Content Security Policy Level 3 §6.4.1
 */
export function leaveByPage(provider: Provider, departurePage: (departure: Departure) => string): void {
  provider.use(async (ctx, next) => {
    await next();
    const { oidc } = ctx as Partial<KoaContextWithOIDC>;
    const target: unknown = ctx.response.get('Location');
    // The only other way on from there is another question to the person, on a page of ours.
    if (oidc?.route !== 'resume' || typeof target !== 'string' || /^(?:\/|$)/.test(target)) return;
    ctx.remove('Location');
    ctx.status = 200;
    ctx.type = 'html';
    ctx.body = departurePage({ href: target, isApp: isPrivateUse(target) });
  });
}
