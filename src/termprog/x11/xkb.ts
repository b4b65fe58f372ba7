import { queryExtension } from './query-extension.ts';
import type { XConnection } from './x-connection.ts';

/** Selection of a key's level by modifiers; XKB protocol, key types. */
export interface KeyType {
  /** The modifiers that count. */
  mask: number;
  /** Held modifiers of the mask → level; other combinations mean the first level. */
  levels: ReadonlyMap<number, number>;
}

/** A key's keysyms, by groups and levels. */
export interface KeySymbols {
  /** Type of each of its groups. */
  types: readonly number[];
  /** Number of groups, and the treatment of a group beyond them. */
  groupInfo: number;
  /** Number of keysyms per group. */
  width: number;
  keysyms: readonly number[] | Uint32Array;
}

export interface XkbMap {
  types: readonly KeyType[];
  firstKeycode: number;
  /** Returns the key whose keycode is so much above the first; undefined beyond the last. */
  key(index: number): KeySymbols | undefined;
  /** Keycode → modifiers that the key sets. */
  modifiers: ReadonlyMap<number, number>;
}

/** The extension, and this program's name for its events about changed mappings. */
const EXTENSION = 'XKEYBOARD';
export const KEYBOARD_CHANGED = 'XkbKeyboardChanged';

/** Requests; XKB protocol. */
const USE_EXTENSION = 0;
const SELECT_EVENTS = 1;
const GET_MAP = 8;
const PER_CLIENT_FLAGS = 21;

const VERSION_MAJOR = 1;
const CORE_KEYBOARD = 0x100;
const NEW_KEYBOARD_EVENT = 1 << 0;
const MAP_EVENT = 1 << 1;
/** A repeating key sends several presses and one release. */
const DETECTABLE_AUTO_REPEAT = 1 << 0;

/** Parts of a mapping: types, keysyms, modifiers. */
const TYPES_SYMBOLS_MODIFIERS = 0b111;
/** Virtual modifiers affect which modifiers a type's mask contains. */
const VIRTUAL_MODIFIERS = 0x40;

/** Offset of the parts in the answer's bytes, counted from its ninth. */
const PARTS = 32;

/**
 * Requests the keyboard's mapping from XKB, selects events about its changes, and makes repeating keys send one
 * release. Undefined when the server lacks the extension.
 * @throws RequestRefusedError when the server refuses a query
 * @throws DisplayUnavailableError when the server went away, or its answer can't be parsed
 */
