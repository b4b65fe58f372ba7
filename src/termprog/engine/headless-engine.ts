import xterm from '@xterm/headless';
import {
  ATTRIBUTE,
  CLUSTER,
  COLOR_INDEXED,
  COLOR_RGB,
  type Cursor,
  type CursorShape,
  type Damage,
  type Engine,
  type EngineListener,
  type Mode,
  type Row,
} from './engine.ts';
import { Guard } from './guard.ts';
import { SCREEN_SIDE_MAX, TITLE_MAX_CHARACTERS } from './limits.ts';

/**
 * The engine's parts below its public interface, of exactly the version that package.json pins. This is the only file
 * that reaches them: the public interface has neither damage, nor cells without an object each, nor a parser that
 * works at once.
 */
interface Internals {
  _core: {
    buffer: { lines: { get(index: number): InternalLine | undefined }; ybase: number; x: number; y: number };
    coreService: {
      isCursorHidden: boolean;
      decPrivateModes: {
        applicationCursorKeys: boolean;
        applicationKeypad: boolean;
        wraparound: boolean;
        reverseWraparound: boolean;
        cursorStyle: CursorShape | undefined;
      };
    };
    unicodeService: { wcwidth(codePoint: number): number };
    _writeBuffer: { writeSync(text: string): void };
    _inputHandler: {
      onRequestRefreshRows(listener: (rows: { start: number; end: number } | undefined) => void): void;
      softReset(): void;
      _parser: { setExecuteHandler(character: string, handler: () => boolean): void };
    };
  };
}

interface InternalLine {
  length: number;
  _combined: Record<number, string>;
  /** Three words a cell: content, foreground, background. */
  _data: Uint32Array;
}

const WORDS_PER_CELL = 3;
const CONTENT_CODE_POINT = 0x1f_ffff;
const CONTENT_IS_COMBINED = 0x20_0000;
const CONTENT_WIDTH_SHIFT = 22;
const COLOR_MODE_MASK = 0x300_0000;
const COLOR_MODE_RGB = 0x300_0000;
const COLOR_VALUE_MASK = 0xff_ffff;
const PALETTE_MASK = 0xff;

/** Bit of the engine's foreground or background word -> our attribute. */
const FOREGROUND_FLAGS: readonly (readonly [number, number])[] = [
  [0x400_0000, ATTRIBUTE.inverse],
  [0x800_0000, ATTRIBUTE.bold],
  [0x1000_0000, ATTRIBUTE.underline],
  [0x2000_0000, ATTRIBUTE.blink],
  [0x4000_0000, ATTRIBUTE.invisible],
  [0x8000_0000, ATTRIBUTE.strikethrough],
];
const BACKGROUND_FLAGS: readonly (readonly [number, number])[] = [
  [0x400_0000, ATTRIBUTE.italic],
  [0x800_0000, ATTRIBUTE.dim],
  [0x4000_0000, ATTRIBUTE.overline],
];
const FOREGROUND_FLAGS_MASK = 0xfc00_0000;
const BACKGROUND_FLAGS_MASK = 0x4c00_0000;

export interface HeadlessEngineOptions {
  columns: number;
  rows: number;
  saveLines: number;
  cursorShape: CursorShape;
}

/** The engine by xterm.js without a browser, behind the guard. */
export class HeadlessEngine implements Engine {
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #core: Internals['_core'];
  readonly #guard: Guard;
  readonly #cursorShape: CursorShape;
  #damage: Damage | undefined;

