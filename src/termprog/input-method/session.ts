import { utf8OfCompoundText } from '../selection/compound-text.ts';
import { looksIn } from './feedback.ts';
import { OPCODE, type Packet, PacketReader, PacketWriter, packetIn } from './packet.ts';
import { Preedit } from './preedit.ts';

/** Bits of a style, which defines where composed text is shown. X Input Method Protocol, 4.4 */
const STYLE = {
  preeditCallbacks: 2,
  preeditPosition: 4,
  preeditNothing: 8,
  statusNothing: 0x400,
  statusNone: 0x800,
} as const;
const PREEDIT_NONE = 0x10;

/**
 * The styles in order of preference: the text is shown in this window; beside it, at a place that the server chooses;
 * or not at all.
 */
const STYLES = [STYLE.preeditCallbacks, STYLE.preeditPosition, STYLE.preeditNothing, PREEDIT_NONE].flatMap((preedit) =>
  [STYLE.statusNothing, STYLE.statusNone].map((status) => preedit | status),
);

const PROTOCOL_VERSION = 1;
const LITTLE_ENDIAN = 'l'.charCodeAt(0);
const ENCODINGS = ['UTF-8', 'COMPOUND_TEXT'];
const UTF8_INDEX = 0;

const FLAG = { synchronous: 1, characters: 2, keysym: 4 } as const;
const DRAW_STATUS = { noText: 1, noFeedback: 2 } as const;
const EVENT_BYTES = 32;

/** Bits of an event mask; X11 protocol, SETofEVENT. */
const EVENT_BIT = { keyPress: 1, keyRelease: 2 } as const;
const KEY_PRESS = 2;

/** Mask of the type in an event's first byte; the remaining bit marks events that a client sent. */
const TYPE_MASK = 0x7f;
const ALL_EVENTS = 0xffff_ffff;
const UNLIMITED = -1;

/** The reply that completes a key. */
type DoneReply = typeof OPCODE.syncReply | typeof OPCODE.getIcValuesReply;

export interface InputMethodSessionParts {
  /** The terminal's window. */
  window: number;
  locale: string;
  send(packet: Buffer): void;
  /** Called when the server accepts keys. */
  onReady(): void;
  onText(text: string): void;
  /** Returns the character of a keysym; empty if there is none. */
  characterOf(keysym: number): string;
  onPreedit(): void;
  /** The server returns a key that was not offered for filtering. */
  onKey(event: Buffer): void;
  /** The server refuses to work. */
  onRefused(why: string): void;
}

/** A place in the window, in pixels. */
export interface Spot {
  x: number;
  y: number;
}

/**
 * One input context at one server, from the first packet on. It owns the key that awaits its answer, and the text under
 * composition.
 */
export class InputMethodSession {
  readonly #parts: InputMethodSessionParts;
  readonly preedit = new Preedit();
  #im = 0;
  #ic = 0;
  #isReady = false;
  #isUtf8 = false;
  #imAttributes: ReadonlyMap<string, number> = new Map();
  #icAttributes: ReadonlyMap<string, number> = new Map();
  #spot: Spot = { x: 0, y: 0 };
  /** The key that awaits the server's answer. */
  #asked: { event: Buffer; doneBy: DoneReply; answer(isTaken: boolean): void } | undefined;
  /**
   * Keys that came back before the reply that completes them. Each kind of reply has its own count: a server that
   * changes the kind of its answers may still owe a reply of the first kind, and may never send it.
   */
  readonly #repliesOwed: Record<DoneReply, number> = { [OPCODE.syncReply]: 0, [OPCODE.getIcValuesReply]: 0 };
  /** Event types that the server wants, and those that it answers one by one. */
  #wantedEvents = ALL_EVENTS;
  #answeredEvents = ALL_EVENTS;

  constructor(parts: InputMethodSessionParts) {
    this.#parts = parts;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Sends the first packet. */
  begin(): void {
    this.#send(
      OPCODE.connect,
      new PacketWriter().card8(LITTLE_ENDIAN).card8(0).card16(PROTOCOL_VERSION).card16(0).card16(0),
    );
  }

