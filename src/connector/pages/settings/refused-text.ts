/** A text that a form refused, and why; the page shows both beside the field. */
export interface RefusedText {
  field: 'nick' | 'login' | 'name';
  written: string;
  why: string;
}
