export type CursorShape = 'block' | 'underline' | 'bar';

/** The cursor's place and look. */
export interface Cursor {
  column: number;
  row: number;
  isVisible: boolean;
  shape: CursorShape;
}
