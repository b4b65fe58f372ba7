import fc from 'fast-check';
import { expect } from 'vitest';
import { door, testWithDoor } from '../../harness/fixtures/front-door.ts';
import type { DoorAgent } from '../../harness/front-door.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';

const SERVER_ERROR_STATUS = 500;
const NOT_OURS = -32_603;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const test = testWithDoor();

/** This client may only read, so its requests may not reach the bouncer. */
let reader: DoorAgent;

test.beforeAll(async () => {
  const writer = await door.agent('ada');
  await writer.call('go_online');
  reader = await door.agent('ada', { client: 'reader', scopes: ['irc:read'] });
});

const method = fc.oneof(
  fc.constantFrom(
    'tools/call',
    'tools/list',
    'initialize',
    'ping',
    'server/discover',
    'events/list',
    'events/subscribe',
  ),
  fc.string(),
);
const tool = fc.oneof(fc.constantFrom('send_message', 'go_offline', 'read_history', 'search_history'), fc.jsonValue());
const argument = fc.constantFrom('channel', 'text', 'phrase', 'mode', 'limit', 'page_token', 'session_id');
const params = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      name: tool,
      arguments: fc.oneof(fc.jsonValue(), fc.dictionary(argument, fc.jsonValue())),
      _meta: fc.constantFrom(META, {}),
    },
    { requiredKeys: [] },
  ),
);
const message = fc.record(
  { jsonrpc: fc.constantFrom('2.0', '1.0', 2), id: fc.jsonValue(), method, params },
  { requiredKeys: [] },
);
/** JSON of any shape, messages that are nearly right, several of them at once, and what is cut off. */
const body = fc.oneof(
  fc.json(),
  message.map((one) => JSON.stringify(one)),
  fc.array(message, { maxLength: 25 }).map((several) => JSON.stringify(several)),
  fc.tuple(message, fc.nat(200)).map(([one, end]) => JSON.stringify(one).slice(0, end)),
);

test('whatever comes, the endpoint answers in JSON, finds no fault with itself, and lets nothing past a scope', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const answer = await reader.post('/mcp', sent);
      const text = await answer.text();

      expect(answer.status).toBeLessThan(SERVER_ERROR_STATUS);
      if (text !== '') expect(JSON.stringify(JSON.parse(text))).not.toContain(`"code":${NOT_OURS}`);
      expect(door.bouncer.written).toEqual([]);
    }),
    { numRuns: fuzzRuns(1_000) },
  );
  expect(await reader.call('see_account_information')).toMatchObject({ presence: 'online' });
});
