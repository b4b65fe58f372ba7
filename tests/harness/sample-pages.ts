import type { BrowserContext, Page } from 'playwright-core';
import type { PendingConsent } from '../../src/connector/ports/consent-desk.ts';
import type { NetworkChoice } from '../../src/connector/services/choose-network.ts';
import type { Services } from '../../src/connector/services/index.ts';
import type { IrcStatus } from '../../src/connector/services/irc-status.ts';
import type { AgentAccess } from '../../src/connector/services/list-agents.ts';
import type { PeoplePage } from '../../src/connector/services/list-people.ts';
import type { SubscriptionView } from '../../src/connector/services/list-subscriptions.ts';
import type { NetworkLogins } from '../../src/connector/services/network-login.ts';
import { capturedLine } from './open-store.ts';
import { type ServedPages, servePages } from './serve-pages.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The clock of the pages stands still, so that their pictures stay as they are. */
const NOW = Date.UTC(2026, 0, 1);

const OWNER = { issuer: 'https://id.example', subject: '1', login: 'ada' };
const GUEST = { issuer: 'https://id.example', subject: '2', login: 'grace' };

const ONLINE: IrcStatus = {
  state: 'online',
  nickInUse: 'grace2',
  problems: ['the nick is grace2, because the IRC network refused another one: Nickname is already in use'],
  notJoined: { '#ops': 'Cannot join channel (+i)' },
};

const OFFLINE: IrcStatus = { state: 'offline', nickInUse: null, problems: [], notJoined: {} };

const NETWORKS: NetworkChoice[] = [
  { name: 'main', address: 'ircs://irc.example.org', isChosen: true },
  { name: 'quiet', address: 'ircs://quiet.example.net:6697', isChosen: false },
];

const LOGINS: NetworkLogins = {
  network: { name: 'main', address: 'ircs://irc.example.org' },
  present: {
    loginId: 'login-1',
    network: { name: 'main', address: 'ircs://irc.example.org' },
    kind: 'password',
    name: 'grace',
    fingerprints: undefined,
    state: 'lost',
    words: 'SASL authentication failed: <b>suspended</b>',
  },
  others: [
    {
      loginId: 'login-2',
      network: { name: 'quiet', address: 'ircs://quiet.example.net:6697' },
      kind: 'certificate',
      name: undefined,
      fingerprints: { sha256: '0'.repeat(64), sha512: '0'.repeat(128) },
      state: 'accepted',
      words: null,
    },
  ],
  loggedInAs: null,
};

/** Login by a certificate, which the page shows until the network accepts it and after. */
const BY_CERTIFICATE: NetworkLogins = {
  network: LOGINS.network,
  present: {
    loginId: 'login-3',
    network: LOGINS.network,
    kind: 'certificate',
    name: undefined,
    fingerprints: { sha256: '0a1b2c3d'.repeat(8), sha512: '4e5f6a7b'.repeat(16) },
    state: 'waiting',
    words: null,
  },
  others: [],
  loggedInAs: null,
};

const AGENTS: AgentAccess[] = [
  {
    consentId: 'consent-1',
    clientId: 'client-1',
    clientName: 'Claude',
    givenName: null,
    vouchedBy: 'claude.ai',
    scopes: ['irc:read', 'irc:write'],
    createdAt: NOW - 40 * DAY_MS,
    lastUsedAt: NOW - 3 * MINUTE_MS,
    endsAt: null,
    sessions: { count: 2, lastUsedAt: NOW - 3 * MINUTE_MS },
  },
  {
    consentId: 'consent-2',
    clientId: 'client-2',
    clientName: 'Agent <b>of the night shift</b>',
    givenName: 'Night shift',
    vouchedBy: undefined,
    scopes: ['irc:read'],
    createdAt: NOW - DAY_MS,
    lastUsedAt: NOW - DAY_MS,
    endsAt: null,
    sessions: { count: 0, lastUsedAt: null },
  },
  {
    consentId: 'consent-3',
    clientId: 'tok_3',
    clientName: 'Nightly report',
    givenName: null,
    vouchedBy: undefined,
    scopes: ['irc:read'],
    createdAt: NOW - 2 * DAY_MS,
    lastUsedAt: NOW + 58 * DAY_MS,
    endsAt: NOW + 88 * DAY_MS,
    sessions: { count: 1, lastUsedAt: NOW - DAY_MS },
  },
];

