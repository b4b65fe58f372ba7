import { readFileSync } from 'node:fs';
import { afterEach, expect, onTestFinished } from 'vitest';
import x11 from 'x11';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type SelectionPlace, Selections } from '../../../src/termprog/selection/selections.ts';
import { EventRouter } from '../../../src/termprog/window/desktop/event-router.ts';
import { connectToDisplay } from '../../../src/termprog/x11/open-display.ts';
import type { XConnection } from '../../../src/termprog/x11/x-connection.ts';
import { test } from '../../harness/fixtures/selections.ts';
import { desktop } from '../../harness/fixtures/shared-desktop.ts';
import { ATOMS, type SelectionPeer } from '../../harness/selection-peer.ts';
import { watchIdle } from '../../harness/watch-idle.ts';
import { beBusy } from '../../unit/termprog/pty/terminals.ts';

const { PRIMARY, SECONDARY, STRING } = ATOMS;
const DEADLINE_MS = 300;
/** Deadline for tests in which an owner must answer in time on a busy machine, too. */
const LONGER_DEADLINE_MS = 2_000;
/** Deadline for tests that read much: longer than `waitFor` waits, so that a busy machine does not cut the reading short. */
const PATIENCE_MS = 600_000;

/** Code of the event; X11 protocol, appendix B. */
const SELECTION_REQUEST = 30;

let utf8String: number;
let clipboard: number;
let targets: number;
let timestamp: number;
const errors: string[] = [];
const warnings: string[] = [];

test.beforeAll(({ atoms }) => {
  ({ utf8String, clipboard, targets, timestamp } = atoms);
});

afterEach(() => {
  expect(errors.splice(0)).toEqual([]);
  expect(warnings.splice(0)).toEqual([]);
});

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Resolves when the server has answered all earlier requests. */
const selectionIsRead = (selections: Selections): Promise<unknown> => read(selections, 'SECONDARY');

test('text of every selection is given to other programs in the forms that it has', async ({ peer }) => {
  const { selections } = await open();
  selections.write(['PRIMARY', 'CLIPBOARD', 'SECONDARY'], utf8('Zoë €漢\n\ttab'));
  for (const selection of [PRIMARY, clipboard, SECONDARY]) {
    await isGiven(peer, selection, 'Zoë €漢\n\ttab');
    expect(await peer.convert(selection, STRING)).toEqual({ type: STRING, format: 8, data: latin1('Zoë ??\n\ttab') });
    const listed = await peer.convert(selection, targets);
    expect(listed).toMatchObject({ type: ATOMS.ATOM, format: 32 });
    expect(wordsOf(listed?.data)).toEqual(expect.arrayContaining([targets, timestamp, utf8String, STRING]));
  }
});

test('the time that is reported is that of the claim: a request from before it is refused, one from then is answered', async ({
  peer,
}) => {
  const { selections } = await open();
  selections.write(['PRIMARY'], utf8('first'));
  await isGiven(peer, PRIMARY, 'first');
  const told = await peer.convert(PRIMARY, timestamp);
  expect(told).toMatchObject({ type: ATOMS.INTEGER, format: 32 });
  const [time = 0] = wordsOf(told?.data);
  expect(time).toBeGreaterThan(0);

  expect(await peer.convert(PRIMARY, utf8String, { time: time - 1 })).toBeUndefined();
  expect((await peer.convert(PRIMARY, utf8String, { time }))?.data.toString()).toBe('first');
});

test('a text is given however long it has been selected: times of the server begin again after 49 days', async ({
  peer,
}) => {
  const { selections } = await open();
  selections.write(['PRIMARY'], utf8('of last month'));
  await isGiven(peer, PRIMARY, 'of last month');
  const [since = 0] = wordsOf((await peer.convert(PRIMARY, timestamp))?.data);
  for (const days of [20, 30, 48]) {
    const time = (since + days * 24 * 60 * 60 * 1_000) >>> 0;
    expect((await peer.convert(PRIMARY, utf8String, { time }))?.data.toString()).toBe('of last month');
  }
});

