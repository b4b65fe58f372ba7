import type { CellLine, Extra } from '../../engine/cell.ts';
import type { FrameSource } from '../../render/frame.ts';

/** Changes the look of lines, such as those with selected text, without changing the engine's content. */
export interface LineDecorator {
  /** Whether any line may look different; read once a frame. */
  readonly isActive: boolean;
  /**
   * Returns the line as it is drawn: the same object if unchanged, otherwise a copy, valid until the next call.
   * @param row of the view, from its top
   */
  decorate(row: number, line: CellLine): CellLine;
  /** Whether the row shows the decorator's own text: the terminal's cursor is hidden there. */
  covers?(row: number): boolean;
  /** Text of a cluster that the decorator put into a line; undefined for a number of another owner. */
  clusterText?(number: number): string | undefined;
}

const NONE: readonly LineDecorator[] = [];

/** The lines of the viewport with their decorations. A part that changes a decoration must request a redraw. */
export class ShownLines implements FrameSource {
  readonly #view: FrameSource;
  readonly #decorators: LineDecorator[] = [];
  /** Decorators that change something in this frame. */
  #active: readonly LineDecorator[] = [];

  constructor(view: FrameSource) {
    this.#view = view;
  }

  /** Adds a decorator; the last one lies on top. */
  add(decorator: LineDecorator): void {
    this.#decorators.push(decorator);
  }

  /** Begins a frame: `isActive` is read once for all of its rows. */
  beginFrame(): void {
    this.#active = NONE;
    for (const decorator of this.#decorators) if (decorator.isActive) this.#active = [...this.#active, decorator];
  }

  line(row: number): CellLine | undefined {
    let line = this.#view.line(row);
    for (const decorator of this.#active) {
      if (line !== undefined) line = decorator.decorate(row, line);
    }
    return line;
  }

  /** Whether a decoration covers the cells of the row. */
  covers(row: number): boolean {
    for (const decorator of this.#active) if (decorator.covers?.(row) === true) return true;
    return false;
  }

  clusterText(number: number): string {
    for (const decorator of this.#active) {
      const text = decorator.clusterText?.(number);
      if (text !== undefined) return text;
    }
    return this.#view.clusterText(number);
  }

  extra(number: number): Extra {
    return this.#view.extra(number);
  }
}
