import { expect, test } from 'vitest';
import { ConnectorError } from '../../../../src/connector/errors.ts';
import type { Services } from '../../../../src/connector/services/index.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { sampleLife } from '../../../harness/sample-pages.ts';
import { type ServedPages, type SignedInPerson, servePages } from '../../../harness/serve-pages.ts';

/** The part of the page that has this anchor. */
const card = (body: string, id: string): string =>
  body.split(`<section class="card" id="${id}"`)[1]?.split('</section>')[0] ?? '';

test('a person sees who they are on IRC, their channels, agents, events and history, and no part for owners', async () => {
  verifies('connector.endpoint.GET-settings');
  await using pages = await servePages({ played: sampleLife(() => true) });
  const body = await settingsOf(pages, await pages.person('grace of the guests'));

  expect([...body.matchAll(/<h2[^>]*>([^<]+)/g)].map(([, title]) => title)).toEqual([
    'On IRC',
    'Login at the network',
    'Channels',
    'Agents',
    'Events',
    'History',
    'Connect an agent',
  ]);
  expect(read(card(body, 'irc'))).toContain('State online');
  expect(read(card(body, 'irc'))).toContain('At the moment grace2 is in use');
  expect(card(body, 'irc')).toContain('name="network" value="main" checked');
  expect(card(body, 'irc')).toContain('name="network" value="quiet">');
  expect(read(card(body, 'channels'))).toContain('#ops not joined: Cannot join channel (+i)');
  expect(read(card(body, 'agents'))).toContain(
    'Claude irc:read irc:write claude.ai calls it that. Allowed since 22 Nov 2025, last used 31 Dec 2025, 23:57 UTC. 2 sessions, last used 31 Dec 2025, 23:57 UTC.',
  );
  expect(read(card(body, 'agents'))).toContain('Night shift irc:read It calls itself Agent <b>of the night shift</b>.');
  expect(read(card(body, 'events'))).toContain('Night shift paused');
  expect(read(card(body, 'events'))).toContain(
    'Mentions of you in #ops on main, written by linus, with the words deploy failed Its channel is not enabled',
  );
  expect(read(card(body, 'events'))).toContain(
    'Mentions of you in every enabled channel Sent to hooks.agent.example: the last mention was accepted.',
  );
  expect(card(body, 'events')).toContain('paused');
});

test('a person renames an agent, sees what it calls itself all the same, and may give that name back', async () => {
  await using pages = await servePages();
  const ada = await pages.person('ada');
  const consent = { grantHash: 'family', clientId: 'boat', clientName: 'Claude', scopes: ['irc:read'] } as const;
  await pages.open.consents.begin({ ...consent, accountId: ada.accountId });
  const [agent] = await pages.services.agents(ada.accountId);
  const rename = (name: string) =>
    post(pages, ada, '/settings/agents/rename', { consent: agent?.consentId ?? '', name });
  const agents = async () => read(card(await settingsOf(pages, ada), 'agents'));

  expect((await rename(' At home <1> ')).headers.get('location')).toBe('/settings?done=agent-renamed#agents');
  expect(await agents()).toContain('At home <1> irc:read It calls itself Claude.');

  const refused = await rename('At \u202Eemoh');
  expect(refused.status).toBe(422);
  const body = card(await refused.text(), 'agents');
  expect(body).toContain(`<details open><summary>Rename`);
  expect(body).toContain(`id="name-${agent?.consentId}-refused" role="alert">This can’t be a name.`);

  await rename('');
  expect(await agents()).toContain('Claude irc:read It calls itself that.');
});

test('one approved network is shown, without a choice', async () => {
  await using pages = await servePages();
  const body = await settingsOf(pages, await pages.person('guest'));

  expect(read(card(body, 'irc'))).toContain('Network main ircs://irc.example, set by the owner');
  expect(body).not.toContain('/settings/network');
  expect(read(card(body, 'irc'))).toContain('State offline');
});

test('a nick that is invalid, or that another person here has, is refused beside its field, which keeps what was written', async () => {
  await using pages = await servePages();
  const guest = await pages.person('guest');
  await pages.person('taken');

  for (const [nick, status, why] of [
    ['no nick', 422, /aria-invalid="true" autofocus/],
    ['<b>', 422, /value="&lt;b&gt;"/],
    ['TAKEN', 409, /id="nick-refused" role="alert">[^<]*[Tt]/],
  ] as const) {
    const answer = await post(pages, guest, '/settings/nick', { nick });
    const body = await answer.text();
    expect([nick, answer.status]).toEqual([nick, status]);
    expect(body).toMatch(why);
    expect(body).toContain('<title>Not saved – Settings – Homeport</title>');
    expect(card(body, 'irc')).toContain('<details open>');
  }
  expect((await pages.open.store.accounts.find(guest.accountId))?.nick).toBe('guest');

  const changed = await post(pages, guest, '/settings/nick', { nick: ' free ' });
  expect([changed.status, changed.headers.get('location')]).toEqual([303, '/settings?done=nick#irc']);
  expect((await pages.open.store.accounts.find(guest.accountId))?.nick).toBe('free');
  expect(await settingsOf(pages, guest, '?done=nick')).toContain('Your nick is saved.');
});

