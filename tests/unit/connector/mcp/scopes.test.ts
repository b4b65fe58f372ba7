import { expect } from 'vitest';
import type { Scope } from '../../../../src/connector/domain/scope.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { door, testWithDoor } from '../../../harness/fixtures/front-door.ts';
import type { DoorAgent } from '../../../harness/front-door.ts';

/** Every tool, with the scope that the specification gives it. */
const TOOLS: readonly (readonly [tool: string, scope: Scope, args: object])[] = [
  ['see_account_information', 'irc:read', {}],
  ['go_online', 'irc:write', {}],
  ['read_history', 'irc:read', { channel: '#room', mode: 'recent' }],
  ['ack_messages', 'irc:read', { session_id: 'ses_x', channel: '#room', entry_id: 'ent_x' }],
  ['search_history', 'irc:read', { phrase: 'x' }],
  ['send_message', 'irc:write', { channel: '#room', text: 'x' }],
  ['get_message_status', 'irc:read', { message_id: 'msg_x' }],
  ['go_offline', 'irc:write', {}],
];

const ROOM = '/v1/channels/room/messages';

const test = testWithDoor();

let agents: Record<Scope, DoorAgent>;

test.beforeAll(async () => {
  agents = {
    'irc:read': await door.agent('ada', { scopes: ['irc:read'] }),
    'irc:write': await door.agent('ada', { scopes: ['irc:write'] }),
  };
});

for (const [tool, scope, args] of TOOLS) {
  test(`${tool} is there for tokens with ${scope}, and asks others for it`, async () => {
    verifies('connector.authentication.5');
    const other = scope === 'irc:read' ? 'irc:write' : 'irc:read';

    const refused = await agents[other].ask(tool, args);

    expect((await agents[scope].ask(tool, args)).status).toBe(200);
    expect(refused.status).toBe(403);
    const asked = refused.headers.get('www-authenticate');
    expect(asked).toContain('scope="irc:read irc:write"');
    expect(asked).toContain(`error_description="the person has not allowed ${scope} to this client`);
    expect(asked).toContain('/settings');
  });
}

test('reading over REST is for tokens with irc:read, posting for those with irc:write', async () => {
  verifies('connector.authentication.5', 'connector.error.401');
  await agents['irc:write'].call('go_online');
  const statusesOf = async ({ get, post }: DoorAgent) => {
    const answers = [await get('/v1/status'), await get(ROOM), await post(ROOM, { text: 'hello' })];
    return answers.map(({ status }) => status);
  };

  expect(await statusesOf(agents['irc:read'])).toEqual([200, 200, 401]);
  expect(await statusesOf(agents['irc:write'])).toEqual([401, 401, 202]);
});
