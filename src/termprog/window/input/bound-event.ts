import type { WireEvent } from 'x11';
import type { BoundEvent } from '../../translations/event-pattern.ts';
import type { InputEvent } from '../../translations/matcher.ts';

/** An event in the form that bindings match. */
export interface BoundInput extends InputEvent {
  /** Server time of keys and buttons in milliseconds; undefined for other events. */
  time: number | undefined;
  /** Number of the button that changed; 0 for other events. */
  button: number;
  x: number;
  y: number;
}

/** Event type → the field that a translation matches as `detail`. */
const DETAILS: Readonly<Record<BoundEvent, (event: WireEvent) => number>> = {
  KeyPress: () => 0,
  KeyRelease: () => 0,
  ButtonPress: ({ keycode }) => keycode,
  ButtonRelease: ({ keycode }) => keycode,
  MotionNotify: ({ keycode }) => keycode,
  EnterNotify: ({ mode }) => mode,
  LeaveNotify: ({ mode }) => mode,
  FocusIn: ({ mode }) => mode,
  FocusOut: ({ mode }) => mode,
  PropertyNotify: ({ atom }) => atom,
  SelectionClear: ({ selection }) => selection,
  SelectionRequest: ({ selection }) => selection,
  SelectionNotify: ({ selection }) => selection,
  ClientMessage: ({ message_type: type }) => type,
  MappingNotify: ({ request }) => request,
  KeymapNotify: () => 0,
  Expose: () => 0,
  GraphicsExposure: () => 0,
  NoExposure: () => 0,
  VisibilityNotify: () => 0,
  CreateNotify: () => 0,
  DestroyNotify: () => 0,
  UnmapNotify: () => 0,
  MapNotify: () => 0,
  MapRequest: () => 0,
  ReparentNotify: () => 0,
  ConfigureNotify: () => 0,
  ConfigureRequest: () => 0,
  GravityNotify: () => 0,
  ResizeRequest: () => 0,
  CirculateNotify: () => 0,
  CirculateRequest: () => 0,
  ColormapNotify: () => 0,
};

const isBound = (name: string): name is BoundEvent => Object.hasOwn(DETAILS, name);

const KEYS: ReadonlySet<BoundEvent> = new Set<BoundEvent>(['KeyPress', 'KeyRelease']);
const BUTTONS: ReadonlySet<BoundEvent> = new Set<BoundEvent>(['ButtonPress', 'ButtonRelease']);
const WITH_POINTER: ReadonlySet<BoundEvent> = new Set<BoundEvent>([
  ...KEYS,
  ...BUTTONS,
  'MotionNotify',
  'EnterNotify',
  'LeaveNotify',
]);

/** Converts a wire event; undefined for events that cannot be bound. */
export function inputOf(wire: WireEvent): BoundInput | undefined {
  const { name: event = '' } = wire;
  if (!isBound(event)) return undefined;
  const hasPointer = WITH_POINTER.has(event);
  return {
    event,
    state: hasPointer ? wire.buttons : 0,
    detail: DETAILS[event](wire),
    keycode: KEYS.has(event) ? wire.keycode : 0,
    button: BUTTONS.has(event) ? wire.keycode : 0,
    time: KEYS.has(event) || BUTTONS.has(event) ? wire.time : undefined,
    x: hasPointer ? wire.x : 0,
    y: hasPointer ? wire.y : 0,
  };
}
