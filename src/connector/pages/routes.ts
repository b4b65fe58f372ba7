import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../kernel/log.ts';
import type { Scope } from '../domain/scope.ts';
import type { BrowserSessionStore, IdentityProvider } from '../ports.ts';
import type { Services } from '../services/index.ts';

/** What the pages need; each page takes what it uses. */
export interface PageDeps {
  baseUrl: string;
  network: { name: string; address: string };
  services: Services;
  sessions: BrowserSessionStore;
  identityProvider: IdentityProvider;
  seal: { close(text: string, place: string): string; open(sealed: string, place: string): string };
  now(): number;
  consentDesk: ConsentDesk;
  /** Cookies of the authorization server, which end with the person's own session. */
  authorizationCookies: readonly string[];
  log: Logger;
}

/** What the consent page asks of the authorization server. */
export interface ConsentDesk {
  pending(req: IncomingMessage, res: ServerResponse): Promise<PendingConsent | undefined>;
  approve(req: IncomingMessage, res: ServerResponse, accountId: string): Promise<string>;
  deny(req: IncomingMessage, res: ServerResponse): Promise<string>;
}

export interface PendingConsent {
  clientName: string;
  redirectUri: string;
  scopes: Scope[];
}
