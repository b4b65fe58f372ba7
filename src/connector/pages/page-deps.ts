import type { Logger } from '../../kernel/log.ts';
import type { BrowserSessionStore } from '../ports/browser-sessions.ts';
import type { ConsentDesk } from '../ports/consent-desk.ts';
import type { IdentityProvider } from '../ports/identity-provider.ts';
import type { Seal } from '../ports/seal.ts';
import type { Services } from '../services/index.ts';

/** What the pages need; each page takes what it uses. */
export interface PageDeps {
  baseUrl: string;
  network: { name: string; address: string };
  services: Services;
  sessions: BrowserSessionStore;
  identityProvider: IdentityProvider;
  seal: Seal;
  now(): number;
  consentDesk: ConsentDesk;
  /** Cookies of the authorization server; they end with the person's own session. */
  authorizationCookies: readonly string[];
  log: Logger;
}
