import type { CellLine, Extra } from './cell.ts';
import { type ControlParser, createControlParser, loadParser } from './control-parser.ts';
import type { Cursor, CursorShape } from './cursor.ts';
import type { Damage } from './damage.ts';
import type { Engine } from './engine.ts';
import type { EngineHost } from './engine-host.ts';
import { controlFunctions } from './functions/index.ts';
import { heldRows } from './held-rows.ts';
import { boundSize } from './limits.ts';
import type { Modes } from './modes.ts';
import type { ModifiedKeys } from './modified-keys.ts';
import { SEQUENCE_WORK } from './plain-output.ts';
import { Screen } from './screen.ts';
import type { ShellMark } from './shell-mark.ts';
import { type TerminalIdentity, TerminalState } from './terminal-state.ts';
import { Utf8Decoder } from './utf8-decoder.ts';

/** It begins a sequence, whatever the parser is in. */
const ESCAPE = 0x1b;

/** Bytes that are decoded and parsed at once. */
const CHUNK_BYTES = 256;

/** Work of one part of the output, in bytes of text: well under a millisecond, also where each function changes the whole screen. */
const PART_WORK = 2_048;

/** Begins the C1 characters in UTF-8, which may be a function each. */
const C1_LEAD = 0xc2;

/** Work of a byte where each second one may end a function. */
const C1_WORK = 8;

export interface EngineOptions {
  columns: number;
  rows: number;
  saveLines: number;
  /** The configured cursor, which applications may change. */
  cursorShape: CursorShape;
  /** Whether applications may ask for a cursor that blinks; they may without it. */
  takesBlinkRequests?: boolean;
  /** Whether cells hold grapheme clusters until an application says otherwise; mode 2027. */
  graphemeClusters?: boolean;
  identity: TerminalIdentity;
}

/** Bytes to code points to the parser to control functions to the screen. */
export class TerminalEngine implements Engine {
  readonly #screen: Screen;
  readonly #state: TerminalState;
  readonly #parser: ControlParser;
  readonly #decoder = new Utf8Decoder();
  readonly #codePoints = new Uint32Array(CHUNK_BYTES + 1);

  constructor(
    {
      columns,
      rows,
      saveLines,
      cursorShape,
      takesBlinkRequests = true,
      graphemeClusters = false,
      identity,
    }: EngineOptions,
    host: EngineHost,
  ) {
    this.#screen = new Screen(boundSize({ columns, rows }), saveLines);
    this.#state = new TerminalState(this.#screen, host, {
      ...identity,
      graphemeClusters,
      cursorShape,
      takesBlinkRequests,
    });
    const HeadlessParser = loadParser();
    this.#parser = createControlParser(new HeadlessParser(), controlFunctions, this.#state, this.#state.printer);
  }

  get columns(): number {
    return this.#screen.columns;
  }

  get rows(): number {
    return this.#screen.rows;
  }

  get historyLines(): number {
    return this.#screen.grid.historyLines;
  }

  get cursor(): Cursor {
    const { column, row } = this.#screen;
    const { cursorShape: shape, modes } = this.#state;
    return { column, row, isVisible: modes.get('cursorVisible'), shape };
  }

  get modes(): Modes {
    return this.#state.modes;
  }

  get keyboardFlags(): number {
    return this.#state.keyboardFlags.flags;
  }

  get modifiedKeys(): Readonly<ModifiedKeys> {
    return this.#state.modifiedKeys.values;
  }

  get shellMarks(): readonly ShellMark[] {
    return this.#state.shellMarks.all;
  }

  get directory(): string | undefined {
    return this.#state.directory;
  }

  line(row: number): CellLine | undefined {
    return this.#screen.grid.line(row);
  }

  rowOf(lineId: number): number | undefined {
    return this.#screen.grid.rowOf(lineId);
  }

  clusterText(number: number): string {
    return this.#state.clusters.get(number)?.text ?? '';
  }

  extra(number: number): Extra {
    return this.#state.extra(number);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at = this.#run(bytes, at);
  }

  writePart(bytes: Uint8Array, start: number): number {
    return start < bytes.length ? this.#run(bytes, start) : start;
  }

  /** Parses a part of the bytes; gives where it ends. */
  #run(bytes: Uint8Array, start: number): number {
    const { plain } = this.#parser;
    let at = start;
    for (let work = PART_WORK; at < bytes.length && work > 0; ) {
      if (!this.#decoder.isInCharacter && !this.#parser.isInSequence) {
        at = plain.take(bytes, at, work);
        work = plain.workLeft;
        if (at === bytes.length || work <= 0) break;
      }
      const end = this.#chunkEnd(bytes, at);
      const length = this.#decoder.decode(bytes, at, end, this.#codePoints);
      this.#parser.parse(this.#codePoints, length);
      work -= (end - at) * (hasC1Lead(bytes, at, end) ? C1_WORK : 1) + SEQUENCE_WORK;
      at = end;
    }
    return at;
  }

  /** Up to the next ESC: what follows it may be plain again. */
  #chunkEnd(bytes: Uint8Array, start: number): number {
    const most = Math.min(bytes.length, start + CHUNK_BYTES);
    for (let at = start + 1; at < most; at += 1) if (bytes[at] === ESCAPE) return at;
    return most;
  }

  resize(columns: number, rows: number, isEdited = false): void {
    const size = boundSize({ columns, rows });
    if (size.columns === this.columns && size.rows === this.rows) return;
    const marks = this.shellMarks;
    const { clearedLine } = this.#state;
    this.#screen.resize(size, (view, cursorRow) =>
      isEdited ? heldRows(view, marks, { cursorRow, clearedLine }) : undefined,
    );
  }

  softReset(): void {
    this.#state.softReset();
  }

  fullReset(): void {
    this.#state.fullReset();
  }

  takeDamage(): Damage {
    return this.#screen.damage.take();
  }
}

/** A loop of our own: a view of the bytes would be garbage for each sequence. */
function hasC1Lead(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === C1_LEAD) return true;
  return false;
}
