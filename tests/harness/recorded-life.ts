import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startErgo } from '../../scripts/stack/ergo.ts';
import type { IrcServer } from '../../scripts/stack/irc-server.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { type Agent, connectAgent, consent } from './agent.ts';
import type { CookieBrowser } from './cookie-browser.ts';
import { type IrcClient, joinIrc } from './irc-client.ts';
import { type IrcProxy, startIrcProxy } from './irc-proxy.ts';
import { authorization, postToken, refresh, type TokenAnswer } from './oauth-client.ts';
import type { AgentFacts, Facts, PersonFacts, SendFacts, SessionFacts } from './recorded-database.ts';
import { type ConnectorStack, LEGACY_CLIENT, startConnectorStack } from './start-connector.ts';
import type { TestDatabase } from './test-database.ts';

/** Lines in #room before retention: some of them go. */
const EARLY_LINES = 112;
const ENTRIES_KEPT = 100;
const LINE_PAUSE_MS = 20;
const LIMIT = 200;

/**
 * Number of last sends, of which some still wait when the program ends: five go out at once, then one each two seconds.
 */
const LAST_SENDS = 9;

const OWNER = 'ada';
const GUEST = 'eve';
const IRC_CHANNELS = ['#room', '#Ops', '#third'];

interface Life {
  stack: ConnectorStack;
  proxy: IrcProxy;
  bob: IrcClient;
}

interface AgentLife {
  agent: Agent;
  clientId: string;
  sessions: string[];
  sends: string[];
  batches: { sessionId: string; channel: string; limit: number }[];
}

interface PersonLife {
  login: string;
  browser: CookieBrowser;
  enabled: string[];
  agents: AgentLife[];
}

/** Has people and agents use the built program with everything it stores, ends it, and returns what it said of them. */
export async function recordLife(database: TestDatabase): Promise<{ facts: Facts; keys: string }> {
  let server: IrcServer | undefined;
  let proxy: IrcProxy | undefined;
  await using stack = await startConnectorStack({
    // It is still to be read when the stack has ended.
    database: { ...database, [Symbol.asyncDispose]: async () => undefined },
    config: { ircChannels: IRC_CHANNELS },
    startServer: async (options) => {
      server = await startErgo(options);
      proxy = await startIrcProxy(server.port);
      return { ...server, port: proxy.port };
    },
  });
  if (server === undefined || proxy === undefined) throw new Error('the IRC server was not started');
  await using _proxy = proxy;
  // The first client in a channel is its operator.
  using bob = await joinIrc(server, 'bob', ['#room', '#Ops']);
  const life = { stack, proxy, bob };

  const ada = await settle(life, OWNER, ['#room', '#Ops'], 2);
  await stack.invite(GUEST, ['#room', '#third']);
  const eve = await settle(life, GUEST, ['#room'], 1);
  const revoked = await revokedAgent(stack);
  const legacy = await legacyAgent(stack);
  for (const { agents } of [ada, eve]) await agentOf(agents, 0).agent.call('go_online');

  await readAndPrune(life, ada, eve);
  await sendAndFail(life, ada, eve);
  await agentOf(eve.agents, 0).agent.call('go_offline');
  const recordedAt = await leaveSendsOpen(life, ada);
  await stack.restartWithoutSoju();
  // Connections of before the restart may still be tried once.
  for (const { agents } of [ada, eve]) {
    for (const { agent } of agents) {
      await waitFor('the agent reaches the program again', () => agent.call('see_account_information'));
    }
  }

  const people = [await factsOf(life, ada, database), await factsOf(life, eve, database)];
  people[0]?.agents.push(await tokensOf(stack, legacy));
  await stack.connector.stop();
  const facts: Facts = {
    recordedAt,
    baseUrl: stack.baseUrl,
    ircChannels: IRC_CHANNELS,
    ownerLogins: [OWNER],
    legacyClient: LEGACY_CLIENT,
    people,
    revoked,
  };
  requireAllStates(facts);
  for (const { agents } of [ada, eve]) for (const { agent } of agents) await agent[Symbol.asyncDispose]();
  return { facts, keys: await readFile(join(stack.folder, 'state/keys.json'), 'utf8') };
}