test('requests that can not be served are refused, and one without a property gets its answer in that of the target', async ({
  peer,
}) => {
  const { selections } = await open();
  selections.write(['PRIMARY'], utf8('text'));
  await isGiven(peer, PRIMARY, 'text');

  expect(await peer.convert(PRIMARY, await peer.intern('image/png'))).toBeUndefined();
  expect((await peer.convert(PRIMARY, STRING, { namesProperty: false }))?.data).toEqual(latin1('text'));
});

test('a long text is given whole, also one that no single request could carry', async ({ peer }) => {
  const { selections } = await open();
  const text = Array.from({ length: 90_000 }, (_, index) => `line ${index} é\n`).join('');
  selections.write(['CLIPBOARD'], utf8(text));
  await isGiven(peer, clipboard, text);
});

test('the text is given as every kind of text that readers ask for, and several at once', async ({ peer }) => {
  const { selections } = await open();
  selections.write(['PRIMARY'], utf8('Zoë €漢'));
  await isGiven(peer, PRIMARY, 'Zoë €漢');
  const names = ['TARGETS', 'MULTIPLE', 'TEXT', 'COMPOUND_TEXT', 'text/plain', 'text/plain;charset=utf-8', 'LENGTH'];
  const [, multiple = 0, text = 0, compound = 0, plain = 0, plainUtf8 = 0, length = 0] = await Promise.all(
    names.map((name) => peer.intern(name)),
  );
  const listed = wordsOf((await peer.convert(PRIMARY, targets))?.data);
  expect(listed).toEqual([targets, timestamp, multiple, utf8String, STRING, text, compound, plainUtf8, plain, length]);
  for (const target of [plain, plainUtf8]) {
    expect(await peer.convert(PRIMARY, target)).toEqual({ type: target, format: 8, data: utf8('Zoë €漢') });
  }
  const compounded = Buffer.concat([latin1('Zoë \x1b%G'), utf8('€漢'), latin1('\x1b%@')]);
  expect(await peer.convert(PRIMARY, compound)).toEqual({ type: compound, format: 8, data: compounded });
  expect(await peer.convert(PRIMARY, text)).toEqual({ type: compound, format: 8, data: compounded });
  expect(wordsOf((await peer.convert(PRIMARY, length))?.data)).toEqual([utf8('Zoë €漢').length]);
  const many = await peer.convertMany(PRIMARY, [utf8String, await peer.intern('image/png'), STRING]);
  expect(many?.map((answer) => answer?.data.toString('latin1'))).toEqual([
    utf8('Zoë €漢').toString('latin1'),
    undefined,
    'Zoë ??',
  ]);
  selections.write(['PRIMARY'], utf8('Zoë'));
  await isGiven(peer, PRIMARY, 'Zoë');
  expect(await peer.convert(PRIMARY, text)).toMatchObject({ type: STRING, data: latin1('Zoë') });
});

test('selections of any name are owned and read', async ({ peer }) => {
  const { selections } = await open();
  selections.write(['NOTES', 'PRIMARY'], utf8('named'));
  await isGiven(peer, await peer.intern('NOTES'), 'named');
  await peer.own(await peer.intern('OTHER'), () => ({ type: utf8String, format: 8, data: utf8('theirs') }));
  expect(await read(selections, 'OTHER')).toBe('theirs');
  expect(await read(selections, 'NOTES')).toBe('named');
});

test('a reader that sleeps gets a long text piece by piece, and one that dies gets none', async ({ startPeer }) => {
  const { selections } = await open();
  const [sleeper, dying, other] = [await startPeer(), await startPeer(), await startPeer()];
  const text = 'x'.repeat(300_000);
  selections.write(['PRIMARY'], utf8(text));
  await waitFor('it is owned', async () => (await other.ownerOf(PRIMARY)) !== 0);
  const { promise: sleep, resolve: wake } = Promise.withResolvers<void>();
  sleeper.pauseBeforePieces(() => sleep);
  const late = sleeper.convert(PRIMARY, utf8String);
  dying.pauseBeforePieces(() => new Promise(() => {}));
  void dying.convert(PRIMARY, utf8String);
  await waitFor('both are told of pieces', () => sleeper.incremental() + dying.incremental() === 2);
  dying[Symbol.dispose]();
  expect((await other.convert(PRIMARY, utf8String))?.data.length).toBe(300_000);
  wake();
  expect((await late)?.data.toString()).toBe(text);
});

