import { beforeEach, expect } from 'vitest';
import type { LinesToAdmit, SendToAccept } from '../../../../src/connector/ports/message-store.ts';
import type { SendingState } from '../../../../src/connector/ports/presence-store.ts';
import type { Store } from '../../../../src/connector/ports/store.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { onlineInStore, sendOf } from '../../../harness/stored-sends.ts';

const SECOND_MS = 1_000;

const test = testWithStore();

let accountId: string;
let serial = 0;

beforeEach(async () => {
  serial += 1;
  accountId = await open.account(`sender${serial}`);
});

const online = (changes: Partial<SendingState> = {}): Promise<void> => onlineInStore(open, accountId, changes);

const order = (changes: Partial<SendToAccept> = {}): SendToAccept => sendOf(accountId, 'hello', changes);

/** Another process, which has no session of the account. */
const otherProcess = (): Store => open.anew(open.clock);

test('accounts with lines that wait are listed while they are online', async () => {
  const waiting = async () => (await otherProcess().messages.accountsWaiting()).includes(accountId);
  await online();
  expect(await waiting()).toBe(false);

  const { messageId } = await accepted();
  expect(await waiting()).toBe(true);
  await open.store.accounts.setOnline(accountId, null);
  expect(await waiting()).toBe(false);
  await open.store.accounts.setOnline(accountId, open.clock.now());
  await open.store.messages.setPartStatus({ messageId, number: 1 }, 'queued');

  expect(await waiting()).toBe(false);
});

test('one of several simultaneous sends under one key through several processes is stored, and all are answered with it', async () => {
  await online();
  const stores = [open.store, otherProcess(), otherProcess()];

  const outcomes = await Promise.all(
    Array.from({ length: 15 }, (_, n) =>
      (stores[n % 3] ?? open.store).messages.accept(order({ idempotencyKey: 'key' }), () => undefined),
    ),
  );

  const ids = outcomes.map((outcome) => ('message' in outcome ? outcome.message.messageId : undefined));
  expect(new Set(ids).size).toBe(1);
  expect(outcomes.map((outcome) => ('lineCount' in outcome ? outcome.lineCount : -1)).toSorted()).toEqual([
    ...Array<number>(14).fill(0),
    1,
  ]);
  expect(await open.database('message_parts').where('account_id', accountId)).toHaveLength(1);
  expect(await open.database('entries').where('account_id', accountId)).toHaveLength(1);
});

test('a process without the session stores what its record says of it: nick, network, and lines that fit', async () => {
  await online({ nick: 'ada_', network: 'other' });

  const { messageId } = await accepted({ text: 'ü'.repeat(400) });

  expect(await open.database('entries').where('message_id', messageId)).toMatchObject([
    { sender: 'ada_', network: 'other', channel: '#room' },
  ]);
  const parts = await open.database('message_parts').where('message_id', messageId);
  expect(parts.map(({ status, network }) => [status, network])).toEqual(Array(3).fill(['pending', 'other']));
});

test('a send that fails is accepted again once under its key, also when several processes get it at once', async () => {
  await online();
  const { messageId } = await accepted({ idempotencyKey: 'key' });
  await open.store.messages.setPartStatus({ messageId, number: 1 }, 'failed', 'no answer');

  const again = await Promise.all(
    [open.store, otherProcess()].map((store) =>
      store.messages.accept(order({ idempotencyKey: 'key' }), () => undefined),
    ),
  );

  expect(again).toMatchObject([
    { message: { messageId, status: 'pending' } },
    { message: { messageId, status: 'pending' } },
  ]);
  expect(again.map((outcome) => ('lineCount' in outcome ? outcome.lineCount : -1)).toSorted()).toEqual([0, 1]);
});

test('a key that was used for another text is refused by every process', async () => {
  await online();
  await accepted({ idempotencyKey: 'key' });

  await expect(accepted({ idempotencyKey: 'key', text: 'else' })).rejects.toMatchObject({
    code: 'idempotency_conflict',
  });
});