/** Makes a person who has enabled these channels, with `agentCount` agents. */
async function settle({ stack }: Life, login: string, enabled: string[], agentCount: number): Promise<PersonLife> {
  const browser = await stack.signIn(login);
  await browser.submit(await browser.open(`${stack.baseUrl}/settings`), { channel: enabled }, '/settings');
  const agents: AgentLife[] = [];
  for (let count = 0; count < agentCount; count += 1) {
    const agent = await connectAgent(stack, login);
    agents.push({ agent, clientId: agent.credentials.client?.client_id ?? '', sessions: [], sends: [], batches: [] });
  }
  return { login, browser, enabled, agents };
}

/** Two sessions read how far they like; then retention takes entries that one of them has not read. */
async function readAndPrune(life: Life, ada: PersonLife, eve: PersonLife): Promise<void> {
  const { stack, bob } = life;
  for (let line = 0; line < EARLY_LINES; line += 1) {
    bob.say('#room', `early ${line}`);
    await delay(LINE_PAUSE_MS);
  }
  for (let line = 0; line < 4; line += 1) bob.say('#Ops', `about operations ${line}`);
  const [reader, writer, guest] = [agentOf(ada.agents, 0), agentOf(ada.agents, 1), agentOf(eve.agents, 0)];
  for (const { agent } of [reader, guest]) await captured(agent, '#room', `early ${EARLY_LINES - 1}`);
  await captured(reader.agent, '#Ops', 'about operations 3');
  const [far, near] = [await openSession(reader), await openSession(reader)];
  await Promise.all([openSession(writer), openSession(guest)]);
  await acknowledgeUnread(reader, far, 60);
  await acknowledgeUnread(reader, near, 3);
  await keepAtMost(life, ENTRIES_KEPT);
  await waitFor('retention has passed', async () => {
    const connection = stack.database.connect();
    const counts: { entries: number | string }[] = await connection('entries')
      .groupBy('account_id')
      .count({ entries: '*' });
    await connection.destroy();
    return counts.every(({ entries }) => Number(entries) <= ENTRIES_KEPT);
  });
  await keepAtMost(life, undefined);
  await waitFor('the accounts are back', async () => {
    for (const { agent } of [reader, guest]) {
      const { channels, upstreamConnected } = await agent.call('see_account_information');
      if (upstreamConnected !== true || !(channels as { joined: boolean }[]).every(({ joined }) => joined))
        return false;
    }
    return true;
  });
}

/** Sends that come back, that are refused, and that are refused and then sent again; more is said and read in between. */
async function sendAndFail({ bob }: Life, ada: PersonLife, eve: PersonLife): Promise<void> {
  const [reader, writer, guest] = [agentOf(ada.agents, 0), agentOf(ada.agents, 1), agentOf(eve.agents, 0)];
  const [far = '', near = ''] = reader.sessions;
  const [session = ''] = writer.sessions;
  await becomes(
    writer,
    await say(writer, 'said and heard', { idempotency_key: 'heard', session_id: session }),
    'echoed',
  );
  await becomes(writer, await say(writer, 'said for all sessions'), 'echoed');
  await becomes(reader, await say(reader, 'said by the first session', { session_id: far }), 'echoed');
  await becomes(guest, await say(guest, 'said by a guest'), 'echoed');
  await setMode(bob, '+m');
  const again = { idempotency_key: 'again', session_id: session };
  await becomes(
    writer,
    await say(writer, 'not allowed', { idempotency_key: 'refused', session_id: session }),
    'failed',
  );
  await becomes(writer, await say(writer, 'allowed later', again), 'failed');
  await becomes(reader, await say(reader, 'not allowed either', { session_id: near }), 'failed');
  await setMode(bob, '-m');
  bob.say('#room', 'between the sends');
  await captured(reader.agent, '#room', 'between the sends');
  await acknowledgeUnread(reader, far, LIMIT);
  await becomes(writer, await say(writer, 'allowed later', again), 'echoed');
  for (const text of ['late one', 'late two']) bob.say('#room', text);
  bob.say('#Ops', 'late operations');
  await captured(reader.agent, '#room', 'late two');
  await captured(reader.agent, '#Ops', 'late operations');
  await captured(guest.agent, '#room', 'late two');
  // Batches that are delivered and not acknowledged come again.
  await unread(reader, { sessionId: far, channel: '#Ops', limit: 2 });
  await unread(reader, { sessionId: near, channel: '#room', limit: 5 });
  reader.batches.push({ sessionId: far, channel: '#Ops', limit: 2 }, { sessionId: near, channel: '#room', limit: 5 });
}

