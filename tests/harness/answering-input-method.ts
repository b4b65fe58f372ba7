import { setTimeout as delay } from 'node:timers/promises';
import type { WireEvent } from 'x11';
import { answer, connectX, type XServerAddress } from '../../scripts/stack/x-client.ts';
import { OPCODE, type Packet, PacketReader, PacketWriter, packetIn } from '../../src/termprog/input-method/packet.ts';

/** X11 protocol, Appendix B. */
const ATOM = 4;
const STRING = 31;
const CLIENT_MESSAGE = 33;

const MESSAGE_BYTES = 20;
const EVENT_BYTES = 32;
const DELETE = 1;
const ANY_TYPE = 0;

const IM = 3;
const IC = 5;

/** Style with preedit by callbacks and without a status; X Input Method Protocol, 4.4. */
const STYLE = 0x402;

const IM_ATTRIBUTES = { queryInputStyle: 1 };
const IC_ATTRIBUTES = { inputStyle: 10, clientWindow: 11, focusWindow: 12, preeditAttributes: 13, spotLocation: 14 };

/** An input method server that leads one terminal to an input context, and then does what the test says. */
export interface AnsweringInputMethod extends Disposable {
  /** All packets of the terminal, from the first on. */
  readonly packets: readonly Packet[];
  /** Position of the text that the terminal sent last; undefined before the first. */
  spot(): { x: number; y: number } | undefined;
  /** Sends a packet of the input context: `build` adds what stands behind its two numbers. */
  send(opcode: number, build?: (writer: PacketWriter) => PacketWriter): void;
  /** Sets which keys it takes from now on; it returns all others. At the beginning it returns all keys. */
  treatKeys(isTaken: (event: Buffer) => boolean): void;
}

/** Masks of events; X11 protocol, SETofEVENT. */
const KEYS = 3;

export interface AnsweringOptions {
  /** It does not answer keys one by one, as ibus and fcitx5 do not. */
  isAsynchronous?: boolean;
  /** Whether it announces this only after it has returned the first key. */
  isLate?: boolean;
  /** Delay before it treats a key, in milliseconds. */
  thinksMs?: number;
  /** Atoms that stand before its own in the list of servers. */
  listedBefore?: readonly number[];
}

