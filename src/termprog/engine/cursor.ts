export type CursorShape = 'block' | 'underline' | 'bar';

/** Where the cursor is, and how it looks. */
export interface Cursor {
  column: number;
  row: number;
  isVisible: boolean;
  shape: CursorShape;
}
