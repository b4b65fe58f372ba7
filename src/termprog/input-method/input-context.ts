import { utf8OfCompoundText } from '../selection/compound-text.ts';
import { OPCODE, type Packet, type PacketReader, PacketWriter } from './packet.ts';

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

export interface InputContextParts {
  /** The terminal's window. */
  window: number;
  locale: string;
  send(packet: Buffer): void;
  /** Called when the server accepts keys. */
  onReady(): void;
  /** The server refuses to work. */
  onRefused(why: string): void;
}

/** A place in the window, in pixels. */
export interface Spot {
  x: number;
  y: number;
}

/**
 * An input context at one server: the window's own place there. It negotiates encoding and style, one request for each
 * answer, until the server accepts keys; then it addresses the packets to the context, and sets its focus and place.
 */
export class InputContext {
  readonly #parts: InputContextParts;
  #im = 0;
  #ic = 0;
  #isReady = false;
  #isUtf8 = false;
  #imAttributes: ReadonlyMap<string, number> = new Map();
  #icAttributes: ReadonlyMap<string, number> = new Map();
  #spot: Spot = { x: 0, y: 0 };

  constructor(parts: InputContextParts) {
    this.#parts = parts;
  }

  /** Whether the server accepts keys. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Sends the first packet. */
  begin(): void {
    this.send(
      OPCODE.connect,
      new PacketWriter().card8(LITTLE_ENDIAN).card8(0).card16(PROTOCOL_VERSION).card16(0).card16(0),
    );
  }

  /**
   * Handles the answers on the way to an input context; each is followed by the next request. Returns false for other
   * packets.
   */
  takeAnswer({ opcode }: Packet, reader: PacketReader): boolean {
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
        if (this.#isReady) return false;
        this.#parts.onRefused(`it answers with error ${errorCodeIn(reader)}`);
        return true;
      default:
        return false;
    }
  }

  /** Requests the style, only to learn from the answer that the server has processed what was sent before. */
  askStyle(): void {
    const style = this.#icAttributes.get('inputStyle') ?? 0;
    this.send(OPCODE.getIcValues, this.writer().card16(2).card16(style));
  }

  setFocus(isHere: boolean): void {
    if (this.#isReady) this.send(isHere ? OPCODE.setIcFocus : OPCODE.unsetIcFocus, this.writer());
  }

  /** Sets the place of the next text. */
  setSpot(spot: Spot): void {
    if (spot.x === this.#spot.x && spot.y === this.#spot.y) return;
    this.#spot = spot;
    if (!this.#isReady) return;
    const preedit = this.#preeditAttributes();
    if (preedit.length === 0) return;
    this.send(OPCODE.setIcValues, this.writer().card16(preedit.length).card16(0).bytes(preedit));
  }

  /** Removes the context, if the server has made it. */
  destroy(): void {
    if (this.#isReady) this.send(OPCODE.destroyIc, this.writer());
    this.#isReady = false;
  }

  /** Begins a packet's data with the numbers of the input method and of the context. */
  writer(): PacketWriter {
    return new PacketWriter().card16(this.#im).card16(this.#ic);
  }

  send(opcode: number, writer: PacketWriter): void {
    this.#parts.send(writer.packet(opcode));
  }

  /** Decodes text in the negotiated encoding. */
  textOf(bytes: Buffer): string {
    return Buffer.from(this.#isUtf8 ? bytes : utf8OfCompoundText(bytes)).toString('utf8');
  }

  #open(): void {
    const locale = Buffer.from(this.#parts.locale.slice(0, 255), 'latin1');
    this.send(OPCODE.open, new PacketWriter().card8(locale.length).bytes(locale));
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
    this.send(OPCODE.encodingNegotiation, writer.card16(0).card16(0));
  }

  #takeEncoding(reader: PacketReader): void {
    reader.card16();
    reader.card16();
    this.#isUtf8 = reader.card16() === UTF8_INDEX;
    const styles = this.#imAttributes.get('queryInputStyle');
    if (styles === undefined) this.#parts.onRefused('it knows no styles of input');
    else this.send(OPCODE.getImValues, new PacketWriter().card16(this.#im).card16(2).card16(styles));
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
    this.send(OPCODE.createIc, new PacketWriter().card16(this.#im).card16(list.length).bytes(list));
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
}

/** Reads the code of an error. */
export function errorCodeIn(reader: PacketReader): number {
  reader.bytes(6);
  return reader.card16();
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
