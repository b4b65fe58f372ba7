import type { CellLine, Extra } from '../engine/cell.ts';
import type { FrameSource } from '../render/frame.ts';

/** Changes how lines look, such as those with selected text, without a change of what the engine holds. */
export interface LineDecorator {
  /** Whether any line may look different; asked once a line. */
  readonly isActive: boolean;
  /**
   * The line as it is to be drawn: the same object where nothing changes, else a copy, valid until the next call.
   * @param row of the view, from its top
   */
  decorate(row: number, line: CellLine): CellLine;
  /** Whether what is drawn in the row of the view is not the terminal's text: its cursor does not show there. */
  covers?(row: number): boolean;
  /** Text of a cluster that the decorator has put into a line; undefined for a number of somebody else's. */
  clusterText?(number: number): string | undefined;
}

/** The lines of the view with what lies over them. Who changes a decoration asks for a redraw. */
export class ShownLines implements FrameSource {
  readonly #view: FrameSource;
  readonly #decorators: LineDecorator[] = [];

  constructor(view: FrameSource) {
    this.#view = view;
  }

  /** The last one added lies on top. */
  add(decorator: LineDecorator): void {
    this.#decorators.push(decorator);
  }

  line(row: number): CellLine | undefined {
    let line = this.#view.line(row);
    for (const decorator of this.#decorators) {
      if (line !== undefined && decorator.isActive) line = decorator.decorate(row, line);
    }
    return line;
  }

  /** Whether something lies over the cells of the row. */
  covers(row: number): boolean {
    return this.#decorators.some((decorator) => decorator.isActive && decorator.covers?.(row) === true);
  }

  clusterText(number: number): string {
    for (const decorator of this.#decorators) {
      const text = decorator.isActive ? decorator.clusterText?.(number) : undefined;
      if (text !== undefined) return text;
    }
    return this.#view.clusterText(number);
  }

  extra(number: number): Extra {
    return this.#view.extra(number);
  }
}