test('more readers than there is room for are refused, and none disturbs the others', async ({ startPeer }) => {
  const { selections } = await open();
  const peers = await Promise.all(Array.from({ length: 17 }, startPeer));
  selections.write(['PRIMARY'], utf8('y'.repeat(200_000)));
  await waitFor('it is owned', async () => (await peers[0]?.ownerOf(PRIMARY)) !== 0);
  const { promise: sleep, resolve: wake } = Promise.withResolvers<void>();
  for (const peer of peers) peer.pauseBeforePieces(() => sleep);
  const answers = peers.map((peer) => peer.convert(PRIMARY, utf8String));
  await waitFor('sixteen are told of pieces', () => peers.reduce((sum, peer) => sum + peer.incremental(), 0) === 16);
  wake();
  const lengths = (await Promise.all(answers)).map((answer) => answer?.data.length);
  expect(lengths.filter((length) => length === 200_000)).toHaveLength(16);
});

test('an owner gives its text piece by piece, and what is too long is refused with one line', async ({ peer }) => {
  const { selections } = await open(2_000);
  const pieces = Array.from({ length: 40 }, (_, index) => utf8(`${index} é `.repeat(1_000)));
  await peer.ownPieces(PRIMARY, utf8String, pieces);
  expect(await read(selections, 'PRIMARY')).toBe(Buffer.concat(pieces).toString('utf8'));

  const large = Buffer.alloc(200_000, 'z');
  const taken = await peer.ownPieces(PRIMARY, utf8String, new Array<Buffer>(320).fill(large));
  const before = process.memoryUsage.rss();
  expect(await read(selections, 'PRIMARY')).toBeUndefined();
  expect(taken()).toBeLessThan(175);
  expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024);
  expect(warnings.splice(0)).toEqual(['the text of PRIMARY is not read: it has more than 32 MiB']);
});

test('an owner that stops in the middle is given up', async ({ peer }) => {
  const { selections } = await open();
  const incr = await peer.intern('INCR');
  await peer.own(PRIMARY, () => ({ type: incr, format: 32, data: Buffer.alloc(4) }));
  expect(await read(selections, 'PRIMARY')).toBeUndefined();
});

test('text that only Compound Text carries is read', async ({ peer }) => {
  const { selections } = await open();
  const compound = await peer.intern('COMPOUND_TEXT');
  // Japanese as the reference terminal gives it.
  const data = Buffer.from('1b24284234413b7a1b2842201b242842242b244a1b28422e', 'hex');
  await peer.own(PRIMARY, (target) => (target === compound ? { type: compound, format: 8, data } : undefined));
  expect(await read(selections, 'PRIMARY')).toBe('漢字 かな.');
});

test('the publisher of a text is notified once when it no longer owns any selection with it', async ({ peer }) => {
  const { selections } = await open();
  let losses = 0;
  const source = {
    lost: () => {
      losses += 1;
    },
  };
  selections.publish(['PRIMARY', 'CLIPBOARD', 3], utf8('mine'), { source, time: 0 });
  await isGiven(peer, clipboard, 'mine');
  await peer.own(PRIMARY, () => undefined);
  await selectionIsRead(selections);
  expect(losses).toBe(0);
  await peer.own(clipboard, () => undefined);
  await waitFor('it is told', () => losses === 1);
  selections.publish(['PRIMARY'], utf8('again'), { source, time: 0 });
  selections.write(['PRIMARY'], utf8('by an application'));
  expect(losses).toBe(2);
  selections.publish(['PRIMARY'], utf8('third'), { source, time: 0 });
  selections.publish(['PRIMARY'], utf8('of another'), { source: { lost: () => {} }, time: 0 });
  expect(losses).toBe(3);
});

test('the publisher of a text is notified when its window is destroyed, and the next published text stays', async ({
  peer,
}) => {
  const { selections } = await open();
  let [losses, laterLosses] = [0, 0];
  const later = {
    lost: () => {
      laterLosses += 1;
    },
  };
  const source = {
    lost: () => {
      losses += 1;
    },
  };
  selections.publish(['PRIMARY', 'CLIPBOARD'], utf8('mine'), { source, time: 0 });
  await isGiven(peer, clipboard, 'mine');
  await peer.destroy(await peer.ownerOf(PRIMARY));
  await waitFor('it is told', () => losses === 1);

  selections.publish(['PRIMARY'], utf8('again'), { source: later, time: 0 });
  await isGiven(peer, PRIMARY, 'again');
  await selectionIsRead(selections);
  expect([losses, laterLosses]).toEqual([1, 0]);
  errors.splice(0);
});