const SUBSCRIPTIONS: SubscriptionView[] = [
  {
    subscriptionId: 'subscription-1',
    clientId: 'client-1',
    clientName: 'Claude',
    filters: {},
    callbackHost: 'hooks.agent.example',
    createdAt: NOW - 2 * DAY_MS,
    expiresAt: NOW + DAY_MS,
    isPaused: false,
    state: 'accepted',
    outcomeAt: NOW - DAY_MS,
    acceptedAt: NOW - DAY_MS,
    failingSince: null,
    lastFailure: null,
    droppedCount: 0,
    accountId: 'account',
  },
  {
    subscriptionId: 'subscription-2',
    clientId: 'client-2',
    clientName: 'Agent <b>of the night shift</b>',
    filters: { network: 'main', channel: '#ops', sender: 'linus', keyword: 'deploy failed' },
    callbackHost: 'a-rather-long-name-of-a-receiver.hooks.agent.example',
    createdAt: NOW - DAY_MS,
    expiresAt: NOW + 30 * DAY_MS,
    isPaused: true,
    state: 'failed',
    outcomeAt: NOW - 2 * MINUTE_MS,
    acceptedAt: null,
    failingSince: NOW - 12 * MINUTE_MS,
    lastFailure: 'tls_error',
    droppedCount: 12,
    accountId: 'account',
  },
];

const HEARD = (
  [
    ['linus', 'message', 'good morning'],
    ['hedy', 'join', ''],
    [
      'hedy',
      'message',
      'the deploy of yesterday is still <b>red</b>: https://ci.example.org/builds/with/a/rather/long/address/4711',
    ],
    ['linus', 'action', 'looks at it'],
    ['linus', 'topic', 'Releases on Tuesdays'],
    ['radia', 'part', 'bye'],
  ] as const
).map(([sender, kind, text], n) => ({
  line: { ...capturedLine(text, NOW - DAY_MS + n * 7 * 60 * MINUTE_MS), sender, kind, fingerprintBase: `heard ${n}` },
  own: undefined,
}));

/**
 * Data that the store can't have without agents, a network and receivers of mentions; an account that is not busy has
 * no such data.
 */
export const sampleLife = (isBusy: (accountId: string) => boolean): Partial<Services> => ({
  ircStatus: async (accountId) => (isBusy(accountId) ? ONLINE : OFFLINE),
  networks: async () => NETWORKS,
  networkLogins: async (accountId) => (isBusy(accountId) ? LOGINS : BY_CERTIFICATE),
  agents: async (accountId) => (isBusy(accountId) ? AGENTS : []),
  subscriptions: async (accountId) => (isBusy(accountId) ? SUBSCRIPTIONS : []),
  // The token is always the same, so that its picture stays as it is.
  createPersonalToken: async () => ({ token: `homeport_${'example'.repeat(6)}X`, endsAt: NOW + 90 * DAY_MS }),
});

/** The last of many people who were searched for. */
const SEARCHED_FOR = 'department';
const LAST_OF_MANY: PeoplePage = {
  people: ['hedy', 'katherine', 'radia'].map((nick, index) => ({
    accountId: `account-${nick}`,
    login: `${nick}@department.example.org`,
    nick,
    isOwner: false,
    hasSignedIn: index > 0,
    granted: ['#ops', '#room'],
    enabled: index > 0 ? ['#room'] : [],
  })),
  page: 3,
  pages: 3,
  found: 103,
};

export interface Visitor {
  page: Page;
  visit(sample: SamplePage): Promise<void>;
}

/** The pages of a small team: its owner ada, grace, who has all that a person may have, and others. */
export async function serveSamplePages(): Promise<ServedPages> {
  let busy: string | undefined;
  const pages = await servePages({
    settings: {
      ownerLogins: ['ada'],
      personalTokens: true,
      ircChannels: ['#ops', '#room', '#a-channel-whose-name-is-quite-long'],
    },
    played: sampleLife((accountId) => accountId === busy),
  });
  const { services } = pages;
  const everybody = services.people;
  services.people = async (request) => (request?.search === SEARCHED_FOR ? LAST_OF_MANY : everybody(request));
  await services.signIn(OWNER);
  await services.invite({ login: GUEST.login, channels: ['#ops', '#room'] });
  const { accountId } = await services.signIn(GUEST);
  busy = accountId;
  await services.enableChannels(accountId, ['#ops', '#room']);
  await pages.open.store.capture.ingest(accountId, 'main', { lines: HEARD, isReplay: false, synced: new Set() });
  await services.invite({ login: 'linus', channels: [] });
  await services.invite({ login: 'somebody-with-a-long-login@department.example.org', channels: ['#room'] });
  return pages;
}

