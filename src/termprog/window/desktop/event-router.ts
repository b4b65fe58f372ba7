import type { WireEvent } from 'x11';

/** Event name of the protocol → handler, for the events of one window. */
export type EventHandlers = Readonly<Record<string, (event: WireEvent) => void>>;

/** Key for events that belong to no window, such as MappingNotify. */
export const NO_WINDOW = 0;

/** Most windows with handlers: the terminal's own, such as menus and the scrollbar, and watched ones. */
const WINDOWS_MAX = 64;

/**
 * Events that are accepted only from the server: a terminal that believed another client would end, stop painting, or
 * resize its screen to any size. A window manager's synthetic ConfigureNotify reports only a position; after a resize
 * the server sends one too. ICCCM 4.1.5
 */
const SERVER_EVENTS: ReadonlySet<string | undefined> = new Set([
  'DestroyNotify',
  'UnmapNotify',
  'VisibilityNotify',
  'ConfigureNotify',
]);

/** Set in the first byte of an event that a client sent. */
const SENT_FLAG = 0x80;

/** Passes events to the handlers of their window. */
export class EventRouter {
  readonly #windows = new Map<number, Map<string, (event: WireEvent) => void>>();
  readonly #observers = new Map<number, { names: ReadonlySet<string>; see(event: WireEvent): void }>();

  /** Registers handlers. Each event of a window has one handler; several parts may each register theirs. */
  attach(window: number, handlers: EventHandlers): void {
    const attached = this.#windows.get(window) ?? new Map<string, (event: WireEvent) => void>();
    for (const [name, handle] of Object.entries(handlers)) {
      if (attached.has(name)) throw new Error(`${name} of window ${window} has a handler already`);
      attached.set(name, handle);
    }
    this.#windows.set(window, attached);
    if (this.#windows.size > WINDOWS_MAX) throw new Error('too many windows have handlers');
  }

  /** Whether the window has handlers: it is one of ours, or a watched one. */
  isAttached(window: number): boolean {
    return this.#windows.has(window);
  }

  /** Passes the named events of a window to an observer, after the handlers; each window has one observer. */
  observe(window: number, names: ReadonlySet<string>, see: (event: WireEvent) => void): void {
    this.#observers.set(window, { names, see });
  }

  /** Removes the handlers; late events of the window are then ignored. */
  detach(window: number): void {
    this.#windows.delete(window);
    this.#observers.delete(window);
  }

  route(event: WireEvent): void {
    if (SERVER_EVENTS.has(event.name) && isSent(event)) return;
    const window = windowOf(event);
    const name = event.name ?? '';
    this.#windows.get(window)?.get(name)?.(event);
    const observer = this.#observers.get(window);
    if (observer?.names.has(name) === true) observer.see(event);
  }
}

function isSent({ rawData }: WireEvent): boolean {
  return ((rawData[0] ?? 0) & SENT_FLAG) !== 0;
}

/** Selection events and GraphicsExpose name their window in another field. */
function windowOf(event: Partial<WireEvent> & { drawable?: number }): number {
  return event.wid ?? event.owner ?? event.requestor ?? event.drawable ?? NO_WINDOW;
}
