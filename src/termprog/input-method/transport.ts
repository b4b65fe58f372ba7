import type { WireEvent } from 'x11';
import { isForeignWindow } from '../x11/foreign-window.ts';
import type { XConnection } from '../x11/x-connection.ts';

/** Longest packet of the protocol: a header, and 65,535 units. */
const PACKET_MAX_BYTES = 4 + 4 * 0xffff;

/** Longer packets are sent by a property. */
const MESSAGE_BYTES = 20;

/** Number of properties for packets to the server, used in turn: it may not have read the previous one. */
const PROPERTIES = 8;

/** Most packets that wait for one that the server has put into a property. */
const WAITING_MAX = 256;

const CLIENT_MESSAGE = 33;
const INPUT_ONLY = 2;
const APPEND = 2;
const DELETE = 1;
const ANY_TYPE = 0;
const STRING = 31;

export interface TransportAtoms {
  connect: number;
  protocol: number;
  properties: readonly number[];
}

export async function internTransportAtoms(connection: XConnection): Promise<TransportAtoms> {
  const properties = Array.from({ length: PROPERTIES }, (_, index) => `_TERMPROG_XIM_${index}`);
  const [connect = 0, protocol = 0, ...rest] = await Promise.all(
    ['_XIM_XCONNECT', '_XIM_PROTOCOL', ...properties].map((name) => connection.internAtom(name)),
  );
  return { connect, protocol, properties: rest };
}

export interface TransportParts {
  connection: XConnection;
  atoms: TransportAtoms;
  /** Returns false for a window that already has handlers. */
  attach(window: number, handlers: Readonly<Record<string, (event: WireEvent) => void>>): boolean;
  detach(window: number): void;
  /** The connection is established. */
  onConnected(): void;
  onPacket(bytes: Buffer): void;
  /** The server is gone, or sends malformed packets. */
  onLost(why: string): void;
}

/**
 * Sends packets to one input method server and receives its packets, by client messages and properties. X Input Method
 * Protocol, appendix B
 */
export class Transport {
  readonly #parts: TransportParts;
  /** Our end; it is never mapped. */
  readonly #window: number;
  /** The server's end. */
  #server: number | undefined;
  /** Windows of the server: when one of them is destroyed, the server has ended. */
  readonly #watched = new Set<number>();
  #sent = 0;
  #isClosed = false;
  #waiting = 0;
  /** Property → bytes that were read together with an earlier packet: servers append. */
  readonly #early = new Map<number, Buffer>();
  /** Packets are delivered in order, including those that must be fetched. */
  #last: Promise<void> = Promise.resolve();

