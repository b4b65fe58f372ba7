import type { CellLine } from '../engine/cell.ts';
import type { Damage } from '../engine/damage.ts';
import type { ShownCursor } from './cursor-painter.ts';
import type { CellSource } from './run-painter.ts';

/** The shown lines, by row of the view. */
export interface FrameSource extends CellSource {
  line(row: number): CellLine | undefined;
}

/** The cells to paint in one frame. */
export interface Frame {
  source: FrameSource;
  damage: Damage;
  /** Compares all rows with the window's content, regardless of the damage. */
  isEverything: boolean;
  cursor: ShownCursor | undefined;
}
