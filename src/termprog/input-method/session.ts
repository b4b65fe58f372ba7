import { looksIn } from './feedback.ts';
import { errorCodeIn, InputContext, type InputContextParts, type Spot } from './input-context.ts';
import { OPCODE, type Packet, PacketReader, packetIn } from './packet.ts';
import { Preedit } from './preedit.ts';

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

export interface InputMethodSessionParts extends InputContextParts {
  onText(text: string): void;
  /** Returns the character of a keysym; empty if there is none. */
  characterOf(keysym: number): string;
  onPreedit(): void;
  /** The server returns a key that was not offered for filtering. */
  onKey(event: Buffer): void;
}

/**
 * The conversation with one server, from the first packet on. It owns the key that awaits its answer, and the text under
 * composition; `InputContext` has its place at the server.
 */
export class InputMethodSession {
  readonly #parts: InputMethodSessionParts;
  readonly #context: InputContext;
  readonly preedit = new Preedit();
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
    this.#context = new InputContext(parts);
  }

  get isReady(): boolean {
    return this.#context.isReady;
  }

  /** Sends the first packet. */
  begin(): void {
    this.#context.begin();
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
    const context = this.#context;
    const writer = context.writer().card16(isAnswered ? FLAG.synchronous : 0);
    context.send(OPCODE.forwardEvent, writer.card16(0).bytes(event.subarray(0, EVENT_BYTES)));
    if (!isAnswered) context.askStyle();
    return promise;
  }

  setFocus(isHere: boolean): void {
    this.#context.setFocus(isHere);
  }

  /** Sets the place of the next text. */
  setSpot(spot: Spot): void {
    this.#context.setSpot(spot);
  }

  /** Ends the session; a waiting key is not consumed. */
  end(): void {
    this.#context.destroy();
    this.#asked?.answer(false);
    this.#asked = undefined;
    this.preedit.clear();
  }

  /** @throws PacketError for a malformed packet */
  take(bytes: Buffer): void {
    const packet = packetIn(bytes);
    const reader = new PacketReader(packet.data);
    if (!this.#context.takeAnswer(packet, reader)) this.#takeRequest(packet, reader);
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
      case OPCODE.error:
        this.#takeError(reader);
        break;
      case OPCODE.setEventMask:
        reader.card32();
        this.#wantedEvents = reader.card32();
        this.#answeredEvents = reader.card32();
        break;
      case OPCODE.sync:
        this.#context.send(OPCODE.syncReply, this.#context.writer());
        break;
      case OPCODE.commit:
        this.#takeCommit(reader);
        break;
      case OPCODE.preeditStart:
        this.#context.send(OPCODE.preeditStartReply, this.#context.writer().card32(UNLIMITED));
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

  /** The server could not process the last request, such as a key. */
  #takeError(reader: PacketReader): void {
    errorCodeIn(reader);
    this.#answer(false);
  }

  #takeForwarded(reader: PacketReader): void {
    reader.bytes(4);
    const flags = reader.card16();
    reader.card16();
    const event = reader.bytes(EVENT_BYTES);
    if ((flags & FLAG.synchronous) !== 0) this.#context.send(OPCODE.syncReply, this.#context.writer());
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
    const text = (flags & FLAG.characters) === 0 ? '' : this.#context.textOf(reader.bytes(reader.card16()));
    if ((flags & FLAG.synchronous) !== 0) this.#context.send(OPCODE.syncReply, this.#context.writer());
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
    else this.preedit.draw({ first, length, text: hasText ? this.#context.textOf(bytes) : '', looks, caret });
    this.#parts.onPreedit();
  }

  #takeCaret(reader: PacketReader): void {
    reader.bytes(4);
    this.preedit.moveCaret(reader.int32());
    this.#context.send(OPCODE.preeditCaretReply, this.#context.writer().card32(this.preedit.caret));
    this.#parts.onPreedit();
  }
}

/** Whether both are a press, or both a release, of the same key. */
function isSameKey(one: Buffer, other: Buffer): boolean {
  return (one.readUInt8(0) & TYPE_MASK) === (other.readUInt8(0) & TYPE_MASK) && one.readUInt8(1) === other.readUInt8(1);
}