test('a send is refused unstored where the account is offline, or its session is not recorded', async () => {
  await expect(accepted()).rejects.toMatchObject({ code: 'account_offline' });
  await open.store.accounts.setOnline(accountId, open.clock.now());
  await expect(accepted()).rejects.toMatchObject({ code: 'bouncer_unreachable' });
  await online();
  await open.store.presences.ended(accountId);
  await expect(accepted()).rejects.toMatchObject({ code: 'bouncer_unreachable' });

  expect(await open.database('messages').where('account_id', accountId)).toEqual([]);
});

test('a send that must wait, or is refused for its pace, is not stored', async () => {
  await online();
  const hold = { over: Promise.resolve(), waitMs: 1 };

  expect(await open.store.messages.accept(order({ idempotencyKey: 'key' }), () => hold)).toBe(hold);
  await expect(
    open.store.messages.accept(order({ idempotencyKey: 'key' }), () => {
      throw new Error('too much');
    }),
  ).rejects.toThrow('too much');

  expect(await open.database('messages').where('account_id', accountId)).toEqual([]);
  expect(await accepted({ idempotencyKey: 'key' })).toMatchObject({ status: 'pending' });
});

test('lines that wait count against the pace, whichever process has accepted them', async () => {
  await online();
  const { turnOf } = await accepted();
  expect(turnOf(18)).toBe(26 * SECOND_MS);

  for (let n = 0; n < 4; n += 1) await accepted({}, n % 2 === 0 ? open.store : otherProcess());
  const later = await accepted();

  expect([later.waitingCount, later.turnOf(1), later.turnOf(13)]).toEqual([5, 2 * SECOND_MS, 26 * SECOND_MS]);
});

test('lines that were written count against the pace as the process that wrote them noted it', async () => {
  await online();
  const { messageId } = await accepted();
  const now = open.clock.now();
  await open.store.messages.setPartStatus({ messageId, number: 1 }, 'queued', undefined, now);
  await open.store.messages.setPartStatus({ messageId, number: 1 }, 'failed', '404 refused');

  const { turnOf } = await accepted();

  expect([turnOf(1), turnOf(13)]).toEqual([2 * SECOND_MS, 26 * SECOND_MS]);
});

test('a burst makes room for the questions between its lines where the server does not echo', async () => {
  await online({ hasServerEcho: false });

  const { turnOf } = await accepted();

  expect(turnOf(16)).toBe(26 * SECOND_MS);
});

test('a line is written when its pace ends at any fraction of a millisecond', async () => {
  await online();
  const { messageId } = await accepted();

  const message = await open.store.messages.setPartStatus(
    { messageId, number: 1 },
    'queued',
    undefined,
    open.clock.now() + 2_000.9646,
  );

  expect(message).toMatchObject({ status: 'queued' });
});

test('a clock that was set back by half an hour delays no send', async () => {
  const ahead = open.clock.now() + 1_800 * SECOND_MS;
  await online({ pacedUntil: ahead, pacedAt: ahead });
  const { messageId, turnOf } = await accepted();
  await open.store.messages.setPartStatus({ messageId, number: 1 }, 'queued', undefined, ahead);

  const next = await accepted();

  expect([turnOf(1), next.turnOf(1)]).toEqual([0, 0]);
});

test('a server without a pace takes every line at once', async () => {
  await online({ isUnpaced: true, pacedUntil: open.clock.now() });

  const { turnOf } = await accepted();

  expect(turnOf(900)).toBe(0);
});

/** Accepts a send and returns what was known about the lines before it. */
async function accepted(changes: Partial<SendToAccept> = {}, store = otherProcess()) {
  let known: LinesToAdmit | undefined;
  const outcome = await store.messages.accept(order(changes), (lines) => {
    known = lines;
    return undefined;
  });
  if (!('message' in outcome) || known === undefined) throw new Error('it was not accepted anew');
  return { ...outcome.message, ...known };
}