/** The server takes no more lines: some sends are written and not heard, some not even written. Returns when that was. */
async function leaveSendsOpen({ stack, proxy }: Life, ada: PersonLife): Promise<number> {
  proxy.isBlackhole = true;
  const writer = agentOf(ada.agents, 1);
  const [session = ''] = writer.sessions;
  const first = await say(writer, 'unheard');
  for (let line = 1; line < LAST_SENDS; line += 1) {
    await say(writer, `unheard ${line}`, line % 2 === 0 ? {} : { session_id: session });
  }
  await becomes(writer, first, 'queued');
  const openAt = Date.now();
  await stack.connector.stop();
  return openAt;
}

async function openSession({ agent, sessions }: AgentLife): Promise<string> {
  const { sessionId } = await agent.call('see_account_information');
  sessions.push(String(sessionId));
  return String(sessionId);
}

async function acknowledgeUnread(reader: AgentLife, sessionId: string, limit: number): Promise<void> {
  const entryIds = (await unread(reader, { sessionId, channel: '#room', limit })).entryIds;
  await reader.agent.call('ack_messages', { channel: '#room', session_id: sessionId, entry_id: entryIds.at(-1) });
}

async function unread(
  { agent }: AgentLife,
  { sessionId, channel, limit }: { sessionId: string; channel: string; limit: number },
): Promise<SessionFacts['batches'][number]> {
  const call = { channel, mode: 'unread', session_id: sessionId, limit };
  const { entries, gap } = await agent.call('read_history', call);
  return { channel, limit, entryIds: idsOf(entries), gap: gap === true };
}

async function say(writer: AgentLife, text: string, more: Record<string, string> = {}): Promise<string> {
  const { messageId } = await writer.agent.call('send_message', { channel: '#room', text, ...more });
  if (!writer.sends.includes(String(messageId))) writer.sends.push(String(messageId));
  return String(messageId);
}

const statusOf = async ({ agent }: AgentLife, messageId: string): Promise<SendFacts> => {
  const status = await agent.call('get_message_status', { message_id: messageId });
  return status as unknown as SendFacts;
};

async function becomes(writer: AgentLife, messageId: string, status: string): Promise<void> {
  await waitFor(`the message is ${status}`, async () => (await statusOf(writer, messageId)).status === status, {
    timeoutMs: 30_000,
  });
}

async function captured(agent: Agent, channel: string, text: string): Promise<void> {
  await waitFor(`${channel} has ${text}`, async () => {
    const { entries } = await agent.call('read_history', { channel, mode: 'recent', limit: 5 });
    return (entries as { text: string }[]).some((entry) => entry.text === text);
  });
}

async function setMode(bob: IrcClient, mode: string): Promise<void> {
  const from = bob.lines.length;
  bob.send('MODE', '#room', mode);
  await waitFor(`the mode is ${mode}`, () => bob.lines.slice(from).some(({ command }) => command === 'MODE'));
}

async function keepAtMost({ stack }: Life, entriesPerAccount: number | undefined): Promise<void> {
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as Record<string, unknown>;
  const retention = entriesPerAccount === undefined ? {} : { retention: { entriesPerAccount } };
  const { retention: _earlier, ...others } = config;
  await writeFile(stack.configFile, JSON.stringify({ ...others, ...retention }, null, 2));
  await stack.restartConnector();
}

async function revokedAgent(stack: ConnectorStack): Promise<Facts['revoked']> {
  await using agent = await connectAgent(stack, OWNER);
  const { client, stored } = agent.credentials;
  const [clientId, refreshToken] = [client?.client_id ?? '', stored?.refresh_token ?? ''];
  const body = new URLSearchParams({ token: refreshToken, client_id: clientId });
  const response = await fetch(`${stack.baseUrl}/oauth/revoke`, { method: 'POST', body });
  if (!response.ok) throw new Error(`revoking ended with ${response.status}`);
  return { clientId, accessToken: agent.accessToken, refreshToken };
}

interface Tokens {
  clientId: string;
  clientSecret: string | null;
  refreshToken: string;
}

async function legacyAgent(stack: ConnectorStack): Promise<Tokens> {
  const { id, secret, redirectUri } = LEGACY_CLIENT;
  const { url, verifier } = authorization(stack, id, { redirect_uri: redirectUri });
  const code = (await consent(stack, OWNER, url)).searchParams.get('code') ?? '';
  const answer = await postToken(stack, {
    grant_type: 'authorization_code',
    client_id: id,
    client_secret: secret,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    resource: stack.baseUrl,
  });
  return { clientId: id, clientSecret: secret, refreshToken: answer.refresh_token };
}

