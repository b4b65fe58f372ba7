/** Stores the style with which the next character is written, as words of a cell. */
export class Pen {
  foreground = 0;
  background = 0;
  /** Number of underline colour and link in the table of extras. */
  extra = 0;
  /** PROTECTED, GUARDED, both or 0. */
  protection = 0;

  copy(): Pen {
    const pen = new Pen();
    pen.take(this);
    return pen;
  }

  take({ foreground, background, extra, protection }: Pen): void {
    this.foreground = foreground;
    this.background = background;
    this.extra = extra;
    this.protection = protection;
  }
}
