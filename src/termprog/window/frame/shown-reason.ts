/** Longest time that a reason is shown; a key or button may dismiss it earlier. */
const STAYS_MS = 10_000;

export interface ReasonParts {
  /** Whether any part of the window is visible. */
  isVisible(): boolean;
  /** Whether the cursor is in the last row, where the message would hide it. */
  isCursorLow(): boolean;
  redraw(): void;
  nowMs(): number;
}

/**
 * A message over one row of the window that says why an action was refused. Its time starts with the frame that shows
 * it.
 */
export class ShownReason {
  readonly #parts: ReasonParts;
  #text: string | undefined;
  #leastMs = 0;
  #sinceMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAtTop = false;
  #isStopped = false;

  constructor(parts: ReasonParts) {
    this.#parts = parts;
  }

  get text(): string | undefined {
    return this.#text;
  }

  /** Whether the message lies over the first row of the view instead of the last; it stays there. */
  get isAtTop(): boolean {
    return this.#isAtTop;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /**
   * Shows a message.
   * @param leastMs time during which keys and buttons do not dismiss it, in milliseconds, so that people who type on
   * see it
   */
  show(text: string, { leastMs = 0 }: { leastMs?: number } = {}): void {
    if (this.#isStopped) return;
    this.#set(text);
    this.#leastMs = leastMs;
  }

  /** A key or button was pressed. */
  takePress(): void {
    const { nowMs } = this.#parts;
    const shownMs = this.#sinceMs === undefined ? 0 : nowMs() - this.#sinceMs;
    if (this.#text !== undefined && shownMs >= this.#leastMs) this.#set(undefined);
  }

  beforeFrame(): void {
    const { isVisible, isCursorLow, nowMs } = this.#parts;
    if (this.#text === undefined || this.#sinceMs !== undefined || this.#isStopped || !isVisible()) return;
    this.#sinceMs = nowMs();
    this.#isAtTop = isCursorLow();
    this.#timer = setTimeout(() => this.#set(undefined), STAYS_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #set(text: string | undefined): void {
    clearTimeout(this.#timer);
    this.#sinceMs = undefined;
    this.#text = text;
    this.#parts.redraw();
  }
}
