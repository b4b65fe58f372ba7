import { ATTRIBUTE, CLUSTER, createRow, type Row } from '../engine/engine.ts';

/** A code no cell has: the cell must be painted. */
const UNKNOWN = 0xffff_ffff;

/** Unchanged cells between two changed ones that are painted with them: cheaper than a second request. */
const GAP_CELLS = 3;

/** Columns from `start` up to, without, `end`. */
export interface Span {
  start: number;
  end: number;
}

/** What the window shows now, so that only what differs is painted. */
export class ShadowGrid {
  #rows: Row[] = [];

  resize(columns: number, rows: number): void {
    this.#rows = Array.from({ length: rows }, () => createRow(columns));
    for (let row = 0; row < rows; row += 1) this.forget(row, 0, columns);
  }

  /** The cells were damaged: they count as changed. */
  forget(row: number, start: number, end: number): void {
    this.#rows[row]?.codes.fill(UNKNOWN, start, end);
  }

  /** The parts of a row that differ from what is shown; from then on they count as shown. */
  update(row: number, next: Row): Span[] {
    const shown = this.#rows[row];
    if (shown === undefined) return [];
    const spans: Span[] = [];
    let open: Span | undefined;
    for (let column = 0; column < next.codes.length; column += 1) {
      if (!differs(shown, next, column)) continue;
      const start = isContinuation(next, column) && column > 0 ? column - 1 : column;
      if (open !== undefined && start - open.end <= GAP_CELLS) open.end = column + 1;
      else {
        open = { start, end: column + 1 };
        spans.push(open);
      }
    }
    for (const span of spans) copySpan(shown, next, span);
    return spans;
  }
}

function isContinuation(row: Row, column: number): boolean {
  return ((row.attributes[column] ?? 0) & ATTRIBUTE.continuation) !== 0;
}

function differs(shown: Row, next: Row, column: number): boolean {
  return (
    shown.codes[column] !== next.codes[column] ||
    shown.foregrounds[column] !== next.foregrounds[column] ||
    shown.backgrounds[column] !== next.backgrounds[column] ||
    shown.attributes[column] !== next.attributes[column] ||
    (next.codes[column] === CLUSTER && shown.clusters.get(column) !== next.clusters.get(column))
  );
}

function copySpan(shown: Row, next: Row, { start, end }: Span): void {
  shown.codes.set(next.codes.subarray(start, end), start);
  shown.foregrounds.set(next.foregrounds.subarray(start, end), start);
  shown.backgrounds.set(next.backgrounds.subarray(start, end), start);
  shown.attributes.set(next.attributes.subarray(start, end), start);
  for (let column = start; column < end; column += 1) {
    const cluster = next.clusters.get(column);
    if (cluster === undefined) shown.clusters.delete(column);
    else shown.clusters.set(column, cluster);
  }
}