/** Registers a server; X Input Method Protocol, 2.1. @param name as in `@im=` */
export async function startAnsweringInputMethod(
  address: XServerAddress,
  name: string,
  { isAsynchronous = false, isLate = false, thinksMs = 0, listedBefore = [] }: AnsweringOptions = {},
): Promise<AnsweringInputMethod> {
  const { client, screen } = await connectX(address);
  const root = screen[0]?.root ?? 0;
  const window = client.AllocID();
  client.CreateWindow(window, root, 0, 0, 1, 1, 0, 0, 0, 0, {});
  const intern = (atom: string): Promise<number> => answer(atom, (reply) => client.InternAtom(false, atom, reply));
  const [servers, selection, connect, protocol, property] = [
    await intern('XIM_SERVERS'),
    await intern(`@server=${name}`),
    await intern('_XIM_XCONNECT'),
    await intern('_XIM_PROTOCOL'),
    await intern('ANSWERING_INPUT_METHOD'),
  ];
  const packets: Packet[] = [];
  let target = 0;
  let isTaken = (_event: Buffer): boolean => false;
  let hasMask = !isAsynchronous;

  const message = (type: number, format: 8 | 32, data: Buffer): void => {
    const event = Buffer.alloc(EVENT_BYTES);
    event.writeUInt8(CLIENT_MESSAGE, 0);
    event.writeUInt8(format, 1);
    event.writeUInt32LE(target, 4);
    event.writeUInt32LE(type, 8);
    data.copy(event, 12);
    client.SendEvent(target, 0, 0, event);
    client.flush();
  };
  const sendPacket = (packet: Buffer): void => {
    if (packet.length <= MESSAGE_BYTES) {
      message(protocol, 8, packet);
      return;
    }
    // Appended, as servers do: the one before may not have been read.
    client.ChangeProperty(2, target, property, STRING, 8, packet);
    const data = Buffer.alloc(MESSAGE_BYTES);
    data.writeUInt32LE(packet.length, 0);
    data.writeUInt32LE(property, 4);
    message(protocol, 32, data);
  };
  const send = (opcode: number, build = (writer: PacketWriter) => writer): void =>
    sendPacket(build(new PacketWriter().card16(IM).card16(IC)).packet(opcode));

  const sendMask = (): void => {
    if (!hasMask) send(OPCODE.setEventMask, (writer) => writer.card32(KEYS).card32(~KEYS));
    hasMask = true;
  };

  const answers: Readonly<Record<number, (reader: PacketReader) => void>> = {
    [OPCODE.connect]: () => sendPacket(new PacketWriter().card16(1).card16(0).packet(OPCODE.connectReply)),
    [OPCODE.open]: () => {
      const [im, ic] = [listOf(IM_ATTRIBUTES), listOf(IC_ATTRIBUTES)];
      const writer = new PacketWriter().card16(IM).card16(im.length).bytes(im);
      sendPacket(writer.card16(ic.length).card16(0).bytes(ic).packet(OPCODE.openReply));
    },
    [OPCODE.encodingNegotiation]: () =>
      sendPacket(new PacketWriter().card16(IM).card16(0).card16(0).card16(0).packet(OPCODE.encodingNegotiationReply)),
    [OPCODE.getImValues]: () => {
      const writer = new PacketWriter().card16(IM).card16(12).card16(IM_ATTRIBUTES.queryInputStyle).card16(8);
      sendPacket(writer.card16(1).card16(0).card32(STYLE).packet(OPCODE.getImValuesReply));
    },
    [OPCODE.createIc]: () => {
      send(OPCODE.createIcReply);
      if (!isLate) sendMask();
    },
    [OPCODE.getIcValues]: () => send(OPCODE.getIcValuesReply, (writer) => writer.card16(0).card16(0)),
    [OPCODE.forwardEvent]: (reader) => {
      reader.bytes(8);
      const event = reader.bytes(EVENT_BYTES);
      if (!isTaken(event))
        send(OPCODE.forwardEvent, (writer) =>
          writer
            .card16(isAsynchronous ? 1 : 0)
            .card16(0)
            .bytes(event),
        );
      if (!isAsynchronous) send(OPCODE.syncReply);
      sendMask();
    },
  };
  const take = async (bytes: Buffer): Promise<void> => {
    const packet = packetIn(bytes);
    packets.push(packet);
    if (packet.opcode === OPCODE.forwardEvent && thinksMs > 0) await delay(thinksMs);
    answers[packet.opcode]?.(new PacketReader(packet.data));
  };
  const fetchPacket = (from: number): Promise<{ data: Buffer }> =>
    answer('a packet', (reply) => client.GetProperty(DELETE, window, from, ANY_TYPE, 0, 10_000, reply));
  let last = Promise.resolve();
  client.on('event', ({ name: event, rawData }: WireEvent) => {
    if (event !== 'ClientMessage') return;
    const data = Buffer.from(rawData.subarray(12));
    if (rawData.readUInt32LE(8) === connect) {
      target = data.readUInt32LE(0);
      const reply = Buffer.alloc(MESSAGE_BYTES);
      reply.writeUInt32LE(window, 0);
      message(connect, 32, reply);
    } else if (rawData.readUInt8(1) === 8) last = last.then(() => take(data));
    else last = last.then(async () => await take((await fetchPacket(data.readUInt32LE(4))).data));
  });
  client.SetSelectionOwner(window, selection, 0);
  client.ChangeProperty(0, root, servers, ATOM, 32, Buffer.from(Uint32Array.of(...listedBefore, selection).buffer));
  await answer('the owner', (reply) => client.GetSelectionOwner(selection, reply));
  return {
    packets,
    spot: () => packets.map(spotIn).findLast((place) => place !== undefined),
    send,
    treatKeys: (treat) => {
      isTaken = treat;
    },
    [Symbol.dispose]: () => client.terminate(),
  };
}

function listOf(names: Readonly<Record<string, number>>): Buffer {
  const writer = new PacketWriter();
  for (const [name, id] of Object.entries(names)) {
    writer.card16(id).card16(0).card16(name.length).bytes(Buffer.from(name)).pad();
  }
  return writer.data();
}

/** The attribute within the one of the composed text, which is the last of the packet. */
function spotIn({ opcode, data }: Packet): { x: number; y: number } | undefined {
  if (opcode !== OPCODE.createIc && opcode !== OPCODE.setIcValues) return undefined;
  const place = data.subarray(-4);
  return { x: place.readInt16LE(0), y: place.readInt16LE(2) };
}
