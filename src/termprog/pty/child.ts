export interface PtySize {
  rows: number;
  columns: number;
  /** Size in pixels. */
  width: number;
  height: number;
}

/** The end of a child; both undefined if unknown. */
export interface ChildEnd {
  exitCode: number | undefined;
  signal: number | undefined;
}

/** Receives the events of the terminal. */
export interface ChildListener {
  /**
   * Receives output from `start` on. The bytes are valid only during the call. Returns the end of the consumed part,
   * after which the caller checks the clock; undefined if all was consumed.
   */
  onData(bytes: Uint8Array, start: number): number | undefined;
  /**
   * The output is read for now, or, with `hasMore`, this turn's share (64 KiB or about 4 ms) is used up and another
   * turn will follow.
   */
  onDrained(state: { hasMore: boolean }): void;
  /** Called once, after all of the child's output; the terminal is then closed. */
  onEnd(end: ChildEnd): void;
  /** Input was dropped because too much waits. Called once, and again only after the child has read the rest. */
  onInputDropped?(bytes: number): void;
}

/** The command in a window, or its substitute. */
export interface Child {
  /** Delivers output as it arrives, then the end, once. */
  listen(listener: ChildListener): void;
  write(bytes: Uint8Array): void;
  /** Writes a long text, whose bytes must not change any more: it is sent as the child reads. */
  writeWhole(bytes: Uint8Array): void;
  resize(size: PtySize): void;
  /** Delivers the output that is available now, up to one turn's share. */
  catchUp(): void;
  /** Whether a program, not the kernel, edits the lines that the user types; false if unknown. */
  readonly isEditing: boolean;
  /** Foreground process group, which identifies the program that uses the terminal now; undefined if unknown. */
  readonly foregroundGroup: number | undefined;
  hangUp(): void;
  /** Closes the terminal; no callback follows. */
  close(): void;
}
