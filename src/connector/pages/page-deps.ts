import type { BrowserSessions } from '../browser/sessions.ts';
import type { SignInCookies } from '../browser/sign-in-cookies.ts';
import type { ConsentDesk } from '../ports/consent-desk.ts';
import type { IdentityProvider } from '../ports/identity-provider.ts';
import type { Services } from '../services/index.ts';
import type { Moments } from './moments.ts';

/** Parts that the pages need; each page takes those that it uses. */
export interface PageDeps {
  baseUrl: string;
  /** Channels that an owner may grant. */
  ircChannels: readonly string[];
  /** Limits of retention at this moment: a reload may change them. */
  retention(): { days: number; entriesPerAccount: number };
  /** Whether owners see what agents do, at /admin/events. */
  adminEvents: boolean;
  services: Services;
  sessions: BrowserSessions;
  identityProvider: IdentityProvider;
  signInCookies: SignInCookies;
  consentDesk: ConsentDesk;
}

/** The parts for one reader. */
export interface ReaderDeps extends PageDeps {
  /** Formats times in the reader's time zone. */
  moments: Moments;
}