  constructor({ columns, rows, saveLines, cursorShape }: HeadlessEngineOptions, listener: EngineListener) {
    this.#cursorShape = cursorShape;
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: saveLines,
      allowProposedApi: true,
      // Else an application's bad sequences would be written to standard error.
      logLevel: 'off',
    });
    this.#core = (this.#terminal as unknown as Internals)._core;
    const { unicodeService, _inputHandler: inputHandler } = this.#core;
    const terminal = this.#terminal;
    this.#guard = new Guard({
      get columns() {
        return terminal.cols;
      },
      get rows() {
        return terminal.rows;
      },
      widthOf: (codePoint) => unicodeService.wcwidth(codePoint),
    });
    inputHandler.onRequestRefreshRows((range) => this.#addDamage(range?.start ?? 0, range?.end ?? this.rows - 1));
    inputHandler._parser.setExecuteHandler('\x05', () => {
      listener.onEnquiry();
      return true;
    });
    this.#terminal.onData((text) => listener.onReply(text));
    this.#terminal.onBell(() => listener.onBell());
    const { parser } = this.#terminal;
    const bounded = (text: string): string => text.slice(0, TITLE_MAX_CHARACTERS);
    parser.registerOscHandler(0, (text) => {
      listener.onTitle(bounded(text));
      listener.onIconName(bounded(text));
      return true;
    });
    parser.registerOscHandler(1, (text) => {
      listener.onIconName(bounded(text));
      return true;
    });
    parser.registerOscHandler(2, (text) => {
      listener.onTitle(bounded(text));
      return true;
    });
  }

  get columns(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  get historyLines(): number {
    return this.#core.buffer.ybase;
  }

  get cursor(): Cursor {
    const { buffer, coreService } = this.#core;
    return {
      // Behind the last column the next character wraps; the cursor is shown on the last.
      column: Math.min(buffer.x, this.columns - 1),
      row: buffer.y,
      isVisible: !coreService.isCursorHidden,
      shape: coreService.decPrivateModes.cursorStyle ?? this.#cursorShape,
    };
  }

  get modes(): Engine['modes'] {
    const { modes } = this.#terminal;
    return {
      applicationCursorKeys: modes.applicationCursorKeysMode,
      applicationKeypad: modes.applicationKeypadMode,
      bracketedPaste: modes.bracketedPasteMode,
      synchronizedOutput: modes.synchronizedOutputMode,
    };
  }

  write(bytes: Uint8Array): void {
    const text = this.#guard.filter(bytes);
    if (text !== '') this.#core._writeBuffer.writeSync(text);
  }

  resize(columns: number, rows: number): void {
    const bounded = (cells: number): number => Math.min(Math.max(1, cells), SCREEN_SIDE_MAX);
    this.#terminal.resize(bounded(columns), bounded(rows));
    this.#addDamage(0, this.rows - 1);
  }

  setMode(mode: Mode, isOn: boolean): void {
    const { decPrivateModes } = this.#core.coreService;
    if (mode === 'autoLinefeed') this.#terminal.options.convertEol = isOn;
    else if (mode === 'autoWraparound') decPrivateModes.wraparound = isOn;
    else decPrivateModes[mode] = isOn;
  }

  softReset(): void {
    this.#core._inputHandler.softReset();
    this.#addDamage(0, this.rows - 1);
  }

  fullReset(): void {
    this.#terminal.reset();
    this.#addDamage(0, this.rows - 1);
  }

  takeDamage(): Damage | undefined {
    const damage = this.#damage;
    this.#damage = undefined;
    return damage;
  }

  readRow(line: number, target: Row): void {
    const source = this.#core.buffer.lines.get(this.#core.buffer.ybase + line);
    target.clusters.clear();
    const columns = target.codes.length;
    const filled = source === undefined ? 0 : Math.min(columns, source.length);
    if (source !== undefined) copyCells(source, target, filled);
    target.codes.fill(0, filled);
    target.foregrounds.fill(0, filled);
    target.backgrounds.fill(0, filled);
    target.attributes.fill(0, filled);
  }

  #addDamage(first: number, last: number): void {
    this.#damage = {
      first: Math.min(this.#damage?.first ?? first, first),
      last: Math.max(this.#damage?.last ?? last, last),
    };
  }
}

function copyCells({ _data: words, _combined: combined }: InternalLine, target: Row, cells: number): void {
  for (let column = 0, at = 0; column < cells; column += 1, at += WORDS_PER_CELL) {
    const content = words[at] ?? 0;
    const foreground = words[at + 1] ?? 0;
    const background = words[at + 2] ?? 0;
    const isCluster = (content & CONTENT_IS_COMBINED) !== 0;
    target.codes[column] = isCluster ? CLUSTER : content & CONTENT_CODE_POINT;
    if (isCluster) target.clusters.set(column, combined[column] ?? '');
    target.foregrounds[column] = colorOf(foreground);
    target.backgrounds[column] = colorOf(background);
    target.attributes[column] = attributesOf(content, foreground, background);
  }
}

function colorOf(word: number): number {
  const mode = word & COLOR_MODE_MASK;
  if (mode === 0) return 0;
  return mode === COLOR_MODE_RGB ? COLOR_RGB | (word & COLOR_VALUE_MASK) : COLOR_INDEXED | (word & PALETTE_MASK);
}

function attributesOf(content: number, foreground: number, background: number): number {
  const width = (content >> CONTENT_WIDTH_SHIFT) & 3;
  let attributes = 0;
  if (width === 2) attributes = ATTRIBUTE.wide;
  // A cell nothing was written to has width 1, the second half of a wide one width 0.
  else if (width === 0) attributes = ATTRIBUTE.continuation;
  if ((foreground & FOREGROUND_FLAGS_MASK) !== 0) {
    for (const [bit, attribute] of FOREGROUND_FLAGS) if ((foreground & bit) !== 0) attributes |= attribute;
  }
  if ((background & BACKGROUND_FLAGS_MASK) !== 0) {
    for (const [bit, attribute] of BACKGROUND_FLAGS) if ((background & bit) !== 0) attributes |= attribute;
  }
  return attributes;
}
