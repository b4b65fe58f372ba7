import type { CellLine } from '../engine/cell.ts';
import type { Damage } from '../engine/damage.ts';
import type { ShownCursor } from './cursor-painter.ts';
import type { CellSource } from './run-painter.ts';

/** What is shown, by the rows of the view. */
export interface FrameSource extends CellSource {
  line(row: number): CellLine | undefined;
}

/** The cells to paint in one frame. */
export interface Frame {
  source: FrameSource;
  damage: Damage;
  /** All rows are compared with what the window shows, whichever the damage marks. */
  isEverything: boolean;
  cursor: ShownCursor | undefined;
}