/** One page as a person finds it. */
export interface SamplePage {
  /** Name of the page, and of its picture. */
  name: string;
  /** The person who looks; by default a visitor who is not signed in. */
  as?: keyof typeof PEOPLE;
  path: string;
  /** The authorization request that waits. */
  pending?: PendingConsent;
  /** Acts of the person before the picture is taken. */
  act?: (page: Page) => Promise<void>;
  /** The rest of the page is on another picture. */
  isPart?: true;
}

const STRANGER = { issuer: 'https://id.example', subject: '9', login: 'mallory' };

const PEOPLE = { owner: OWNER, guest: GUEST };

const CONSENT_PATH = '/oauth/interaction/uid';

const OF_A_SITE: PendingConsent = {
  clientName: 'Claude',
  vouchedBy: undefined,
  redirectUri: 'https://agent.example/callback',
  scopes: ['irc:read', 'irc:write'],
};

const OF_AN_APP: PendingConsent = {
  clientName: 'Cursor',
  vouchedBy: undefined,
  redirectUri: 'cursor://anysphere.cursor-mcp/oauth/callback',
  scopes: ['irc:read', 'irc:write'],
};

/** The pages, in the order of the people who look at them. */

export const samplePages: readonly SamplePage[] = [
  { name: 'sign-in', path: '/login' },
  { name: 'not-invited', path: '/login/idp' },
  { name: 'not-found', path: '/nothing' },
  { name: 'privacy', path: '/privacy' },
  { name: 'consent', as: 'guest', path: CONSENT_PATH, pending: OF_A_SITE },
  { name: 'consent-app', as: 'guest', path: CONSENT_PATH, pending: OF_AN_APP },
  { name: 'settings', as: 'guest', path: '/settings?done=channels' },
  { name: 'nick-refused', as: 'guest', path: '/settings', act: refuseNick, isPart: true },
  { name: 'history', as: 'guest', path: '/history?channel=%23room' },
  { name: 'found', as: 'guest', path: '/history?search=deploy', isPart: true },
  { name: 'token', as: 'guest', path: '/settings', act: makeToken },
  { name: 'delete-history', as: 'guest', path: '/settings/history/delete' },
  { name: 'owner', as: 'owner', path: '/settings', act: openAll },
  { name: 'people', as: 'owner', path: `/settings?who=${SEARCHED_FOR}&people=3#people`, isPart: true },
  { name: 'person', as: 'owner', path: '/settings', act: (page) => follow(page, 'Change grace') },
  { name: 'owner-of-all', as: 'owner', path: '/settings', act: (page) => follow(page, 'Change ada') },
  {
    name: 'remove-person',
    as: 'owner',
    path: '/settings',
    act: async (page) => {
      await follow(page, 'Change grace');
      await follow(page, 'Remove grace…');
    },
  },
];

/** A browser that goes from page to page, signed in as the person who looks at each. */
export async function openVisitor(context: BrowserContext, pages: ServedPages): Promise<Visitor> {
  const page = await context.newPage();
  let signedIn: SamplePage['as'];
  return {
    page,
    visit: async ({ as, path, pending = OF_A_SITE, act }) => {
      pages.pending = pending;
      pages.arriving = as === undefined ? STRANGER : PEOPLE[as];
      if (as !== signedIn) {
        await context.clearCookies();
        await page.goto(`${pages.baseUrl}/login/idp`);
        signedIn = as;
      }
      await page.goto(pages.baseUrl + path);
      await act?.(page);
    },
  };
}

async function openAll(page: Page): Promise<void> {
  for (const summary of await page.locator('summary').all()) await summary.click();
}

async function follow(page: Page, link: string): Promise<void> {
  await page.getByRole('link', { name: link, exact: true }).click();
  await page.waitForLoadState();
}

async function makeToken(page: Page): Promise<void> {
  await page.getByText('An agent without a browser').click();
  await page.getByLabel('Name of the agent').fill('Nightly report');
  await page.getByRole('button', { name: 'Make a token' }).click();
  await page.getByRole('heading', { name: 'Your token for Nightly report' }).waitFor();
}

async function refuseNick(page: Page): Promise<void> {
  await page.getByText('Change nick').click();
  await page.getByLabel('New nick').fill('no nick');
  await page.getByRole('button', { name: 'Save nick' }).click();
  await page.getByRole('alert').waitFor();
}
