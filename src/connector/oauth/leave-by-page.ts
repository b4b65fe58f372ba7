import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { isPrivateUse } from './policy/redirect-uri.ts';

/** The address that a browser goes to once a person has decided. */
export interface Departure {
  /** Address of the client with its result: a code, or that the person declined. */
  href: string;
  /** Whether the address opens an app on the person's machine: then the browser stays on our page. */
  isApp: boolean;
}

/**
 * Sends the browser to the client by a page of ours, which leaves at once by itself. A redirect would continue the
 * person's form, and Chromium checks every address in such a chain against the form's policy: also those to which the
 * client sends the browser on, which no server can know. The page contains the code: `no-store` keeps it out of caches,
 * and the edge's `Referrer-Policy` keeps its address from other sites.
 * @see W3C Content Security Policy Level 3 §6.4.1
 */
export function leaveByPage(provider: Provider, departurePage: (departure: Departure) => string): void {
  provider.use(async (ctx, next) => {
    await next();
    const { oidc } = ctx as Partial<KoaContextWithOIDC>;
    const target: unknown = ctx.response.get('Location');
    // The only other next step is another question to the person, on a page of ours.
    if (oidc?.route !== 'resume' || typeof target !== 'string' || /^(?:\/|$)/.test(target)) return;
    ctx.remove('Location');
    ctx.status = 200;
    ctx.type = 'html';
    ctx.body = departurePage({ href: target, isApp: isPrivateUse(target) });
  });
}