  /**
   * Offers a key to the server. Resolves to true when the server has consumed it. Servers that do not answer keys one
   * by one get a query after the key: its answer shows that they have processed the key, too.
   * @param event as the X server sent it
   */
  offer(event: Buffer): false | Promise<boolean> {
    const bit = (event.readUInt8(0) & TYPE_MASK) === KEY_PRESS ? EVENT_BIT.keyPress : EVENT_BIT.keyRelease;
    if ((this.#wantedEvents & bit) === 0) return false;
    const isAnswered = (this.#answeredEvents & bit) !== 0;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#asked?.answer(false);
    this.#asked = { event, doneBy: isAnswered ? OPCODE.syncReply : OPCODE.getIcValuesReply, answer: resolve };
    const writer = this.#context().card16(isAnswered ? FLAG.synchronous : 0);
    this.#send(OPCODE.forwardEvent, writer.card16(0).bytes(event.subarray(0, EVENT_BYTES)));
    if (!isAnswered) this.#askStyle();
    return promise;
  }

  #askStyle(): void {
    const style = this.#icAttributes.get('inputStyle') ?? 0;
    this.#send(OPCODE.getIcValues, this.#context().card16(2).card16(style));
  }

  setFocus(isHere: boolean): void {
    if (this.#isReady) this.#send(isHere ? OPCODE.setIcFocus : OPCODE.unsetIcFocus, this.#context());
  }

  /** Sets the place of the next text. */
  setSpot(spot: Spot): void {
    if (spot.x === this.#spot.x && spot.y === this.#spot.y) return;
    this.#spot = spot;
    if (!this.#isReady) return;
    const preedit = this.#preeditAttributes();
    if (preedit.length === 0) return;
    this.#send(OPCODE.setIcValues, this.#context().card16(preedit.length).card16(0).bytes(preedit));
  }

  /** Ends the session; a waiting key is not consumed. */
  end(): void {
    if (this.#isReady) this.#send(OPCODE.destroyIc, this.#context());
    this.#isReady = false;
    this.#asked?.answer(false);
    this.#asked = undefined;
    this.preedit.clear();
  }

  /** @throws PacketError for a malformed packet */
  take(bytes: Buffer): void {
    const packet = packetIn(bytes);
    const reader = new PacketReader(packet.data);
    if (!this.#takeAnswer(packet, reader)) this.#takeRequest(packet, reader);
  }

  /** Handles the answers on the way to an input context; each is followed by the next request. */
  #takeAnswer({ opcode }: Packet, reader: PacketReader): boolean {
    switch (opcode) {
      case OPCODE.connectReply:
        this.#open();
        return true;
      case OPCODE.openReply:
        this.#takeOpened(reader);
        return true;
      case OPCODE.encodingNegotiationReply:
        this.#takeEncoding(reader);
        return true;
      case OPCODE.getImValuesReply:
        this.#createContext(stylesIn(reader));
        return true;
      case OPCODE.createIcReply:
        reader.card16();
        this.#ic = reader.card16();
        this.#isReady = true;
        this.#parts.onReady();
        return true;
      case OPCODE.authRequired:
        this.#parts.onRefused('it asks for a proof of identity');
        return true;
      case OPCODE.error:
        this.#takeError(reader);
        return true;
      default:
        return false;
    }
  }

  #takeRequest({ opcode }: Packet, reader: PacketReader): void {
    switch (opcode) {
      case OPCODE.forwardEvent:
        this.#takeForwarded(reader);
        break;
      case OPCODE.syncReply:
      case OPCODE.getIcValuesReply:
        this.#takeDone(opcode);
        break;
      case OPCODE.setEventMask:
        reader.card32();
        this.#wantedEvents = reader.card32();
        this.#answeredEvents = reader.card32();
        break;
      case OPCODE.sync:
        this.#send(OPCODE.syncReply, this.#context());
        break;
      case OPCODE.commit:
        this.#takeCommit(reader);
        break;
      case OPCODE.preeditStart:
        this.#send(OPCODE.preeditStartReply, this.#context().card32(UNLIMITED));
        break;
      case OPCODE.preeditDraw:
        this.#takeDraw(reader);
        break;
      case OPCODE.preeditCaret:
        this.#takeCaret(reader);
        break;
      case OPCODE.preeditDone:
        this.preedit.clear();
        this.#parts.onPreedit();
        break;
      default:
      // Trigger keys, status and geometry have no effect: the server gets every key that it wants.
    }
  }

  #open(): void {
    const locale = Buffer.from(this.#parts.locale.slice(0, 255), 'latin1');
    this.#send(OPCODE.open, new PacketWriter().card8(locale.length).bytes(locale));
  }

  #takeOpened(reader: PacketReader): void {
    this.#im = reader.card16();
    this.#imAttributes = attributesIn(reader.part(reader.card16()));
    const length = reader.card16();
    reader.card16();
    this.#icAttributes = attributesIn(reader.part(length));
    const names = new PacketWriter();
    for (const name of ENCODINGS) names.card8(name.length).bytes(Buffer.from(name));
    const list = names.data();
    const writer = new PacketWriter().card16(this.#im).card16(list.length).bytes(list).pad();
    this.#send(OPCODE.encodingNegotiation, writer.card16(0).card16(0));
  }

  #takeEncoding(reader: PacketReader): void {
    reader.card16();
    reader.card16();
    this.#isUtf8 = reader.card16() === UTF8_INDEX;
    const styles = this.#imAttributes.get('queryInputStyle');
    if (styles === undefined) this.#parts.onRefused('it knows no styles of input');
    else this.#send(OPCODE.getImValues, new PacketWriter().card16(this.#im).card16(2).card16(styles));
  }

  #createContext(known: ReadonlySet<number>): void {
    const style = STYLES.find((candidate) => known.has(candidate));
    if (style === undefined) {
      this.#parts.onRefused('it knows no style of input that a terminal can have');
      return;
    }
    const writer = new PacketWriter();
    const word = (value: number): Buffer => new PacketWriter().card32(value).data();
    this.#attribute(writer, 'inputStyle', word(style));
    this.#attribute(writer, 'clientWindow', word(this.#parts.window));
    this.#attribute(writer, 'focusWindow', word(this.#parts.window));
    const list = Buffer.concat([writer.data(), this.#preeditAttributes()]);
    this.#send(OPCODE.createIc, new PacketWriter().card16(this.#im).card16(list.length).bytes(list));
  }

  /** Returns the attribute list with the place of the text. */
  #preeditAttributes(): Buffer {
    const place = new PacketWriter().card16(this.#spot.x).card16(this.#spot.y).data();
    const inner = new PacketWriter();
    this.#attribute(inner, 'spotLocation', place);
    const outer = new PacketWriter();
    this.#attribute(outer, 'preeditAttributes', inner.data());
    return outer.data();
  }

  /** Adds an attribute, if the server knows it. */
  #attribute(writer: PacketWriter, name: string, value: Buffer): void {
    const id = this.#icAttributes.get(name);
    if (id !== undefined) writer.card16(id).card16(value.length).bytes(value).pad();
  }

  #takeError(reader: PacketReader): void {
    reader.bytes(6);
    const code = reader.card16();
    if (!this.#isReady) this.#parts.onRefused(`it answers with error ${code}`);
    else this.#answer(false);
  }

  #takeForwarded(reader: PacketReader): void {
    reader.bytes(4);
    const flags = reader.card16();
    reader.card16();
    const event = reader.bytes(EVENT_BYTES);
    if ((flags & FLAG.synchronous) !== 0) this.#send(OPCODE.syncReply, this.#context());
    if (this.#asked === undefined || !isSameKey(event, this.#asked.event)) {
      this.#parts.onKey(Buffer.from(event));
      return;
    }
    this.#repliesOwed[this.#asked.doneBy] += 1;
    this.#answer(false);
  }

  /** The server has completed a key: one that came back, or else the one that was offered last. */
  #takeDone(reply: DoneReply): void {
    if (this.#repliesOwed[reply] > 0) this.#repliesOwed[reply] -= 1;
    else if (this.#asked?.doneBy === reply) this.#answer(true);
  }

  #answer(isTaken: boolean): void {
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.answer(isTaken);
  }

  #takeCommit(reader: PacketReader): void {
    reader.bytes(4);
    const flags = reader.card16();
    const hasKeysym = (flags & FLAG.keysym) !== 0;
    if (hasKeysym) reader.card16();
    const keysym = hasKeysym ? reader.card32() : 0;
    const text = (flags & FLAG.characters) === 0 ? '' : this.#textOf(reader.bytes(reader.card16()));
    if ((flags & FLAG.synchronous) !== 0) this.#send(OPCODE.syncReply, this.#context());
    const whole = text === '' ? this.#parts.characterOf(keysym) : text;
    if (whole !== '') this.#parts.onText(whole);
  }

  #takeDraw(reader: PacketReader): void {
    reader.bytes(4);
    const caret = reader.int32();
    const first = reader.int32();
    const length = reader.int32();
    const status = reader.card32();
    const bytes = reader.bytes(reader.card16());
    reader.pad();
    const looks = (status & DRAW_STATUS.noFeedback) === 0 ? looksIn(reader) : [];
    const hasText = (status & DRAW_STATUS.noText) === 0;
    // Without a text the present one gets another look; without both it is removed.
    if (!hasText && looks.length > 0) this.preedit.decorate({ first, looks, caret });
    else this.preedit.draw({ first, length, text: hasText ? this.#textOf(bytes) : '', looks, caret });
    this.#parts.onPreedit();
  }

  #takeCaret(reader: PacketReader): void {
    reader.bytes(4);
    this.preedit.moveCaret(reader.int32());
    this.#send(OPCODE.preeditCaretReply, this.#context().card32(this.preedit.caret));
    this.#parts.onPreedit();
  }

  #textOf(bytes: Buffer): string {
    return Buffer.from(this.#isUtf8 ? bytes : utf8OfCompoundText(bytes)).toString('utf8');
  }

  #context(): PacketWriter {
    return new PacketWriter().card16(this.#im).card16(this.#ic);
  }

  #send(opcode: number, writer: PacketWriter): void {
    this.#parts.send(writer.packet(opcode));
  }
}

/** Attribute name → its number at this server. */
function attributesIn(reader: PacketReader): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  while (reader.left >= 6) {
    const id = reader.card16();
    reader.card16();
    found.set(reader.bytes(reader.card16()).toString('latin1'), id);
    reader.pad();
  }
  return found;
}

/** Returns the styles in the value of the requested attribute. */
function stylesIn(reader: PacketReader): ReadonlySet<number> {
  reader.card16();
  reader.card16();
  reader.card16();
  reader.card16();
  const count = reader.card16();
  reader.card16();
  const list = reader.part(4 * count);
  return new Set(Array.from({ length: count }, () => list.card32()));
}

/** Whether both are a press, or both a release, of the same key. */
function isSameKey(one: Buffer, other: Buffer): boolean {
  return (one.readUInt8(0) & TYPE_MASK) === (other.readUInt8(0) & TYPE_MASK) && one.readUInt8(1) === other.readUInt8(1);
}
