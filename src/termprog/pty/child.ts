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

/** Input for the child, in order. */
export interface ChildInput {
  /** Sends input; the rest waits in order, up to 8 MiB. Beyond that the call's bytes are dropped. */
  write(bytes: Uint8Array): void;
  /** Sends a long text, whose bytes must not change any more, as fast as the child reads it; up to 64 MiB wait. */
  writeWhole(bytes: Uint8Array): void;
}

/** The command in a window, or its substitute. */
export interface Child {
  /** Delivers output as it arrives, then the end, once. */
  listen(listener: ChildListener): void;
  readonly input: ChildInput;
  resize(size: PtySize): void;
  /** Delivers the output that is available now, up to one turn's share. */
  catchUp(): void;
  /** Delivers no output until `resumeOutput`, except at the end, and by `catchUp`, which may then leave a rest. */
  pauseOutput(): void;
  resumeOutput(): void;
  /** Whether a program, not the kernel, edits the lines that the user types; false if unknown. */
  readonly isEditing: boolean;
  /** Foreground process group, which identifies the program that uses the terminal now; undefined if unknown. */
  readonly foregroundGroup: number | undefined;
  hangUp(): void;
  /** Closes the terminal; no callback follows. */
  close(): void;
}
