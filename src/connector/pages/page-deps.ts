import type { BrowserSessions } from '../browser/sessions.ts';
import type { SignInCookies } from '../browser/sign-in-cookies.ts';
import type { ConsentDesk } from '../ports/consent-desk.ts';
import type { IdentityProvider } from '../ports/identity-provider.ts';
import type { Services } from '../services/index.ts';

/** What the pages need; each page takes what it uses. */
export interface PageDeps {
  baseUrl: string;
  /** Channels that an owner may grant. */
  ircChannels: readonly string[];
  /** What is kept at most, at this moment: a reload may change it. */
  retention(): { days: number; entriesPerAccount: number };
  /** Whether owners see what agents do, at /admin/events. */
  adminEvents: boolean;
  services: Services;
  sessions: BrowserSessions;
  identityProvider: IdentityProvider;
  signInCookies: SignInCookies;
  consentDesk: ConsentDesk;
}
