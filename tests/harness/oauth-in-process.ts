import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import { type DestinationStream, pino } from 'pino';
import { vi } from 'vitest';
import { isScope, SCOPES } from '../../src/connector/domain/scope.ts';
import type { VerifiedToken } from '../../src/connector/domain/verified-token.ts';
import { createTokenVerifier } from '../../src/connector/oauth/access-tokens.ts';
import { adoptConsents } from '../../src/connector/oauth/adopt-consents.ts';
import { ClientDocuments, type FetchDocument } from '../../src/connector/oauth/client-documents.ts';
import { createOauthRouter } from '../../src/connector/oauth/oauth-router.ts';
import { createProvider } from '../../src/connector/oauth/provider.ts';
import { createConsentDesk } from '../../src/connector/oauth/stored-consents.ts';
import { departurePage } from '../../src/connector/pages/departure-page.ts';
import type { PendingConsent } from '../../src/connector/ports/consent-desk.ts';
import type { ConsentStore } from '../../src/connector/ports/consent-store.ts';
import type { Freshness } from '../../src/connector/ports/invalidations.ts';
import type { OauthRecords } from '../../src/connector/ports/oauth-records.ts';
import { createSeal } from '../../src/connector/store/aes-seal.ts';
import { createOauthStore } from '../../src/connector/store/oauth-store.ts';
import { CookieBrowser } from './cookie-browser.ts';
import { type OpenStore, openStore } from './open-store.ts';

/** The connector's authorization server alone, over a real database, at a time that the test moves. */
export interface OauthInProcess extends AsyncDisposable {
  baseUrl: string;
  opened: OpenStore;
  records: OauthRecords;
  consents: ConsentStore;
  /** A browser of a person, who gets an account. */
  signIn(login: string): Promise<CookieBrowser>;
  accountOf(login: string): string;
  verify(accessToken: string): Promise<VerifiedToken | undefined>;
  /** Drops all state in memory; the database and the keys stay. */
  restart(): Promise<void>;
  /** Lets time pass, for the library too. */
  pass(ms: number): void;
  /** Sets the clock forward or back, for the library too. */
  setClock(ms: number): void;
  /** Called when a request has come, before it is answered. */
  onRequest: () => void;
  /** Consent that a person was last asked for. */
  readonly pending: PendingConsent | undefined;
}

export interface OauthInProcessOptions {
  legacyClient?: { id: string; secret: string; redirectUris: string[] };
  /** Fetches clients' documents; by default no host answers. */
  fetchDocument?: FetchDocument;
  takesDocuments?: boolean;
  /** Whether other processes serve; by default none does. A restart then stands for another process. */
  freshness?: Freshness;
  /** Takes the log, line by line. */
  logTo?: DestinationStream;
}

export async function openOauth(options: OauthInProcessOptions = {}): Promise<OauthInProcess> {
  const { legacyClient, fetchDocument, takesDocuments = true, freshness, logTo } = options;
  const opened = await openStore();
  const log = logTo === undefined ? pino({ level: 'silent' }) : pino({}, logTo);
  const seal = createSeal(randomBytes(32));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signingKey = { ...privateKey.export({ format: 'jwk' }) };
  const cookieKeys = [randomBytes(32).toString('base64url')];
  const accounts = new Map<string, string>();
  let pending: PendingConsent | undefined;

  let handle: RequestListener;
  const server = createServer((req, res) => {
    opening.onRequest();
    handle(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const build = async () => {
    const store = createOauthStore(opened.database, seal, opened.clock);
    const documents = new ClientDocuments({
      ...store,
      clock: opened.clock,
      log,
      ...(freshness === undefined ? {} : { freshness }),
      fetchDocument: fetchDocument ?? (async () => ({ kind: 'unreachable' })),
    });
    await adoptConsents({ ...store, legacyClient, log });
    const provider = createProvider({
      ...store,
      documents,
      takesDocuments,
      baseUrl,
      cookieKeys: () => cookieKeys,
      signingKey,
      clock: opened.clock,
      log,
      legacyClient,
      accountExists: async (accountId) => (await opened.store.accounts.find(accountId)) !== undefined,
      departurePage,
      errorPage: (message, back) =>
        back === undefined ? message : `${message}\n<a href="${back.href}">${back.label}</a>`,
    });
    const desk = createConsentDesk({ provider, baseUrl, documents, clock: opened.clock, ...store });
    const app = express();
    app.use(createOauthRouter(provider, baseUrl, () => undefined, takesDocuments));
    app.get('/oauth/interaction/:uid', async (req, res) => {
      const found = await desk.pending(req, res);
      pending = found === 'client_gone' ? undefined : found;
      const accountId = accountIn(req);
      if (accountId !== '') await desk.attend(req, res, accountId);
      res.send('<form method="post"></form>');
    });
    app.post('/oauth/interaction/:uid', express.urlencoded(), async (req, res) => {
      const { decision, scope } = req.body as { decision: string; scope?: string | string[] };
      // A form that names no scope leaves all of them ticked.
      const scopes = scope === undefined ? SCOPES : [scope].flat().filter(isScope);
      const accountId = accountIn(req);
      const goTo = decision === 'allow' ? desk.approve(req, res, { accountId, scopes }) : desk.deny(req, res);
      res.redirect(303, await goTo);
    });
    handle = app;
    return { ...store, verify: createTokenVerifier(provider, baseUrl) };
  };
  let built = await build();
  vi.useFakeTimers({ toFake: ['Date'], now: opened.clock.now() });

  const opening: OauthInProcess = {
    baseUrl,
    opened,
    onRequest: () => undefined,
    get records() {
      return built.records;
    },
    get consents() {
      return built.consents;
    },
    get pending() {
      return pending;
    },
    signIn: async (login) => {
      const accountId = accounts.get(login) ?? (await opened.account(login));
      accounts.set(login, accountId);
      const browser = new CookieBrowser();
      browser.setCookie(baseUrl, 'account', accountId);
      return browser;
    },
    accountOf: (login) => accounts.get(login) ?? '',
    verify: (accessToken) => built.verify(accessToken),
    restart: async () => {
      built = await build();
    },
    pass: (ms) => {
      opened.clock.set(opened.clock.now() + ms);
      vi.setSystemTime(opened.clock.now());
    },
    setClock: (ms) => {
      opened.clock.step(ms);
      vi.setSystemTime(opened.clock.now());
    },
    [Symbol.asyncDispose]: async () => {
      vi.useRealTimers();
      server.closeAllConnections();
      server.close();
      await opened[Symbol.asyncDispose]();
    },
  };
  return opening;
}

const accountIn = ({ headers }: Request): string => /\baccount=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '';
