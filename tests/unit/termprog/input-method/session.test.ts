import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BOLD, INVERSE, UNDERLINE, UNDERLINE_SHIFT } from '../../../../src/termprog/engine/cell.ts';
import { OPCODE, PacketError, PacketWriter, packetIn } from '../../../../src/termprog/input-method/packet.ts';
import { InputMethodSession } from '../../../../src/termprog/input-method/session.ts';
import { fuzzRuns } from '../../../harness/fuzz-runs.ts';

const IM = 3;
const IC = 5;
const CALLBACKS = 0x402;
const KEY_PRESS_MASK = 1;

const attribute = (writer: PacketWriter, id: number, name: string): PacketWriter =>
  writer.card16(id).card16(0).card16(name.length).bytes(Buffer.from(name)).pad();
const context = (writer: PacketWriter): PacketWriter => writer.card16(IM).card16(IC);

const key = (code: number): Buffer => Buffer.from([2, code, ...Array<number>(30).fill(0)]);
const forwarded = (event: Buffer) => (writer: PacketWriter) => context(writer).card16(0).card16(0).bytes(event);
const drawn = (text: string, first: number, length: number) => (writer: PacketWriter) =>
  context(writer)
    .card32(1)
    .card32(first)
    .card32(length)
    .card32(0)
    .card16(text.length)
    .bytes(Buffer.from(text))
    .pad()
    .card32(0);

test('the way to an input context is a question behind every answer', () => {
  const { session, seen } = startReady();
  expect(seen.sent).toEqual([
    OPCODE.connect,
    OPCODE.open,
    OPCODE.encodingNegotiation,
    OPCODE.getImValues,
    OPCODE.createIc,
  ]);
  expect([session.isReady, seen.ready]).toEqual([true, 1]);
});

test('a key is taken that does not come back before the server has done with it', async () => {
  const { session, take } = startReady();
  const taken = session.offer(key(38));
  take(OPCODE.syncReply, context);
  expect(await taken).toBe(true);

  const returned = session.offer(key(38));
  take(OPCODE.forwardEvent, forwarded(key(38)));
  expect(await returned).toBe(false);
  // This reply belongs to the key that came back.
  take(OPCODE.syncReply, context);
  const next = session.offer(key(39));
  take(OPCODE.syncReply, context);
  expect(await next).toBe(true);
});

test('an answer to no question is a new key, and text is text', () => {
  const { take, seen } = startReady();
  take(OPCODE.forwardEvent, forwarded(key(50)));
  expect(seen.keys).toBe(1);
  const text = Buffer.from('é日', 'utf8');
  take(OPCODE.commit, (writer) => context(writer).card16(2).card16(text.length).bytes(text));
  take(OPCODE.commit, (writer) => context(writer).card16(4).card16(0).card32(0x61));
  expect(seen.texts).toEqual(['é日', 'a']);
});

test('where a server does not answer keys one by one, it is asked something behind each of them', async () => {
  const { session, take, seen } = startReady();
  take(OPCODE.setEventMask, (writer) => context(writer).card32(KEY_PRESS_MASK).card32(0));
  const release = Buffer.from([3, ...key(38).subarray(1)]);
  expect(session.offer(release)).toBe(false);

  for (const code of [38, 39]) {
    const returned = session.offer(key(code));
    expect(seen.sent.slice(-2)).toEqual([OPCODE.forwardEvent, OPCODE.getIcValues]);
    take(OPCODE.forwardEvent, forwarded(key(code)));
    expect(await returned).toBe(false);
    take(OPCODE.getIcValuesReply, context);
  }
  const taken = session.offer(key(40));
  take(OPCODE.getIcValuesReply, context);
  expect(await taken).toBe(true);
});

test('composed text looks as the server says, also when only that changes', () => {
  const { session, take } = startReady();
  const draw = (status: number, text: string, looks: readonly number[]) => (writer: PacketWriter) => {
    context(writer).card32(0).card32(0).card32(9).card32(status).card16(text.length).bytes(Buffer.from(text)).pad();
    return looks.reduce((sum, look) => sum.card32(look), writer.card16(4 * looks.length).card16(0));
  };
  const words = () => session.preedit.composition?.characters.map((shown) => [shown.foreground, shown.background]);
  const underlined = UNDERLINE.single << UNDERLINE_SHIFT;
  take(OPCODE.preeditDraw, draw(0, 'abc', [1, 2, 4]));
  expect(words()).toEqual([
    [INVERSE, 0],
    [0, underlined],
    [BOLD, 0],
  ]);
  take(OPCODE.preeditDraw, draw(1, '', [2, 3]));
  expect(words()).toEqual([
    [0, underlined],
    [INVERSE, underlined],
    [BOLD, 0],
  ]);
  take(OPCODE.preeditDraw, draw(1, '', []));
  expect(session.preedit.composition).toBeUndefined();
});