test('bytes that are not UTF-8 become replacement characters', async ({ peer }) => {
  const { selections } = await open();
  selections.write(['PRIMARY'], Buffer.from([0x61, 0xff, 0x62]));
  await isGiven(peer, PRIMARY, 'a\ufffdb');
});

test('emptied selections have no owner', async ({ peer }) => {
  const { selections } = await open();
  selections.write(['PRIMARY'], utf8('mine'));
  await isGiven(peer, PRIMARY, 'mine');
  await peer.own(SECONDARY, () => ({ type: utf8String, format: 8, data: utf8('theirs') }));

  selections.write(['PRIMARY', 'SECONDARY'], undefined);
  expect(await read(selections, 'PRIMARY', 'SECONDARY')).toBeUndefined();
  await waitFor(
    'nobody owns them',
    async () => (await peer.ownerOf(PRIMARY)) === 0 && (await peer.ownerOf(SECONDARY)) === 0,
  );
});

test('own text is read at once, until another program owns the selection', async ({ peer }) => {
  const { selections } = await open();
  selections.write(['PRIMARY'], utf8('mine'));
  expect(await read(selections, 'PRIMARY')).toBe('mine');
  await isGiven(peer, PRIMARY, 'mine');

  await peer.own(PRIMARY, (target) =>
    target === utf8String ? { type: utf8String, format: 8, data: utf8('þeirs') } : undefined,
  );
  await waitFor('their text is read', async () => (await read(selections, 'PRIMARY')) === 'þeirs');
});

test('an event that another program forged takes no selection away', async ({ peer }) => {
  const { selections } = await open();
  selections.write(['PRIMARY'], utf8('mine'));
  await isGiven(peer, PRIMARY, 'mine');
  const owner = await peer.ownerOf(PRIMARY);
  const clear = Buffer.alloc(32);
  clear[0] = 29;
  clear.writeUInt32LE(owner, 8);
  clear.writeUInt32LE(PRIMARY, 12);
  peer.send(owner, clear);

  await isGiven(peer, PRIMARY, 'mine');
  expect(await read(selections, 'PRIMARY')).toBe('mine');
});

test('other programs are asked for UTF-8 first, then for Compound Text, then for Latin-1', async ({ peer }) => {
  const { selections } = await open();
  await peer.own(PRIMARY, (target) =>
    target === STRING ? { type: STRING, format: 8, data: latin1('Zoë') } : undefined,
  );
  expect(await read(selections, 'PRIMARY')).toBe('Zoë');
  expect(peer.asked()).toBe(3);

  await peer.own(PRIMARY, () => ({ type: utf8String, format: 8, data: utf8('漢') }));
  expect(await read(selections, 'PRIMARY')).toBe('漢');
  expect(peer.asked()).toBe(4);
});

test('an answer that is not text counts as none', async ({ peer }) => {
  const { selections } = await open();
  await peer.own(PRIMARY, () => ({ type: ATOMS.INTEGER, format: 32, data: Buffer.alloc(8, 1) }));
  expect(await read(selections, 'PRIMARY')).toBeUndefined();
});

test('a silent owner is waited for until the deadline, and its late answer is not taken for another', async ({
  peer,
}) => {
  const { selections } = await open(LONGER_DEADLINE_MS);
  await peer.own(PRIMARY, () => 'later');
  const startMs = performance.now();
  expect(await read(selections, 'PRIMARY')).toBeUndefined();
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(LONGER_DEADLINE_MS - 5);

  const next = read(selections, 'PRIMARY');
  await waitFor('it is asked again', () => peer.asked() === 2);
  peer.giveNow({ type: utf8String, format: 8, data: utf8('late') });
  peer.giveNow({ type: utf8String, format: 8, data: utf8('now') });
  expect(await next).toBe('now');
});

