import type { Modes } from '../../engine/modes.ts';
import type { LiveOptions } from '../../options/live-options.ts';
import type { Rectangle } from '../../render/rectangle.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import { Attention } from './attention.ts';
import { EventMask } from './event-mask.ts';
import type { EventRouter } from './event-router.ts';
import type { PixelSize } from './fit-geometry.ts';
import { Focus } from './focus.ts';
import { protocolHandlers } from './protocols.ts';
import { Titles } from './titles.ts';
import { WINDOW_EVENTS } from './top-level-window.ts';
import { WindowArea } from './window-area.ts';
import type { WindowAtoms } from './window-atoms.ts';

export interface DesktopWindowParts {
  connection: XConnection;
  router: EventRouter;
  window: number;
  atoms: WindowAtoms;
  options: LiveOptions;
  modes: Pick<Modes, 'get' | 'set' | 'watch'>;
  labels: { title: string; iconName: string };
  isUtf8Locale: boolean;
  nowMs(): number;
  /** Requests a frame. */
  request(): void;
  /** Part of the window lost its picture. */
  onExposed(area: Rectangle): void;
  onResized(size: PixelSize): void;
  /** The user closed the window. */
  onClose(): void;
  /** Writes the window's hints, with urgency or without. */
  announceUrgency(isUrgent: boolean): void;
}

/**
 * The window as the desktop knows it. Owns its labels, its size, its visible area, the focus, and its requests for
 * attention.
 */
export class DesktopWindow {
  readonly titles: Titles;
  readonly focus: Focus;
  readonly area: WindowArea;
  readonly attention: Attention;
  readonly eventMask: EventMask;
  readonly #parts: DesktopWindowParts;

  constructor(parts: DesktopWindowParts) {
    this.#parts = parts;
    const { connection, window, options, modes, request } = parts;
    this.titles = new Titles({ ...parts, client: connection.client });
    this.focus = new Focus(request);
    this.area = new WindowArea({ ...parts, fence: (done) => connection.fence(done) });
    this.eventMask = new EventMask({ connection, window, base: WINDOW_EVENTS });
    const attention = new Attention({
      ...parts,
      isWanted: () => modes.get('urgentBell'),
      hasFocus: () => this.focus.isHere,
    });
    this.attention = attention;
    this.focus.watch(() => attention.takeFocus());
    modes.watch(['urgentBell'], () => attention.takeMode());
    options.watch(['bellIsUrgent'], () => modes.set('urgentBell', options.get('bellIsUrgent')));
  }

  /** Writes the first labels and starts to handle events. */
  start(): void {
    const { connection, router, window, atoms, labels, onClose } = this.#parts;
    this.titles.set('title', labels.title);
    this.titles.set('iconName', labels.iconName);
    this.titles.flush();
    router.attach(window, this.area.handlers);
    router.attach(window, this.focus.handlers);
    router.attach(window, protocolHandlers(connection, atoms, onClose));
  }
}