test('composed text is changed in places', () => {
  const { session, take } = startReady();
  take(OPCODE.preeditDraw, drawn('abcd', 0, 0));
  take(OPCODE.preeditDraw, drawn('xyz', 1, 2));
  expect([session.preedit.text, session.preedit.caret]).toEqual(['axyzd', 1]);
  take(OPCODE.preeditDone, context);
  expect(session.preedit.text).toBe('');
});

test('a server without a usable style is refused, and a key that waits at the end is not taken', async () => {
  const { take, seen } = start();
  take(OPCODE.getImValuesReply, (writer) =>
    writer.card16(1).card16(12).card16(1).card16(8).card16(1).card16(0).card32(0x401),
  );
  expect(seen.refused).toContain('style');
  const { session } = startReady();
  const waiting = session.offer(key(1));
  session.end();
  expect(await waiting).toBe(false);
});

test('any bytes of a server are read, or refused as a packet', () => {
  const opcodes = [...Object.values(OPCODE), 99];
  const packet = fc.tuple(
    fc.constantFrom(...opcodes),
    fc.uint8Array({ maxLength: 80 }),
    fc.integer({ min: 0, max: 0xffff }),
    fc.boolean(),
  );
  fc.assert(
    fc.property(fc.array(packet, { maxLength: 12 }), fc.boolean(), (packets, isReady) => {
      const { session } = isReady ? startReady() : start();
      for (const [opcode, data, units, lies] of packets) {
        const bytes = new PacketWriter().bytes(data).packet(opcode);
        if (lies) bytes.writeUInt16LE(units, 2);
        try {
          session.take(bytes);
        } catch (error) {
          if (!(error instanceof PacketError)) throw error;
        }
        expect([...session.preedit.text].length).toBeLessThanOrEqual(1_024);
      }
    }),
    { numRuns: fuzzRuns(5_000) },
  );
});

function start() {
  const seen = { sent: [] as number[], texts: [] as string[], keys: 0, refused: '', ready: 0 };
  const session = new InputMethodSession({
    window: 7,
    locale: 'C.UTF-8',
    send: (packet) => void seen.sent.push(packetIn(packet).opcode),
    onReady: () => {
      seen.ready += 1;
    },
    onText: (text) => void seen.texts.push(text),
    characterOf: (keysym) => (keysym === 0x61 ? 'a' : ''),
    onPreedit: () => {},
    onKey: () => {
      seen.keys += 1;
    },
    onRefused: (why) => {
      seen.refused = why;
    },
  });
  const take = (opcode: number, build: (writer: PacketWriter) => PacketWriter = (writer) => writer): void =>
    session.take(build(new PacketWriter()).packet(opcode));
  return { session, seen, take };
}

/** Answers everything as a server does, up to the input context. */
function startReady() {
  const started = start();
  const { session, take } = started;
  const names = attribute(new PacketWriter(), 1, 'queryInputStyle').data();
  const icNames = ['inputStyle', 'clientWindow', 'preeditAttributes', 'spotLocation'].reduce(
    (writer, name, index) => attribute(writer, 10 + index, name),
    new PacketWriter(),
  );
  session.begin();
  take(OPCODE.connectReply);
  take(OPCODE.openReply, (writer) =>
    writer.card16(IM).card16(names.length).bytes(names).card16(icNames.data().length).card16(0).bytes(icNames.data()),
  );
  take(OPCODE.encodingNegotiationReply, (writer) => writer.card16(IM).card16(0).card16(0).card16(0));
  take(OPCODE.getImValuesReply, (writer) =>
    writer.card16(IM).card16(12).card16(1).card16(8).card16(1).card16(0).card32(CALLBACKS),
  );
  take(OPCODE.createIcReply, context);
  return started;
}
