import type { WireEvent } from 'x11';
import type { EventHandlers } from './event-router.ts';

/** Detail of a focus event that comes from the pointer because no window has the focus; X11 protocol, FocusIn. */
const FOCUS_DETAIL_POINTER = 5;

/** The pointer went into a child window, such as the scrollbar; X11 protocol, LeaveNotify. */
const LEAVE_DETAIL_INFERIOR = 2;

/** Tracks whether the window gets the keys: by the input focus, or by the pointer if no window has the focus. */
export class Focus {
  readonly #watchers = new Set<() => void>();
  readonly #leavingWatchers = new Set<() => void>();
  #hasFocus = false;
  #hasPointerFocus = false;

  constructor(changed: () => void) {
    this.#watchers.add(changed);
  }

  /** Registers a callback for each change. */
  watch(changed: () => void): void {
    this.#watchers.add(changed);
  }

  /** Registers a callback that runs when the pointer leaves the window, also into a child window. */
  watchLeaving(left: () => void): void {
    this.#leavingWatchers.add(left);
  }

  get isHere(): boolean {
    return this.#hasFocus || this.#hasPointerFocus;
  }

  readonly handlers: EventHandlers = {
    FocusIn: (event) => this.#takeFocus(event, true),
    FocusOut: (event) => this.#takeFocus(event, false),
    EnterNotify: (event) => this.#takeCrossing(event, true),
    LeaveNotify: (event) => this.#takeCrossing(event, false),
  };

  #takeFocus({ detail }: WireEvent, isIn: boolean): void {
    this.#update(() => {
      if (detail === FOCUS_DETAIL_POINTER) {
        this.#hasPointerFocus = isIn;
        return;
      }
      this.#hasFocus = isIn;
      // If another window has the focus, a pointer inside this one brings no keys. If no window has it, the server
      // sends a FocusIn for the pointer next.
      if (!isIn) this.#hasPointerFocus = false;
    });
  }

  /** Entering a window gives it the keys when no other window has the focus. */
  #takeCrossing({ rawData }: WireEvent, isIn: boolean): void {
    if (!isIn) for (const watcher of this.#leavingWatchers) watcher();
    const isWithin = !isIn && rawData[1] === LEAVE_DETAIL_INFERIOR;
    if (isWithin) return;
    const followsPointer = ((rawData[31] ?? 0) & 1) !== 0;
    this.#update(() => {
      this.#hasPointerFocus = isIn && followsPointer;
    });
  }

  #update(change: () => void): void {
    const before = this.isHere;
    change();
    if (this.isHere !== before) for (const watcher of this.#watchers) watcher();
  }
}
