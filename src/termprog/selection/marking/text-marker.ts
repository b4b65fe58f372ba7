import type { ScreenView } from '../../engine/engine.ts';
import type { CharacterClasses } from './character-classes.ts';
import { type HeldPosition, hold, positionOf } from './held-position.ts';
import { MarkedText } from './marked-text.ts';
import { blockBetween, expandToUnits, SELECTION_UNITS, type SelectionUnit } from './selection-units.ts';
import { isBefore, type TextPosition, type TextRange } from './text-range.ts';

export interface TextMarkerParts {
  view: ScreenView;
  classes(): CharacterClasses;
  /** The marked text has changed or was unmarked. */
  changed(): void;
}

/** The cells that were pointed at, the earlier one first; for a block the two corners, the fixed one first. */
interface Ends {
  start: TextPosition;
  end: TextPosition;
}

/** A cell, with the line of its row: text may have moved under the pointer. */
interface Reached extends TextPosition {
  lineId: number | undefined;
  columns: number;
}

/** Marks text by the pointer's cells. The moving end is determined as in the reference terminal. */
export class TextMarker {
  readonly #parts: TextMarkerParts;
  #unit: SelectionUnit = 'character';
  #isBlock = false;
  /** Cell of the first of several clicks. */
  #first: HeldPosition | undefined;
  /** Ends that were pointed at last. */
  #start: HeldPosition | undefined;
  #end: HeldPosition | undefined;
  /** Ends when the present marking began. */
  #savedStart: HeldPosition | undefined;
  #savedEnd: HeldPosition | undefined;
  #moves: 'start' | 'end' | undefined;
  #marked: MarkedText | undefined;
  /** Last place of the moving end, with the line there. */
  #reached: Reached | undefined;

  constructor(parts: TextMarkerParts) {
    this.#parts = parts;
  }

  /** Whether the button that began the marking is held. */
  get isMarking(): boolean {
    return this.#moves !== undefined;
  }

  get marked(): MarkedText | undefined {
    return this.#marked;
  }

  /** @param clicks number of successive clicks including this one */
  start(cell: TextPosition, { clicks, isBlock }: { clicks: number; isBlock: boolean }): void {
    this.#reached = undefined;
    this.#isBlock = isBlock;
    this.#unit = isBlock ? 'character' : unitOf(clicks);
    if (clicks === 1) this.#first = this.#hold(cell);
    this.#savedStart = this.#first;
    this.#savedEnd = this.#first;
    const first = this.#positionOf(this.#first) ?? cell;
    const isLeft = isBefore(cell, first);
    this.#moves = isLeft ? 'start' : 'end';
    this.#mark(isLeft ? { start: cell, end: first } : { start: first, end: cell });
  }

  /** Marks up to a cell, while `isMarking`. */
  extendTo(cell: TextPosition): void {
    if (this.#moves !== undefined && !this.#isReached(cell)) this.#moveTo(cell);
  }

  #moveTo(cell: TextPosition): void {
    if (this.#isBlock) {
      this.#mark({ start: this.#positionOf(this.#start) ?? cell, end: cell });
      return;
    }
    const range = this.#marked?.range;
    const start = this.#positionOf(this.#start) ?? cell;
    const end = this.#positionOf(this.#end) ?? cell;
    // The word or line under the pointer counts.
    const reach = this.#unit === 'character' ? cell : { row: cell.row, column: cell.column + 1 };
    let ends: Ends = { start, end };
    if (this.#moves === 'start' && isBefore(range?.end ?? end, reach)) {
      this.#moves = 'end';
      ends = { start: this.#positionOf(this.#savedStart) ?? cell, end: cell };
    } else if (this.#moves === 'end' && isBefore(cell, range?.start ?? start)) {
      this.#moves = 'start';
      ends = { start: cell, end: this.#positionOf(this.#savedEnd) ?? cell };
    }
    this.#mark(this.#moves === 'start' ? { ...ends, start: cell } : { ...ends, end: cell });
  }

  /** Moves the nearer end of the present or last marked text, and continues marking. */
  startExtend(cell: TextPosition, clicks: number): void {
    this.#reached = undefined;
    const start = this.#positionOf(this.#start);
    const end = this.#positionOf(this.#end);
    if (start === undefined || end === undefined) {
      this.start(cell, { clicks: 1, isBlock: false });
      return;
    }
    if (this.#isBlock) {
      this.#moves = 'end';
      this.#mark({ start: fartherCorner(start, end, cell), end: cell });
      return;
    }
    if (clicks === 1) {
      this.#savedStart = this.#start;
      this.#savedEnd = this.#end;
    } else this.#unit = unitOf(clicks);
    const saved = { start: this.#positionOf(this.#savedStart) ?? start, end: this.#positionOf(this.#savedEnd) ?? end };
    const shown = this.#marked?.range ?? { start, end };
    const isLeft = isBefore(cell, shown.start) || this.#distance(cell, shown.start) < this.#distance(cell, shown.end);
    this.#moves = isLeft ? 'start' : 'end';
    this.#mark(isLeft ? { ...saved, start: cell } : { ...saved, end: cell });
  }

  /** Ends the marking; the text stays marked. */
  end(): void {
    this.#moves = undefined;
  }

  /** Unmarks the text; the last marked text can still be extended. */
  clear(): void {
    if (this.#marked === undefined) return;
    this.#marked = undefined;
    this.#parts.changed();
  }

  #mark(ends: Ends): void {
    const { view, classes } = this.#parts;
    const isTurned = !this.#isBlock && isBefore(ends.end, ends.start);
    const { start, end } = isTurned ? { start: ends.end, end: ends.start } : ends;
    this.#start = this.#hold(start);
    this.#end = this.#hold(end);
    const range: TextRange = this.#isBlock
      ? blockBetween(view, start, end)
      : expandToUnits(view, { start, end }, this.#unit, classes());
    const hadMarked = this.#marked !== undefined;
    this.#marked = MarkedText.mark(view, range);
    // Records the content that the user sees now.
    void this.#marked?.range;
    if (hadMarked || this.#marked !== undefined) this.#parts.changed();
  }

  /** Whether the text is already marked up to there; a mouse reports hundreds of motions within a cell. */
  #isReached({ row, column }: TextPosition): boolean {
    const { view } = this.#parts;
    const { columns } = view;
    const lineId = view.line(row)?.id;
    const before = this.#reached;
    this.#reached = { row, column, lineId, columns };
    return (
      this.#marked !== undefined &&
      before?.row === row &&
      before.column === column &&
      before.lineId === lineId &&
      before.columns === columns
    );
  }

  #hold(position: TextPosition): HeldPosition | undefined {
    return hold(this.#parts.view, position);
  }

  #positionOf(held: HeldPosition | undefined): TextPosition | undefined {
    return held && positionOf(this.#parts.view, held);
  }

  /** Returns the distance in cells. */
  #distance(one: TextPosition, other: TextPosition): number {
    return Math.abs((one.row - other.row) * this.#parts.view.columns + one.column - other.column);
  }
}

/** Successive clicks cycle through the units. */
function unitOf(clicks: number): SelectionUnit {
  return SELECTION_UNITS[(clicks - 1) % SELECTION_UNITS.length] ?? 'character';
}

function fartherCorner(one: TextPosition, other: TextPosition, cell: TextPosition): TextPosition {
  const farther = (key: 'row' | 'column'): number =>
    Math.abs(cell[key] - one[key]) >= Math.abs(cell[key] - other[key]) ? one[key] : other[key];
  return { row: farther('row'), column: farther('column') };
}
