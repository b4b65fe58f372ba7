import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretHash } from '../../src/connector/domain/ids.ts';
import { postToken, statusWith, type TokenAnswer } from './oauth-client.ts';
import type { AgentFacts, Facts, PersonFacts } from './recorded-database.ts';
import type { RevivedRecording } from './revive-recording.ts';

/** One page of history holds all that was recorded of a channel. */
const LIMIT = 200;

/** The schema whose migration made consents rows. */
const FIRST_WITH_CONSENTS = '0011';

/** Each recording is asked with its own tokens, cookies and cursors. @param what what is done with a recording before it is asked */
export function askRecordings(
  recordings: readonly string[],
  what: string,
  revive: (number: string) => Promise<RevivedRecording>,
): void {
  describe.each(recordings)(`a database of schema %s, ${what}`, (number) =>
    askWhatIsThere(() => revive(number), number),
  );
  describe.each(recordings)(`a database of schema %s, ${what}, when the program of today changes it`, (number) =>
    changeIt(() => revive(number)),
  );
}

function askWhatIsThere(revive: () => Promise<RevivedRecording>, number: string): void {
  let revived: RevivedRecording;

  beforeAll(async () => {
    revived = await revive();
  });

  afterAll(() => revived?.[Symbol.asyncDispose]());

  test('every account is there, with its person, nick, presence, grants and selection', async () => {
    const { facts, database, baseUrl, browserOf } = revived;
    const connection = database.connect();
    const accounts = await connection('accounts').orderBy('created_at');
    await connection.destroy();

    expect(accounts).toMatchObject(
      facts.people.map(({ accountId, login, nick, issuer, subject }) => ({
        account_id: accountId,
        ...{ login, nick, issuer, subject },
      })),
    );
    for (const person of facts.people) {
      const settings = await browserOf(person).open(`${baseUrl}/settings`);
      const [form = ''] = /<form method="post" action="\/settings">.*?<\/form>/s.exec(settings.body) ?? [];
      const boxes = [...form.matchAll(/name="channel" value="([^"]+)"( checked)?>/g)];
      expect(boxes.map(([, channel]) => channel)).toEqual(person.granted);
      expect(boxes.filter(([, , checked]) => checked !== undefined).map(([, channel]) => channel)).toEqual(
        person.enabled,
      );
      // There is no bouncer here: an account that is meant to be online can't be.
      expect(settings.body).toContain(person.isOnline ? '>connecting<' : '>offline<');
    }
  });

  test('every entry is there, in its order, and none is without its account', async () => {
    const { facts, database, callTool } = revived;
    for (const { agents, history } of facts.people) {
      for (const [channel, entryIds] of Object.entries(history)) {
        for (const agent of agents) {
          const page = await callTool(agent, 'read_history', { channel, mode: 'recent', limit: LIMIT });
          expect(idsOf(page)).toEqual(entryIds);
        }
      }
    }
    const connection = database.connect();
    const orphans = database.kind === 'sqlite' ? await connection.raw('PRAGMA foreign_key_check') : [];
    const owners = await connection('entries').distinct('account_id').pluck('account_id');
    await connection.destroy();
    expect(orphans).toEqual([]);
    expect(owners.sort()).toEqual(facts.people.map(({ accountId }) => accountId).sort());
  });

  test('every agent session has its cursors, its unread entries, and the batch it did not acknowledge', async () => {
    const { facts, callTool } = revived;
    for (const [agent, session] of sessionsOf(facts)) {
      const at = { session_id: session.sessionId };
      const information = await callTool(agent, 'see_account_information', at);
      expect(information['sessionId']).toBe(session.sessionId);
      expect(information['channels']).toMatchObject(session.channels);
      for (const { channel, limit, entryIds, gap } of session.batches) {
        const batch = await callTool(agent, 'read_history', { channel, mode: 'unread', limit, ...at });
        expect(idsOf(batch)).toEqual(entryIds);
        expect(batch['gap']).toBe(gap);
      }
    }
  });

  test('every send is in the state it was in', async () => {
    const { facts, callTool } = revived;
    const states = new Set<unknown>();
    for (const agent of facts.people.flatMap(({ agents }) => agents)) {
      for (const send of agent.sends) {
        const found = await callTool(agent, 'get_message_status', { message_id: send.messageId });
        expect(found).toEqual(send);
        states.add(found['status']);
      }
    }
    expect(states).toEqual(new Set(['pending', 'queued', 'echoed', 'failed']));
  });

  test('clients that a person has authorised stay, and others end like new ones', async () => {
    const { facts, database } = revived;
    const connection = database.connect();
    const clients: { id_hash: string; expires_at: number | string | null }[] = await connection('oauth_records')
      .where('kind', 'Client')
      .select('id_hash', 'expires_at');
    await connection.destroy();

    const agents = facts.people.flatMap((person) => person.agents.map(({ clientId }) => clientId));
    const used = new Set(agents.map(secretHash));
    const revoked = secretHash(facts.revoked.clientId);
    for (const { id_hash: hash, expires_at: endsAt } of clients) {
      // The client of a revoked consent gets its term from upkeep, at some time after the start; one of a version that kept
      // no consents has always had one.
      if (hash !== revoked || number < FIRST_WITH_CONSENTS)
        expect([hash, endsAt === null]).toEqual([hash, used.has(hash)]);
    }
    expect(clients.map(({ id_hash: hash }) => hash)).toContain(revoked);
  });

  test('what was revoked stays revoked', async () => {
    const { revoked } = revived.facts;

    expect(await statusWith(revived, revoked.accessToken)).toBe(401);
    expect(await refreshed(revived, { ...revoked, clientSecret: null }, revoked.refreshToken)).toMatchObject({
      error: 'invalid_grant',
    });
  });
}