export async function askXkbMap(connection: XConnection): Promise<XkbMap | undefined> {
  const extension = await queryExtension(connection, EXTENSION);
  if (extension === undefined) return undefined;
  const { majorOpcode, firstEvent } = extension;
  connection.client.eventParsers[firstEvent] = (type, seq) => ({ type, seq, name: KEYBOARD_CHANGED, wid: 0 });
  const use = connection.askPacked(
    'the keyboard extension',
    request(majorOpcode, USE_EXTENSION, [VERSION_MAJOR, 0]),
    (_body, supported) => supported === 1,
  );
  const events = [NEW_KEYBOARD_EVENT | MAP_EVENT, 0, NEW_KEYBOARD_EVENT];
  const parts = TYPES_SYMBOLS_MODIFIERS | VIRTUAL_MODIFIERS;
  connection.sendRequests(request(majorOpcode, SELECT_EVENTS, [CORE_KEYBOARD, ...events, parts, parts]), 1);
  const repeat = [DETECTABLE_AUTO_REPEAT, 0, DETECTABLE_AUTO_REPEAT, 0, 0, 0, 0, 0, 0, 0];
  const flags = connection.askPacked(
    'how keys repeat',
    request(majorOpcode, PER_CLIENT_FLAGS, [CORE_KEYBOARD, 0, ...repeat]),
    () => undefined,
  );
  const map = connection.askPacked(
    'the keyboard mapping',
    request(majorOpcode, GET_MAP, [CORE_KEYBOARD, TYPES_SYMBOLS_MODIFIERS, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    readMap,
  );
  const [isSupported, , found] = await Promise.all([use, flags, map]);
  return isSupported ? found : undefined;
}

/** @param fields of two bytes each, after the request's header */
function request(majorOpcode: number, minorOpcode: number, fields: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 2 * fields.length);
  bytes[0] = majorOpcode;
  bytes[1] = minorOpcode;
  bytes.writeUInt16LE(bytes.length / 4, 2);
  fields.forEach((field, index) => {
    bytes.writeUInt16LE(field, 4 + 2 * index);
  });
  return bytes;
}

/** Parses an answer to GetMap from its ninth byte on. @throws RangeError when it is too short */
export function readMap(body: Buffer): XkbMap {
  // This runs once and is interpreted, so words are read in bulk, in this machine's byte order, and a key at its first use.
  const bytes = body.subarray(0, body.length & ~(WORD_BYTES - 1));
  const reader = { body, words: new Uint32Array(Uint8Array.from(bytes).buffer), at: PARTS };
  const types = Array.from({ length: body.readUInt8(7) }, () => readType(reader));
  const { words } = reader;
  const starts = Array.from({ length: body.readUInt8(12) }, () => passKey(reader));
  const keys: KeySymbols[] = [];
  const modifiers = new Map<number, number>();
  for (let left = body.readUInt8(25); left > 0; left -= 1) {
    modifiers.set(body.readUInt8(reader.at), body.readUInt8(reader.at + 1));
    reader.at += 2;
  }
  const key = (index: number): KeySymbols | undefined => {
    const start = starts[index];
    if (start === undefined) return undefined;
    keys[index] ??= readKey(words, start);
    return keys[index];
  };
  return { types, firstKeycode: body.readUInt8(9), key, modifiers };
}

interface Reader {
  body: Buffer;
  /** The same bytes as words; every part begins at a whole word. */
  words: Uint32Array;
  at: number;
}

const WORD_BYTES = 4;
const TYPE_BYTES = 8;
const ENTRY_BYTES = 8;
const PRESERVED_BYTES = 4;
/** Words of a key before its keysyms: the types of its groups; then its groups, its width and how many keysyms it has. */
const KEY_WORDS = 2;

function readType(reader: Reader): KeyType {
  const { body, at } = reader;
  const count = body.readUInt8(at + 5);
  const levels = new Map<number, number>();
  for (let entry = 0; entry < count; entry += 1) {
    const start = at + TYPE_BYTES + ENTRY_BYTES * entry;
    if (body.readUInt8(start) !== 0) levels.set(body.readUInt8(start + 1), body.readUInt8(start + 2));
  }
  const preserved = body.readUInt8(at + 6) === 0 ? 0 : PRESERVED_BYTES * count;
  reader.at = at + TYPE_BYTES + ENTRY_BYTES * count + preserved;
  return { mask: body.readUInt8(at), levels };
}

/** Moves the reader behind a key. Returns the number of the key's first word. */
function passKey(reader: Reader): number {
  const { words, at } = reader;
  const start = at / WORD_BYTES;
  const end = start + KEY_WORDS + keysymCount(words, start);
  if (end > words.length) throw new RangeError('the keyboard mapping is shorter than it says');
  reader.at = end * WORD_BYTES;
  return start;
}

function readKey(words: Uint32Array, start: number): KeySymbols {
  const types = words[start] ?? 0;
  const facts = words[start + 1] ?? 0;
  const first = start + KEY_WORDS;
  return {
    types: [types & 0xff, (types >>> 8) & 0xff, (types >>> 16) & 0xff, types >>> 24],
    groupInfo: facts & 0xff,
    width: (facts >>> 8) & 0xff,
    keysyms: words.subarray(first, first + keysymCount(words, start)),
  };
}

const keysymCount = (words: Uint32Array, start: number): number => (words[start + 1] ?? 0) >>> 16;
