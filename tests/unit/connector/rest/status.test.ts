import { expect } from 'vitest';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { agent, door, testWithAgent } from '../../../harness/fixtures/front-door.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const test = testWithAgent();

const status = async () => (await agent.get('/v1/status')).json();

test('the status has the state of the network’s connection, and the joined and the enabled channels', async () => {
  verifies(
    'connector.status.connected',
    'connector.status.joined-channels',
    'connector.status.enabled-channels',
    'connector.endpoint.GET-v1-status',
  );
  const enabled = { enabled_channels: ['#ops', '#room'], logged_in_as: null };
  expect(await status()).toEqual({ connected: false, joined_channels: [], ...enabled });

  await agent.call('go_online');
  expect(await status()).toEqual({ connected: true, joined_channels: ['#ops', '#room'], ...enabled });

  await door.services.enableChannels(agent.accountId, ['#room']);
  door.bouncer.upstream = false;
  expect(await status()).toEqual({
    connected: false,
    joined_channels: ['#room'],
    enabled_channels: ['#room'],
    logged_in_as: null,
  });
});

test('the listing has the newest entries of a channel, fifty when no limit is given', async () => {
  verifies('connector.endpoint.GET-v1-channels-channel-messages');
  const now = door.open.clock.now();
  const lines = Array.from({ length: 60 }, (_, n) => ({ line: capturedLine(`line ${n}`, now + n), own: undefined }));
  await door.open.store.capture.ingest(agent.accountId, 'main', { lines, isReplay: false, synced: new Set() });
  const listed = async (query: string) => {
    const body = await (await agent.get(`/v1/channels/ROOM/messages${query}`)).json();
    const { channel, entries } = body as { channel: string; entries: { text: string }[] };
    return [channel, entries.length, entries[0]?.text];
  };

  expect(await listed('')).toEqual(['#room', 50, 'line 59']);
  expect(await listed('?limit=1')).toEqual(['#room', 1, 'line 59']);
  expect(await listed('?limit=200')).toEqual(['#room', 60, 'line 59']);
});