test('questions that wait for the same silent owner end with the first one, and others wait no longer', async ({
  startPeer,
}) => {
  const { selections } = await open(LONGER_DEADLINE_MS);
  const [silent, other] = await Promise.all([startPeer(), startPeer()]);
  await silent.own(PRIMARY, () => 'later');
  await other.own(SECONDARY, () => ({ type: utf8String, format: 8, data: utf8('theirs') }));
  using waited = watchIdle();
  const waiting = Array.from({ length: 20 }, () => read(selections, 'PRIMARY'));
  const theirs = read(selections, 'SECONDARY');

  expect(await Promise.all(waiting)).toEqual(new Array(20).fill(undefined));
  expect(await theirs).toBe('theirs');
  expect(waited.read()).toBeLessThan(5 * LONGER_DEADLINE_MS);
  // A later reader makes a request of its own.
  const next = read(selections, 'PRIMARY');
  await waitFor('it is asked again', () => silent.asked() === 2);
  silent.giveNow({ type: utf8String, format: 8, data: utf8('late') });
  silent.giveNow({ type: utf8String, format: 8, data: utf8('now') });
  expect(await next).toBe('now');
});

test('a question that waits behind a silent owner is put to the one that took its place', async ({ startPeer }) => {
  const { selections } = await open(LONGER_DEADLINE_MS);
  const [silent, other] = await Promise.all([startPeer(), startPeer()]);
  await silent.own(PRIMARY, () => 'later');
  const first = read(selections, 'PRIMARY');
  const second = read(selections, 'PRIMARY');
  await waitFor('the silent one is asked', () => silent.asked() === 1);
  await other.own(PRIMARY, () => ({ type: utf8String, format: 8, data: utf8('theirs') }));

  expect([await first, await second]).toEqual([undefined, 'theirs']);
});

test('a slow owner is waited for until another client asks', async ({ startPeer }) => {
  const { selections } = await open();
  const [slow, other] = await Promise.all([startPeer(), startPeer()]);
  const piece = utf8('x'.repeat(5_000));
  const pieces = Array.from({ length: 24 }, () => piece);
  await slow.ownPieces(PRIMARY, utf8String, pieces, { everyMs: DEADLINE_MS / 3 });
  await other.own(SECONDARY, () => ({ type: utf8String, format: 8, data: utf8('theirs') }));

  expect(await read(selections, 'PRIMARY')).toBe('x'.repeat(120_000));
  const given = read(selections, 'PRIMARY');
  const theirs = read(selections, 'SECONDARY');
  expect(await given).toBeUndefined();
  expect(await theirs).toBe('theirs');
});

test('an answer that came in time counts, also if this program was stopped beyond the deadline', async ({ peer }) => {
  const { selections } = await open();
  await peer.own(PRIMARY, () => 'later');
  const text = read(selections, 'PRIMARY');
  await waitFor('it is asked', () => peer.asked() === 1);
  setImmediate(() => {
    peer.giveNow({ type: utf8String, format: 8, data: utf8('in time') });
    // The timers are due next.
    beBusy(DEADLINE_MS + 50);
  });
  expect(await text).toBe('in time');
});

test('a deadline of a month is as good as none', async ({ peer }) => {
  const { selections } = await open(3_000_000_000);
  await peer.own(PRIMARY, () => 'later');
  const text = read(selections, 'PRIMARY');
  await waitFor('it is asked', () => peer.asked() === 1);
  await peer.sync();
  peer.giveNow({ type: utf8String, format: 8, data: utf8('patience') });
  expect(await text).toBe('patience');
});

test('a window that another program has destroyed is replaced, and what is asked meanwhile has an end', async ({
  peer,
}) => {
  const { selections } = await open();
  selections.write(['PRIMARY'], utf8('mine'));
  await isGiven(peer, PRIMARY, 'mine');
  await peer.own(SECONDARY, () => ({ type: utf8String, format: 8, data: utf8('theirs') }));

  await peer.destroy(await peer.ownerOf(PRIMARY));
  await waitFor('text is read again', async () => (await read(selections, 'SECONDARY')) === 'theirs');
  selections.write(['PRIMARY'], utf8('mine again'));
  await isGiven(peer, PRIMARY, 'mine again');
  errors.splice(0);
});

