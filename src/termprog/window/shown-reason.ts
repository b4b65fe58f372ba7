/** How long a reason stays, unless a key or button ends it. */
const STAYS_MS = 10_000;

export interface ReasonParts {
  /** Whether there is anything to see of the window. */
  isVisible(): boolean;
  /** Whether the cursor is in the last row, where the line would hide it. */
  isCursorLow(): boolean;
  redraw(): void;
  nowMs(): number;
}

/** Why something was not done, in a line over the window. Its time runs from the frame that shows it. */
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

  /** Whether it lies over the first row of the view and not over the last; it stays there. */
  get isAtTop(): boolean {
    return this.#isAtTop;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** @param leastMs so long keys and buttons do not end it, in milliseconds: people who type on must see it, too */
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
