export interface PtySize {
  rows: number;
  columns: number;
  /** In pixels. */
  width: number;
  height: number;
}

/** How a child ended; both undefined when that is not known. */
export interface ChildEnd {
  exitCode: number | undefined;
  signal: number | undefined;
}

/** Receives the events of the terminal. */
export interface ChildListener {
  /**
   * Output, from `start` on. The bytes are valid only during the call. Gives where the part ends that was taken, for which
   * so much work was done that it is time to look at the clock; undefined for everything.
   */
  onData(bytes: Uint8Array, start: number): number | undefined;
  /**
   * There is nothing to read now, or, with `hasMore`, this turn's share (64 KiB or about 4 ms) is used up and another
   * turn will follow.
   */
  onDrained(state: { hasMore: boolean }): void;
  /** Called once, after all of the child's output; the terminal is then closed. */
  onEnd(end: ChildEnd): void;
  /** Input was dropped because too much waits. Called once, and again only after the child has read the rest. */
  onInputDropped?(bytes: number): void;
}

/** What runs in a window. */
export interface Child {
  /** Delivers output as it comes, then the end, once. */
  listen(listener: ChildListener): void;
  write(bytes: Uint8Array): void;
  /** The same for a long text, whose bytes must not be changed any more: it is sent as the child reads. */
  writeWhole(bytes: Uint8Array): void;
  resize(size: PtySize): void;
  /** Delivers the output that is there now, as far as one turn of the event loop has room for it. */
  catchUp(): void;
  /** Whether a program, not the kernel, edits the lines that the user types; false when that is not known. */
  readonly isEditing: boolean;
  /** Tells the programs apart that use the terminal in turn, by the group of processes in the foreground; undefined when that is not known. */
  readonly foregroundGroup: number | undefined;
  hangUp(): void;
  /** Nothing is told after this. */
  close(): void;
}