test('the first place that has text is the one that is read', async ({ peer }) => {
  const { selections } = await open();
  await peer.writeBuffer(3, latin1('Zoë'));
  selections.write(['PRIMARY', 'CLIPBOARD'], undefined);
  expect(await read(selections, 'PRIMARY', 'CLIPBOARD', 3)).toBe('Zoë');
  selections.write(['CLIPBOARD'], utf8('clip'));
  expect(await read(selections, 'PRIMARY', 'CLIPBOARD', 3)).toBe('clip');
});

test('cut buffers hold Latin-1, can be emptied, and are read when they hold text', async ({ peer }) => {
  const { selections } = await open();
  selections.write([0, 7], utf8('Zoë 漢'));
  for (const index of [0, 7]) {
    const held = await waitFor('the buffer is filled', async () => {
      const found = await peer.readBuffer(index);
      return found.data.length > 0 && found;
    });
    expect(held).toEqual({ type: STRING, format: 8, data: latin1('Zoë ?') });
  }
  expect(await read(selections, 7)).toBe('Zoë ?');
  selections.write([0], undefined);
  await waitFor('the buffer is empty', async () => (await peer.readBuffer(0)).data.length === 0);
  expect(await read(selections, 0)).toBeUndefined();
  await peer.writeBuffer(1, utf8('x'), utf8String);
  expect(await read(selections, 1)).toBeUndefined();
});

test('a cut buffer with a long text is read as a whole', async () => {
  const { selections } = await open();
  const text = 'a line of the history\n'.repeat(400_000);
  selections.write([2], utf8(text));
  // Text that waits to be written is known without the server.
  await read(selections, 3);
  expect((await read(selections, 2))?.length).toBe(text.length);
});

test('while a cut buffer of 30 MB is read, other requests have their turn', async () => {
  const { selections, connection } = await open(PATIENCE_MS);
  selections.write([4], Buffer.alloc(30_000_000, 'x'));
  let turns = 0;
  let text: Uint8Array | undefined;
  const turn = (): void => {
    turns += 1;
    if (text === undefined) connection.fence(turn);
  };
  selections.read([2], turn);
  await waitFor('the text is with the server', () => turns > 0);
  turns = 0;
  selections.read([4], (found) => {
    text = found;
  });
  await waitFor('it is read', () => text !== undefined);
  expect(text?.length).toBe(30_000_000);
  expect(turns).toBeGreaterThan(20);
});

test('the last of a flood of texts stays, and few requests are made', async ({ peer }) => {
  const { selections, connection } = await open();
  selections.write(['PRIMARY', 0], utf8('first'));
  await isGiven(peer, PRIMARY, 'first');
  const before = connection.client.seq_num;
  for (let n = 0; n < 20_000; n += 1) selections.write(['PRIMARY', 'CLIPBOARD', 0, 1], utf8(`text ${n}`));
  await isGiven(peer, PRIMARY, 'text 19999');
  await isGiven(peer, clipboard, 'text 19999');
  await waitFor('the buffer is filled', async () => (await peer.readBuffer(1)).data.toString() === 'text 19999');
  expect(connection.client.seq_num - before).toBeLessThan(200);
});

test('the last text for a cut buffer is not lost at the end', async ({ peer }) => {
  const { selections, connection } = await open();
  selections.write([6], utf8('first'));
  selections.write([6], utf8('second'));
  selections.close();
  connection.close();
  await waitFor('the buffer is written', async () => (await peer.readBuffer(6)).data.toString() === 'second');
});

test('questions that come too fast are refused, and the asking client learns so', async ({ peer }) => {
  const { selections } = await open();
  await peer.own(PRIMARY, () => ({ type: utf8String, format: 8, data: utf8('text') }));
  const answers = await Promise.all(Array.from({ length: 100 }, () => read(selections, 'PRIMARY')));
  expect(answers.filter((text) => text === 'text')).toHaveLength(64);
  const isTaken = Array.from({ length: 65 }, () => selections.read(['PRIMARY'], () => {}));
  expect(isTaken).toEqual(new Array(65).fill(true).with(64, false));
  await waitFor('there is room again', () => selections.read([7], () => {}));
  expect(await read(selections, 'PRIMARY')).toBe('text');
});

