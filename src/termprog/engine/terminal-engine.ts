import { ByteLoop } from './byte-loop.ts';
import type { CellLine, Extra } from './cell.ts';
import { ControlParser } from './control-parser.ts';
import type { Cursor, CursorShape } from './cursor.ts';
import type { Damage } from './damage.ts';
import type { Engine } from './engine.ts';
import type { EngineHost } from './engine-host.ts';
import { controlFunctions } from './functions/index.ts';
import { heldRows } from './held-rows.ts';
import { boundSize } from './limits.ts';
import type { Modes } from './modes.ts';
import type { ModifiedKeys } from './modified-keys.ts';
import { Screen } from './screen.ts';
import type { ShellMark } from './shell-mark.ts';
import { type TerminalIdentity, TerminalState } from './terminal-state.ts';

/**
 * Work of one part of the output, in bytes of text: well under a millisecond, even if each function changes the whole
 * screen.
 */
const PART_WORK = 2_048;

export interface EngineOptions {
  columns: number;
  rows: number;
  saveLines: number;
  /** The configured cursor, which applications may change. */
  cursorShape: CursorShape;
  /** Whether applications may ask for a cursor that blinks; true by default. */
  takesBlinkRequests?: boolean;
  /** Whether cells hold grapheme clusters until an application changes it; mode 2027. */
  graphemeClusters?: boolean;
  identity: TerminalIdentity;
}

/** Passes bytes to the loop or the parser, which run control functions, which change the screen. */
export class TerminalEngine implements Engine {
  readonly #screen: Screen;
  readonly #state: TerminalState;
  readonly #loop: ByteLoop;

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
    const parser = new ControlParser(controlFunctions, this.#state, this.#state.printer);
    this.#loop = new ByteLoop(parser, controlFunctions, this.#state);
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
    for (let at = 0; at < bytes.length; ) at = this.writePart(bytes, at, bytes.length);
  }

  writePart(bytes: Uint8Array, start: number, end: number): number {
    return this.#loop.run(bytes, start, end, PART_WORK);
  }

  resize(columns: number, rows: number, isEdited = false, isPromptLeft = false): void {
    const size = boundSize({ columns, rows });
    if (size.columns === this.columns && size.rows === this.rows) return;
    const { clearedLine, drawnFrom, editedRows, modes, shellMarks } = this.#state;
    const marks = isPromptLeft || shellMarks.isPromptOver ? [] : shellMarks.all;
    const edited = modes.get('bracketedPaste') ? editedRows : undefined;
    this.#screen.resize(size, (view, cursorRow) =>
      isEdited ? heldRows(view, marks, { cursorRow, clearedLine, drawnFrom, edited }) : undefined,
    );
  }

  softReset(): void {
    this.#state.softReset();
  }

  fullReset(): void {
    this.#state.fullReset();
  }

  takeDamage(): Damage {
    this.#state.clusters.settle();
    return this.#screen.damage.take();
  }
}