test('a nick that the network does not give is saved, and the page says which one is in use and why', async () => {
  await using pages = await servePages({
    played: {
      ircStatus: async () => ({
        state: 'online',
        nickInUse: 'guest2',
        problems: ['the IRC network refused another one: Nickname is <reserved>'],
        notJoined: {},
      }),
    },
  });
  const guest = await pages.person('guest');

  expect((await post(pages, guest, '/settings/nick', { nick: 'other' })).status).toBe(303);

  const shown = read(card(await settingsOf(pages, guest, '?done=nick'), 'irc'));
  expect(shown).toContain('Your nick is saved.');
  expect(shown).toContain('Nick other At the moment guest2 is in use.');
  expect(shown).toContain('The IRC network refused another one: Nickname is <reserved>.');
});

for (const [form, path, fields, service] of [
  ['channels', '/settings', { channel: '#room' }, 'enableChannels'],
  ['the network', '/settings/network', { network: 'main' }, 'chooseNetwork'],
] as const) {
  test(`when the bouncer will follow later, the answer to the form of ${form} says so`, async () => {
    const played: Partial<Services> = { [service]: async () => false };
    await using pages = await servePages({ played });
    const guest = await pages.person('guest');

    const location = (await post(pages, guest, path, fields)).headers.get('location') ?? '';

    expect(location).toMatch(/^\/settings\?done=\w+-later#/);
    expect(await settingsOf(pages, guest, location.replace(/^[^?]+|#.*/g, ''))).toContain(
      'it will follow when it is back',
    );
  });
}

test('an address can’t put words of its own onto the page', async () => {
  await using pages = await servePages();
  const guest = await pages.person('guest');
  const plain = await settingsOf(pages, guest);

  for (const query of ['?done=<b>', '?done=constructor', '?done=toString', '?done=nick&done=channels', '?saved=1']) {
    expect(await settingsOf(pages, guest, query)).toBe(plain);
  }
});

test('a use case that fails is answered as a page that says what to do', async () => {
  await using pages = await servePages({
    played: {
      chooseNetwork: async () => {
        throw new ConnectorError('account_busy', 'more calls wait for this account than it can serve');
      },
    },
  });

  const answer = await post(pages, await pages.person('guest'), '/settings/network', { network: 'main' });

  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('More calls wait for this account than it can serve.');
});

test('the steps of each client have the address of this connector, in the form that the client takes', async () => {
  await using pages = await servePages();
  const body = card(await settingsOf(pages, await pages.person('ada')), 'connect');
  const address = `${pages.baseUrl}/mcp`;
  const texts = [...body.matchAll(/<code class="copy">([^<]*)<\/code>/g)].map(([, text = '']) =>
    text.replaceAll('&quot;', '"'),
  );

  expect([...body.matchAll(/<summary>([^<]*)</g)].map(([, client]) => client)).toEqual(
    expect.arrayContaining(['Claude', 'Claude Code', 'ChatGPT', 'Cursor', 'VS Code']),
  );
  expect(texts[0]).toBe(address);
  expect(texts.filter((text) => !text.includes(address))).toEqual([]);
  const [cursor, openCode, code] = texts
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text) as object);
  expect(cursor).toEqual({ mcpServers: { homeport: { url: address } } });
  expect(openCode).toEqual({ mcp: { homeport: { type: 'remote', url: address, enabled: true } } });
  expect(code).toEqual({ servers: { homeport: { type: 'http', url: address } } });
});

async function settingsOf(pages: ServedPages, { cookie }: SignedInPerson, query = ''): Promise<string> {
  return (await fetch(`${pages.baseUrl}/settings${query}`, { headers: { cookie } })).text();
}

function post(pages: ServedPages, { cookie, csrf }: SignedInPerson, path: string, fields: Record<string, string>) {
  return fetch(pages.baseUrl + path, {
    method: 'POST',
    body: new URLSearchParams({ csrf, ...fields }),
    headers: { cookie },
    redirect: 'manual',
  });
}

/** The text of a page as a person reads it: tags and entities gone, blanks collapsed. */
function read(body: string): string {
  return body
    .replace(/<\/?(?:dt|dd|div|li|p)\b[^>]*>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/\s+/g, ' ');
}