test('a program that asks and is gone before the answer leaves no trace', async ({ peer, startPeer }) => {
  const { selections } = await open();
  selections.write(['PRIMARY'], utf8('x'.repeat(300_000)));
  await isGiven(peer, PRIMARY, 'x'.repeat(300_000));
  for (let n = 0; n < 10; n += 1) {
    const other = await startPeer();
    other.request(PRIMARY, utf8String);
    await other.sync();
    other[Symbol.dispose]();
  }
  await isGiven(peer, PRIMARY, 'x'.repeat(300_000));
});

test('requests after the end get no answer', async ({ peer }) => {
  const { selections } = await open();
  await peer.own(PRIMARY, () => 'later');
  const told: unknown[] = [];
  selections.read(['PRIMARY'], (text) => told.push(text));
  selections.read(['PRIMARY'], (text) => told.push(text));
  await waitFor('the owner is asked', () => peer.asked() === 1);
  selections.close();
  await new Promise((resolve) => setTimeout(resolve, 2 * DEADLINE_MS));
  expect(told).toEqual([]);
});

test('a flood of requests by programs that are gone soon lets others be answered again', async ({ peer }) => {
  const { selections } = await open();
  selections.write(['PRIMARY'], utf8('text'));
  await isGiven(peer, PRIMARY, 'text');
  const owner = await peer.ownerOf(PRIMARY);
  const request = Buffer.alloc(32);
  request[0] = SELECTION_REQUEST;
  const gone = 0x7f_ffff;
  for (const [index, field] of [0, owner, gone, PRIMARY, utf8String, utf8String].entries()) {
    request.writeUInt32LE(field, 4 + 4 * index);
  }
  const before = process.threadCpuUsage();
  for (let thousand = 0; thousand < 20; thousand += 1) {
    for (let count = 0; count < 1_000; count += 1) peer.send(owner, request);
    await peer.sync();
  }
  await isGiven(peer, PRIMARY, 'text');
  const { user, system } = process.threadCpuUsage(before);

  expect((user + system) / 1_000_000).toBeLessThan(5);
});

function wordsOf(data: Buffer = Buffer.alloc(0)): number[] {
  return Array.from({ length: data.length / 4 }, (_, index) => data.readUInt32LE(4 * index));
}

/** Makes the event of another program that requests a selection. */
function requestOf(fields: {
  owner: number;
  requestor: number;
  selection: number;
  target: number;
  property: number;
}): Buffer {
  const event = Buffer.alloc(32);
  event[0] = SELECTION_REQUEST;
  const { owner, requestor, selection, target, property } = fields;
  [0, owner, requestor, selection, target, property].forEach((value, index) => {
    event.writeUInt32LE(value, 4 + 4 * index);
  });
  return event;
}

test('a reader that names a window which this program itself listens to is refused, and the listener stays', async ({
  peer,
}) => {
  const { selections, connection, router } = await open();
  const { firstRoot } = connection;
  let changes = 0;
  connection.client.ChangeWindowAttributes(firstRoot, { eventMask: x11.eventMask['PropertyChange'] ?? 0 });
  router.attach(firstRoot, { PropertyNotify: () => (changes += 1) });
  selections.write(['PRIMARY'], utf8('x'.repeat(300_000)));
  await isGiven(peer, PRIMARY, 'x'.repeat(300_000));

  const owner = await peer.ownerOf(PRIMARY);
  const property = await peer.intern('HOSTILE');
  peer.send(owner, requestOf({ owner, requestor: firstRoot, selection: PRIMARY, target: utf8String, property }));
  await isGiven(peer, PRIMARY, 'x'.repeat(300_000));
  const before = changes;
  await peer.writeBuffer(3, latin1('text'));
  await waitFor('the listener learns of the change', () => changes > before);
});

test('a flood of requests for many targets each makes few requests of ours', async ({ peer }) => {
  const { selections, connection } = await open();
  selections.write(['PRIMARY'], utf8('text'));
  await isGiven(peer, PRIMARY, 'text');
  await peer.convertMany(
    PRIMARY,
    Array.from({ length: 60 }, () => utf8String),
  );
  const owner = await peer.ownerOf(PRIMARY);
  const [target, property] = [await peer.intern('MULTIPLE'), await peer.intern('PEER')];

  const before = connection.client.seq_num;
  const request = requestOf({ owner, requestor: peer.window, selection: PRIMARY, target, property });
  for (let index = 0; index < 1_000; index += 1) peer.send(owner, request);
  await peer.sync();
  await isGiven(peer, PRIMARY, 'text');
  expect(connection.client.seq_num - before).toBeLessThan(10_000);
});

