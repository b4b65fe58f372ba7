import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DoorAgent, type FrontDoor, openFrontDoor } from '../../../harness/front-door.ts';
import { capturedLine } from '../../../harness/open-store.ts';

/** More than the export reads and the deletion removes at once. */
const MANY = 1_203;

let door: FrontDoor;
let ada: DoorAgent;

beforeEach(async () => {
  door = await openFrontDoor();
  ada = await door.agent('ada');
});

afterEach(() => door[Symbol.asyncDispose]());

async function store(accountId: string, texts: readonly string[], channel = '#room'): Promise<void> {
  const at = door.open.clock.now() - 60_000;
  const lines = texts.map((text, index) => ({ line: capturedLine(text, at + index, channel), own: undefined }));
  await door.open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

/** What the export gives, piece by piece. */
async function exported(accountId: string): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of door.services.exportHistory(accountId)) pieces.push(piece);
  return pieces;
}

const entriesIn = (pieces: readonly string[]): { entryId: string; channel: string; text: string }[] =>
  pieces
    .join('')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const texts = async (): Promise<string[]> =>
  ((await ada.call('read_history', { channel: '#room', mode: 'recent' }))['entries'] as { text: string }[])
    .map(({ text }) => text)
    .toReversed();

test('the export has every entry once, as agents see them, one a line, in pieces of bounded size', async () => {
  await store(ada.accountId, numbered(MANY));
  await store(ada.accountId, ['in a channel that is not enabled any more \u2028 "quoted"'], '#ops');
  await store((await door.agent('bob')).accountId, ['of another person']);
  await door.services.enableChannels(ada.accountId, ['#room']);

  const pieces = await exported(ada.accountId);

  const entries = entriesIn(pieces);
  expect(entries.filter(({ channel }) => channel === '#room').map(({ text }) => text)).toEqual(numbered(MANY));
  expect(entries.filter(({ channel }) => channel === '#ops').map(({ text }) => text)).toEqual([
    'in a channel that is not enabled any more \u2028 "quoted"',
  ]);
  expect(entries).toHaveLength(MANY + 1);
  expect(Math.max(...pieces.map((piece) => piece.split('\n').length))).toBeLessThan(MANY / 2);
  const [newest] = (await ada.call('read_history', { channel: '#room', mode: 'recent', limit: 1 }))[
    'entries'
  ] as object[];
  expect(entries.find(({ text }) => text === `line ${MANY - 1}`)).toEqual(
    Object.fromEntries(Object.entries(newest ?? {}).filter(([key]) => key !== 'mention')),
  );
});

test('an export during which lines arrive and go has each of the others once', async () => {
  await store(ada.accountId, numbered(MANY));
  const pieces: string[] = [];

  for await (const piece of door.services.exportHistory(ada.accountId)) {
    if (pieces.length === 0) {
      await door.open.store.retention.pruneOldest(ada.accountId, 100);
      await store(ada.accountId, ['arrived meanwhile']);
    }
    pieces.push(piece);
  }

  const found = entriesIn(pieces).map(({ text }) => text);
  expect(found).toEqual([...numbered(MANY), 'arrived meanwhile']);
});

test('the history of somebody who has none is empty', async () => {
  expect(await exported(ada.accountId)).toEqual([]);
  expect(await door.services.deleteHistory(ada.accountId)).toBe(0);
});

test('a deleted history is nowhere: not in pages, searches and exports, and nothing of it is unread', async () => {
  const bob = await door.agent('bob');
  await store(ada.accountId, numbered(MANY));
  await store(bob.accountId, ['of another person']);
  while ((await door.open.store.textIndex.extend(ada.accountId, '#room')) > 0);
  const { sessionId } = await ada.call('see_account_information');
  const unread = () => ada.call('read_history', { channel: '#room', mode: 'unread', session_id: sessionId, limit: 2 });
  await unread();

  expect(await door.services.deleteHistory(ada.accountId)).toBe(MANY);

  expect(await texts()).toEqual([]);
  expect((await ada.call('search_history', { phrase: 'line 1' }))['entries']).toEqual([]);
  expect(await exported(ada.accountId)).toEqual([]);
  expect(await unread()).toMatchObject({ entries: [], gap: true });
  const { channels, lastReceived } = await ada.call('see_account_information', { session_id: sessionId });
  expect((channels as { unreadCount: number }[]).map(({ unreadCount }) => unreadCount)).toEqual([0, 0]);
  expect(lastReceived).toBeNull();
  for (const table of ['text_blocks', 'text_grams']) {
    expect(Number((await door.open.database(table).count({ rows: '*' }))[0]?.rows), table).toBe(0);
  }
  expect(entriesIn(await exported(bob.accountId)).map(({ text }) => text)).toEqual(['of another person']);
});

test('what is said after a deletion is stored, unread and found as usual', async () => {
  await store(ada.accountId, ['before']);
  await door.services.deleteHistory(ada.accountId);
  await ada.call('go_online');

  door.bouncer.hear('after');

  await expect.poll(texts).toEqual(['after']);
  const { channels } = await ada.call('see_account_information');
  expect(channels).toContainEqual(expect.objectContaining({ channel: '#room', unreadCount: 1 }));
  expect((await ada.call('search_history', { phrase: 'after' }))['entries']).toHaveLength(1);
});

test('a replay does not bring back what was deleted, and brings what came after it', async () => {
  await ada.call('go_online');
  const at = door.open.clock.now();
  const [deleted, kept] = [capturedLine('deleted', at - 1_000), capturedLine('kept', at + 1_000)];
  door.bouncer.replay('#room', [deleted]);
  await expect.poll(texts).toEqual(['deleted']);
  await door.services.deleteHistory(ada.accountId);

  door.bouncer.replay('#room', [deleted, kept]);

  await expect.poll(texts).toEqual(['kept']);
});

test('a line that its server’s clock dates a little ahead does not come back either', async () => {
  await ada.call('go_online');
  const at = door.open.clock.now();
  const [deleted, kept] = [capturedLine('deleted', at + 2_000), capturedLine('kept', at + 3_000)];
  door.bouncer.replay('#room', [deleted]);
  await expect.poll(texts).toEqual(['deleted']);
  await door.services.deleteHistory(ada.accountId);

  door.bouncer.replay('#room', [deleted, kept]);

  await expect.poll(texts).toEqual(['kept']);
});

test('a send that is on its way outlasts a deletion, and one that has come back does not', async () => {
  await ada.call('go_online');
  await ada.call('send_message', { channel: '#room', text: 'has come back' });
  door.bouncer.echo(door.bouncer.written[0], door.open.clock.now());
  const { messageId } = await ada.call('send_message', { channel: '#room', text: 'on its way' });
  const statusOf = async () => (await ada.call('get_message_status', { message_id: messageId }))['status'];
  await expect.poll(async () => (await exported(ada.accountId)).join('')).toContain('"timestampSource":"server"');

  expect(await door.services.deleteHistory(ada.accountId)).toBe(1);

  expect(await texts()).toEqual(['on its way']);
  door.bouncer.echo(door.bouncer.written[1], door.open.clock.now() + 1);
  await expect.poll(statusOf).toBe('echoed');
  expect(await texts()).toEqual(['on its way']);
});

test('two deletions at once remove everything once', async () => {
  await store(ada.accountId, numbered(MANY));

  const counts = await Promise.all([1, 2].map(() => door.services.deleteHistory(ada.accountId)));

  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(MANY);
  expect(await texts()).toEqual([]);
});
