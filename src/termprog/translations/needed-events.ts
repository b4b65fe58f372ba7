import { type Binding, PAUSE } from './binding.ts';
import { type BoundEvent, BUTTON_BITS, type EventPattern } from './event-pattern.ts';

/**
 * Bits of a window's event mask; X11 protocol, SETofEVENT. Redirections are omitted, because they would take resizing
 * away from the window manager. Events without a bit come in any case, or because of their window's requests.
 */
const MASKS: Readonly<Partial<Record<BoundEvent, number>>> = {
  KeyPress: 1 << 0,
  KeyRelease: 1 << 1,
  // Counts need both.
  ButtonPress: (1 << 2) | (1 << 3),
  ButtonRelease: (1 << 2) | (1 << 3),
  EnterNotify: 1 << 4,
  LeaveNotify: 1 << 5,
  KeymapNotify: 1 << 14,
  Expose: 1 << 15,
  VisibilityNotify: 1 << 16,
  DestroyNotify: 1 << 17,
  UnmapNotify: 1 << 17,
  MapNotify: 1 << 17,
  ReparentNotify: 1 << 17,
  ConfigureNotify: 1 << 17,
  GravityNotify: 1 << 17,
  CirculateNotify: 1 << 17,
  FocusIn: 1 << 21,
  FocusOut: 1 << 21,
  PropertyNotify: 1 << 22,
  ColormapNotify: 1 << 23,
};

const POINTER_MOTION = 1 << 6;
const BUTTON_MOTION = 1 << 13;

/** Returns the event mask that a window needs, so that its bindings can match. */
export function neededEvents(bindings: readonly Binding[]): number {
  return bindings.flatMap(({ steps }) => steps).reduce((mask, step) => mask | (step === PAUSE ? 0 : maskOf(step)), 0);
}

/** Motion is selected only with the buttons that a binding names. */
function maskOf({ event, needsButton, held }: EventPattern): number {
  if (event !== 'MotionNotify') return MASKS[event] ?? 0;
  if (needsButton) return BUTTON_MOTION;
  const buttons = held & BUTTON_BITS;
  return buttons === 0 ? POINTER_MOTION : buttons;
}