test('a long text that is asked for in one form many times is made once', async ({ peer }) => {
  const { selections } = await open();
  const text = 'aé漢'.repeat(500_000);
  selections.write(['PRIMARY'], utf8(text));
  await isGiven(peer, PRIMARY, text);
  const compound = await peer.intern('COMPOUND_TEXT');
  const before = process.memoryUsage().arrayBuffers;
  await peer.convertMany(
    PRIMARY,
    Array.from({ length: 12 }, () => compound),
  );
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60_000_000);
});

test('an owner that gives a byte now and then is given up, so that others can be read', async ({ peer }) => {
  const { selections } = await open();
  const pieces = Array.from({ length: 300 }, () => utf8('x'));
  await peer.ownPieces(PRIMARY, utf8String, pieces, { everyMs: DEADLINE_MS / 6 });
  expect(await read(selections, 'PRIMARY')).toBeUndefined();
});

// This takes minutes if each piece alone has a deadline.
test('an owner that takes each piece back at once is given up soon', async ({ peer }) => {
  const { selections } = await open();
  using waited = watchIdle();
  const taken = await peer.ownRetracted(PRIMARY, utf8String);

  expect(await read(selections, 'PRIMARY')).toBeUndefined();
  expect(taken()).toBeGreaterThan(1);
  expect(waited.read()).toBeLessThan(20_000);
});

test('a program that writes into a window of the terminal does not stop its clock', async ({ peer }) => {
  const { selections } = await open();
  selections.write(['PRIMARY'], utf8('mine'));
  await selectionIsRead(selections);
  await peer.writeProperty(await peer.ownerOf(PRIMARY), await peer.intern('_TERMPROG_CLOCK'), utf8('x'));
  await peer.own(clipboard, () => ({ type: utf8String, format: 8, data: utf8('theirs') }));

  expect(await read(selections, 'CLIPBOARD')).toBe('theirs');
});

test('a text that an event without a time has selected is claimed at the present time', async ({ peer }) => {
  const { selections } = await open();
  selections.publish(['PRIMARY'], utf8('text'), { source: { lost: () => {} }, time: 0 });
  await waitFor('it is owned', async () => (await peer.ownerOf(PRIMARY)) !== 0);

  expect((await peer.convert(PRIMARY, timestamp))?.data.readUInt32LE()).toBeGreaterThan(0);
});

async function open(
  deadlineMs = DEADLINE_MS,
): Promise<{ selections: Selections; connection: XConnection; router: EventRouter }> {
  const connection = await connectToDisplay({
    displayName: desktop.environment.DISPLAY,
    hostName: 'tests',
    authorityFile: readFileSync(desktop.environment.XAUTHORITY),
  });
  onTestFinished(() => connection.close());
  const router = new EventRouter();
  connection.listen({
    onEvent: (event) => router.route(event),
    onError: (message) => errors.push(message),
    onEnd: () => {},
  });
  const attach: EventRouter['attach'] = (window, handlers) => router.attach(window, handlers);
  const detach: EventRouter['detach'] = (window) => router.detach(window);
  const isAttached: EventRouter['isAttached'] = (window) => router.isAttached(window);
  const warn = (line: string): void => void warnings.push(line);
  return {
    selections: new Selections({ connection, attach, detach, isAttached, deadlineMs, warn }),
    connection,
    router,
  };
}

/** Reads the first of these places that has text, as UTF-8. */
function read(selections: Selections, ...places: SelectionPlace[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    selections.read(places, (text) => resolve(text && Buffer.from(text).toString('utf8')));
  });
}

/** Waits until another program is given this text; it asks again when it got no answer. */
async function isGiven(peer: SelectionPeer, selection: number, text: string): Promise<void> {
  await waitFor(`another program is given ${text.slice(0, 40)}`, async () => {
    const given = await peer.convert(selection, utf8String, { withinMs: 3_000 });
    return given?.data.toString('utf8') === text;
  });
}