  constructor(parts: TransportParts) {
    this.#parts = parts;
    const { connection } = parts;
    const { client, screen } = connection;
    this.#window = client.AllocID();
    client.CreateWindow(this.#window, screen.root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, {});
    parts.attach(this.#window, { ClientMessage: (event) => this.#take(event.rawData) });
  }

  /** @param owner window of the server's selection */
  connect(owner: number): void {
    const words = Buffer.alloc(MESSAGE_BYTES);
    words.writeUInt32LE(this.#window, 0);
    if (!this.#watch(owner)) return;
    this.#message(owner, this.#parts.atoms.connect, 32, words);
  }

  send(packet: Buffer): void {
    const server = this.#server;
    if (server === undefined || this.#isClosed) return;
    const { atoms, connection } = this.#parts;
    const data = Buffer.alloc(MESSAGE_BYTES);
    if (packet.length <= MESSAGE_BYTES) {
      packet.copy(data);
      this.#message(server, atoms.protocol, 8, data);
      return;
    }
    const property = atoms.properties[this.#sent % atoms.properties.length] as number;
    this.#sent += 1;
    data.writeUInt32LE(packet.length, 0);
    data.writeUInt32LE(property, 4);
    connection.client.ChangeProperty(APPEND, server, property, STRING, 8, packet, (error) => this.#noticeError(error));
    this.#message(server, atoms.protocol, 32, data);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { connection, detach } = this.#parts;
    detach(this.#window);
    for (const window of this.#watched) detach(window);
    if (connection.isOpen) connection.client.DestroyWindow(this.#window);
  }

  /** Watches for the end of a window of the server; returns false for one that can't be the server's. */
  #watch(window: number): boolean {
    const { connection, attach } = this.#parts;
    if (this.#watched.has(window)) return true;
    const isItsOwn = isForeignWindow(connection, window);
    if (!isItsOwn || !attach(window, { DestroyNotify: () => this.#lose('it has ended') })) {
      this.#lose('it gives a window that is not its own');
      return false;
    }
    this.#watched.add(window);
    connection.client.ChangeWindowAttributes(window, { eventMask: STRUCTURE_NOTIFY }, (error) =>
      this.#noticeError(error),
    );
    connection.flush();
    return true;
  }

  #message(target: number, type: number, format: 8 | 32, data: Buffer): void {
    const { connection } = this.#parts;
    const event = Buffer.alloc(32);
    event.writeUInt8(CLIENT_MESSAGE, 0);
    event.writeUInt8(format, 1);
    event.writeUInt32LE(target, 4);
    event.writeUInt32LE(type, 8);
    data.copy(event, 12);
    connection.client.SendEvent(target, 0, 0, event, (error) => this.#noticeError(error));
    connection.flush();
  }

  /** Returns true, which marks the error as handled for the library. */
  #noticeError(error: unknown): true {
    if (error !== null && error !== undefined) this.#lose('it is gone');
    return true;
  }

  #take(event: Buffer): void {
    const { atoms } = this.#parts;
    const format = event.readUInt8(1);
    const type = event.readUInt32LE(8);
    const data = Buffer.from(event.subarray(12, 12 + MESSAGE_BYTES));
    if (type === atoms.connect && this.#server === undefined) {
      const server = data.readUInt32LE(0);
      if (!this.#watch(server)) return;
      this.#server = server;
      this.#parts.onConnected();
    } else if (type !== atoms.protocol || this.#server === undefined) return;
    else if (format === 8) this.#queue(() => data);
    else if (format === 32) this.#queue(() => this.#fetch(data.readUInt32LE(0), data.readUInt32LE(4)));
  }

  #queue(bytesOf: () => Buffer | Promise<Buffer>): void {
    if (this.#waiting >= WAITING_MAX) {
      this.#lose('it sends too much at once');
      return;
    }
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      try {
        if (!this.#isClosed) this.#parts.onPacket(await bytesOf());
      } catch (error) {
        this.#lose(error instanceof Error ? error.message : 'it cannot be read');
      } finally {
        this.#waiting -= 1;
      }
    });
  }

  async #fetch(length: number, property: number): Promise<Buffer> {
    if (length > PACKET_MAX_BYTES) throw new Error(`it announces a packet of ${length} bytes`);
    const early = this.#early.get(property) ?? Buffer.alloc(0);
    this.#early.delete(property);
    if (early.length >= length) return this.#split(property, early, length);
    const found = await this.#parts.connection.ask<{ data: Buffer }>('an input method', (client, reply) =>
      client.GetProperty(DELETE, this.#window, property, ANY_TYPE, 0, Math.ceil(PACKET_MAX_BYTES / 4), reply),
    );
    return this.#split(property, Buffer.concat([early, found.data]), length);
  }

  /** Bytes after a packet in its property belong to the messages that follow. */
  #split(property: number, bytes: Buffer, length: number): Buffer {
    if (bytes.length > length && this.#early.size < PROPERTIES) this.#early.set(property, bytes.subarray(length));
    return bytes.subarray(0, length);
  }

  #lose(why: string): void {
    if (this.#isClosed) return;
    this.close();
    this.#parts.onLost(why);
  }
}

const STRUCTURE_NOTIFY = 1 << 17;
