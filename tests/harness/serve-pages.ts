import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { BrowserSessions } from '../../src/connector/browser/sessions.ts';
import { SignInCookie } from '../../src/connector/browser/sign-in-cookie.ts';
import { answerErrors } from '../../src/connector/http/errors.ts';
import { createPages } from '../../src/connector/pages/index.ts';
import { refusalPage } from '../../src/connector/pages/refusal-page.ts';
import type { ConsentDesk } from '../../src/connector/ports/consent-desk.ts';
import type { Identity } from '../../src/connector/ports/identity-provider.ts';
import { createServices } from '../../src/connector/services/index.ts';
import { type OpenStore, openStore } from './open-store.ts';
import { serviceContext } from './use-case-context.ts';

/** The browser pages over a real store, without the network, the bouncer and the identity provider behind them. */
export interface ServedPages extends AsyncDisposable {
  baseUrl: string;
  open: OpenStore;
  /** Whom the identity provider names next. */
  arriving: Identity;
  /** What was decided about authorization requests; one always waits. */
  decisions: string[];
  /** A signed-in person's browser: the header of its cookie, and the proof that its forms carry. */
  person(login: string): Promise<{ cookie: string; csrf: string; accountId: string }>;
}

export async function servePages(): Promise<ServedPages> {
  const open = await openStore();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = serviceContext(open, { maxUsers: 20, settingsUrl: `${baseUrl}/settings` });
  const services = createServices(context);
  const decided = (decision: string) => async () => {
    pages.decisions.push(decision);
    return 'https://agent.example/callback';
  };
  const consentDesk: ConsentDesk = {
    pending: async () => ({
      clientName: 'Agent',
      redirectUri: 'https://agent.example/callback',
      scopes: ['irc:read'],
    }),
    approve: decided('allow'),
    deny: decided('deny'),
  };
  const pages: ServedPages = {
    baseUrl,
    open,
    arriving: { issuer: 'https://id.example', subject: '1', login: 'ada' },
    decisions: [],
    person: async (login) => {
      const accountId = await open.account(login, context.settings.ircChannels);
      const secret = await open.store.browserSessions.create(accountId);
      const session = await open.store.browserSessions.use(secret);
      return { cookie: `__Host-homeport=${secret}`, csrf: session?.csrfToken ?? '', accountId };
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await open[Symbol.asyncDispose]();
    },
  };
  const app = express();
  app.use(
    createPages({
      baseUrl,
      network: context.settings.network,
      services,
      sessions: new BrowserSessions({ store: open.store.browserSessions, alsoForget: ['of-the-library'] }),
      signInCookie: new SignInCookie({ seal: context.seal, now: () => open.clock.now() }),
      identityProvider: {
        start: async () => ({
          url: `${baseUrl}/login/idp/callback?code=1`,
          attempt: { state: 'state', nonce: 'nonce', codeVerifier: 'verifier' },
        }),
        finish: async () => pages.arriving,
      },
      consentDesk,
    }),
  );
  app.use(answerErrors(context.log, refusalPage));
  server.on('request', app);
  return pages;
}