/** The client's tokens after it has refreshed them once. */
async function tokensOf(stack: ConnectorStack, { clientId, clientSecret, refreshToken }: Tokens): Promise<AgentFacts> {
  const answer: TokenAnswer =
    clientSecret === null
      ? await refresh(stack, clientId, refreshToken)
      : await postToken(stack, {
          grant_type: 'refresh_token',
          client_id: clientId,
          client_secret: clientSecret,
          refresh_token: refreshToken,
        });
  if (answer.status !== 200) throw new Error(`refreshing ended with ${answer.status} ${answer.error}`);
  return {
    clientId,
    clientSecret,
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    spentRefreshToken: refreshToken,
    sessions: [],
    sends: [],
  };
}

async function factsOf({ stack }: Life, person: PersonLife, database: TestDatabase): Promise<PersonFacts> {
  const connection = database.connect();
  const account = await connection('accounts').where('login', person.login).first();
  await connection.destroy();
  const settings = await person.browser.open(`${stack.baseUrl}/settings`);
  const boxes = [...settings.body.matchAll(/<input type="checkbox" name="channel" value="([^"]+)"( checked)?>/g)];
  const history: Record<string, string[]> = {};
  for (const channel of person.enabled) {
    const call = { channel, mode: 'recent', limit: LIMIT };
    const { entries, hasMore } = await agentOf(person.agents, 0).agent.call('read_history', call);
    if (hasMore === true) throw new Error(`${channel} has more than one page`);
    history[channel] = idsOf(entries);
  }
  const { presence, nick } = await agentOf(person.agents, 0).agent.call('see_account_information');
  return {
    login: person.login,
    accountId: account.account_id,
    nick: String(nick),
    issuer: account.issuer,
    subject: account.subject,
    isOnline: presence === 'online',
    granted: boxes.map(([, channel = '']) => channel),
    enabled: boxes.filter(([, , checked]) => checked !== undefined).map(([, channel = '']) => channel),
    cookie: person.browser.cookie(stack.baseUrl, '__Host-homeport') ?? '',
    history,
    agents: await Promise.all(person.agents.map((each) => agentFacts(stack, each))),
  };
}

async function agentFacts(stack: ConnectorStack, life: AgentLife): Promise<AgentFacts> {
  const sessions = await Promise.all(life.sessions.map((sessionId) => sessionFacts(life, sessionId)));
  const sends = await Promise.all(life.sends.map((messageId) => statusOf(life, messageId)));
  const { stored } = life.agent.credentials;
  const tokens = { clientId: life.clientId, clientSecret: null, refreshToken: stored?.refresh_token ?? '' };
  return { ...(await tokensOf(stack, tokens)), sessions, sends };
}

async function sessionFacts(life: AgentLife, sessionId: string): Promise<SessionFacts> {
  const batches: SessionFacts['batches'] = [];
  for (const batch of life.batches.filter((each) => each.sessionId === sessionId)) {
    batches.push(await unread(life, batch));
  }
  const { channels } = await life.agent.call('see_account_information', { session_id: sessionId });
  const positions = (channels as SessionFacts['channels']).map(({ channel, unreadCount, lastAcknowledgedEntryId }) => ({
    channel,
    unreadCount,
    lastAcknowledgedEntryId,
  }));
  return { sessionId, channels: positions, batches };
}

/** Throws if the recording lacks a state of sends or a kind of batch: it would prove too little. */
function requireAllStates({ people }: Facts): void {
  const agents = people.flatMap((person) => person.agents);
  const states = new Set(agents.flatMap(({ sends }) => sends.map(({ status }) => status)));
  const lacks = ['pending', 'queued', 'echoed', 'failed'].filter((state) => !states.has(state));
  if (lacks.length > 0) throw new Error(`no send is ${lacks.join(' or ')}`);
  const gaps = agents.flatMap(({ sessions }) => sessions.flatMap(({ batches }) => batches.map(({ gap }) => gap)));
  if (!gaps.includes(true) || !gaps.includes(false)) throw new Error('one batch must have a gap, and one none');
}

function agentOf(agents: readonly AgentLife[], index: number): AgentLife {
  const agent = agents[index];
  if (agent === undefined) throw new Error(`there is no agent ${index}`);
  return agent;
}

const idsOf = (entries: unknown): string[] => (entries as { entryId: string }[]).map(({ entryId }) => entryId);