function changeIt(revive: () => Promise<RevivedRecording>): void {
  test('every session can read on to the end, and reads as many entries as it had unread', async () => {
    await using revived = await revive();
    const { facts, callTool } = revived;
    for (const [agent, { sessionId, channels }] of sessionsOf(facts)) {
      for (const { channel, unreadCount } of channels) {
        expect(await readToEnd(revived, agent, sessionId, channel)).toBe(unreadCount);
      }
      const information = await callTool(agent, 'see_account_information', { session_id: sessionId });
      expect(information['channels']).toMatchObject(channels.map(() => ({ unreadCount: 0 })));
    }
  });

  test('every consent stands: tokens are good, refresh tokens once, and spent ones end it', async () => {
    await using revived = await revive();
    for (const agent of revived.facts.people.flatMap(({ agents }) => agents)) {
      expect(await statusWith(revived, agent.accessToken)).toBe(200);

      const renewed = await refreshed(revived, agent, agent.refreshToken);
      expect(renewed).toMatchObject({ status: 200, scope: 'irc:read irc:write' });
      expect(await statusWith(revived, renewed.access_token)).toBe(200);

      const again = await refreshed(revived, agent, agent.spentRefreshToken);
      expect(again).toMatchObject({ status: 400, error: 'invalid_grant' });
      expect(await statusWith(revived, renewed.access_token)).toBe(401);
    }
  });

  test('a person who was signed in can select other channels', async () => {
    await using revived = await revive();
    const [person] = revived.facts.people as [PersonFacts];
    const browser = revived.browserOf(person);
    const wanted = person.granted.filter((channel) => !person.enabled.includes(channel));

    const settings = await browser.open(`${revived.baseUrl}/settings`);
    await browser.submit(settings, { channel: wanted }, '/settings');

    const { body } = await browser.open(`${revived.baseUrl}/settings`);
    expect([...body.matchAll(/value="([^"]+)" checked/g)].map(([, channel]) => channel)).toEqual(wanted);
  });
}

async function readToEnd(
  { callTool }: RevivedRecording,
  agent: AgentFacts,
  sessionId: string,
  channel: string,
): Promise<number> {
  const at = { channel, session_id: sessionId };
  let count = 0;
  for (;;) {
    const entryIds = idsOf(await callTool(agent, 'read_history', { ...at, mode: 'unread', limit: LIMIT }));
    if (entryIds.length === 0) return count;
    count += entryIds.length;
    await callTool(agent, 'ack_messages', { ...at, entry_id: entryIds.at(-1) });
  }
}

function refreshed(
  revived: RevivedRecording,
  { clientId, clientSecret }: Pick<AgentFacts, 'clientId' | 'clientSecret'>,
  token: string,
): Promise<TokenAnswer> {
  const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token };
  return postToken(revived, clientSecret === null ? fields : { ...fields, client_secret: clientSecret });
}

const sessionsOf = ({ people }: Facts) =>
  people.flatMap(({ agents }) => agents.flatMap((agent) => agent.sessions.map((session) => [agent, session] as const)));

const idsOf = (answer: Record<string, unknown>): string[] =>
  (answer['entries'] as { entryId: string }[]).map(({ entryId }) => entryId);
