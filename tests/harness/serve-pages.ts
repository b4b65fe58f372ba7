import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BrowserSessions } from '../../src/connector/browser/sessions.ts';
import { SignInCookies } from '../../src/connector/browser/sign-in-cookies.ts';
import { createApp } from '../../src/connector/http/app.ts';
import { createLimits } from '../../src/connector/http/request-limits.ts';
import { createPages } from '../../src/connector/pages/index.ts';
import { refusalPage } from '../../src/connector/pages/refusal-page.ts';
import type { ConsentDesk, PendingConsent } from '../../src/connector/ports/consent-desk.ts';
import type { Identity } from '../../src/connector/ports/identity-provider.ts';
import type { ServiceSettings } from '../../src/connector/services/context.ts';
import { createServices, type Services } from '../../src/connector/services/index.ts';
import { type OpenStore, openStore } from './open-store.ts';
import { serviceContext } from './use-case-context.ts';

export interface SignedInPerson {
  accountId: string;
  /** The header of the browser's cookie. */
  cookie: string;
  /** The proof that forms carry which this session was given. */
  csrf: string;
}

/** The browser pages behind the connector's HTTP edge, over a real store; the bouncer accepts every request. */
export interface ServedPages extends AsyncDisposable {
  baseUrl: string;
  open: OpenStore;
  services: Services;
  /** The identity that the provider names next. */
  arriving: Identity;
  /** The authorization request that waits. */
  pending: PendingConsent | 'client_gone';
  /** Decisions about authorization requests. */
  decisions: string[];
  /** The use cases that pages and forms have called, in order. */
  calls: string[];
  /** A signed-in person, with all channels enabled. */
  person(login: string): Promise<SignedInPerson>;
}

export interface ServedPagesOptions {
  settings?: Partial<ServiceSettings>;
  /** Use cases in place of the real ones. */
  played?: Partial<Services>;
  adminEvents?: boolean;
}

const CALLBACK = 'https://agent.example/callback';

const PENDING: PendingConsent = {
  clientName: 'Agent',
  vouchedBy: undefined,
  redirectUri: CALLBACK,
  scopes: ['irc:read'],
};

const NO_LIMIT = 1_000_000;

export async function servePages(options: ServedPagesOptions = {}): Promise<ServedPages> {
  const { settings = {}, played = {}, adminEvents = false } = options;
  const open = await openStore();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = serviceContext(open, { maxUsers: 20, settingsUrl: `${baseUrl}/settings`, ...settings });
  const services = { ...createServices(context), ...played };
  const decided = (decision: string) => async () => {
    pages.decisions.push(decision);
    return CALLBACK;
  };
  const consentDesk: ConsentDesk = {
    pending: async () => pages.pending,
    attend: async () => undefined,
    approve: decided('allow'),
    deny: decided('deny'),
  };
  const pages: ServedPages = {
    baseUrl,
    open,
    services,
    arriving: { issuer: 'https://id.example', subject: '1', login: 'ada' },
    pending: PENDING,
    decisions: [],
    calls: [],
    person: async (login) => {
      const accountId = await open.account(login, context.settings.ircChannels);
      const secret = await open.store.browserSessions.create(accountId);
      const session = await open.store.browserSessions.use(secret);
      return { cookie: `__Host-homeport=${secret}`, csrf: session?.csrfToken ?? '', accountId };
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await context.presence.close();
      await open[Symbol.asyncDispose]();
    },
  };
  const app = createApp({
    baseUrl,
    log: context.log,
    trustedProxies: [],
    settingsUrl: context.settings.settingsUrl,
    limits: createLimits({
      limits: () => ({ perClient: NO_LIMIT, perAddress: NO_LIMIT }),
      now: () => open.clock.now(),
    }),
    verifyToken: async () => undefined,
    isAdminToken: () => false,
    openerPaths: [],
    unready: () => undefined,
    renderPage: refusalPage,
    guarded: [],
    open: [
      createPages({
        baseUrl,
        ircChannels: context.settings.ircChannels,
        retention: () => context.settings.retention,
        adminEvents,
        services: noting(services, pages.calls),
        sessions: new BrowserSessions({ store: open.store.browserSessions, alsoForget: ['of-the-library'] }),
        signInCookies: new SignInCookies({ seal: context.seal, now: () => open.clock.now() }),
        identityProvider: {
          start: async () => {
            const state = randomUUID();
            return {
              url: `${baseUrl}/login/idp/callback?code=1&state=${state}`,
              attempt: { state, nonce: randomUUID(), codeVerifier: randomUUID() },
            };
          },
          finish: async () => pages.arriving,
        },
        consentDesk,
      }),
    ],
  });
  server.on('request', app);
  return pages;
}

/** Wraps use cases, and records the names of those that are called. */
const noting = (services: Services, calls: string[]): Services =>
  new Proxy(services, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        calls.push(String(name));
        return Reflect.apply(value, target, given);
      };
    },
  });
