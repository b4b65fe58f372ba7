import { type BoundEvent, type KeysymModifier, MODIFIER_BITS } from './event-pattern.ts';
import { metaHeld } from './modifier-names.ts';

/** Kinds of details that may follow the name of an event. */
export type DetailKind =
  | { kind: 'keysym' }
  | { kind: 'name'; what: string; names: ReadonlyMap<string, number> }
  | { kind: 'atom' }
  | { kind: 'none' };

export interface EventName {
  event: BoundEvent;
  details: DetailKind;
  /** A detail or modifier that the name implies. */
  detail?: number;
  held?: number;
  byKeysym?: KeysymModifier;
  needsButton?: boolean;
}

const keysym: DetailKind = { kind: 'keysym' };
const atom: DetailKind = { kind: 'atom' };
const none: DetailKind = { kind: 'none' };

const named = (what: string, names: Readonly<Record<string, number>>): DetailKind => ({
  kind: 'name',
  what,
  names: new Map(Object.entries(names)),
});

const NUMBERS = [1, 2, 3, 4, 5] as const;

const button = named(
  'button',
  Object.fromEntries(
    NUMBERS.flatMap((n) => [
      [`Button${n}`, n],
      [`${n}`, n],
    ]),
  ),
);
const motion = named('kind of motion', { Normal: 0, Hint: 1 });
const mode = named('mode', { Normal: 0, Grab: 1, Ungrab: 2, WhileGrabbed: 3 });
const mapping = named('mapping', { Modifier: 0, Keyboard: 1, Pointer: 2 });

const all = (names: string, event: EventName): [string, EventName][] => names.split(' ').map((name) => [name, event]);

/** Names and abbreviations of events in the toolkit; X Toolkit Intrinsics, appendix B. */
const EVENTS = new Map<string, EventName>([
  ...all('Key KeyPress KeyDown', { event: 'KeyPress', details: keysym }),
  ...all('KeyUp KeyRelease', { event: 'KeyRelease', details: keysym }),
  ...all('Ctrl', { event: 'KeyPress', details: keysym, held: MODIFIER_BITS.Ctrl }),
  ...all('Shift', { event: 'KeyPress', details: keysym, held: MODIFIER_BITS.Shift }),
  ...all('Meta', { event: 'KeyPress', details: keysym, byKeysym: metaHeld }),
  ...all('BtnDown ButtonPress', { event: 'ButtonPress', details: button }),
  ...all('BtnUp ButtonRelease', { event: 'ButtonRelease', details: button }),
  ...NUMBERS.flatMap((n): [string, EventName][] => [
    [`Btn${n}Down`, { event: 'ButtonPress', details: none, detail: n }],
    [`Btn${n}Up`, { event: 'ButtonRelease', details: none, detail: n }],
    [`Btn${n}Motion`, { event: 'MotionNotify', details: none, held: MODIFIER_BITS[`Button${n}`] }],
  ]),
  ...all('MotionNotify Motion MouseMoved PtrMoved', { event: 'MotionNotify', details: motion }),
  ...all('BtnMotion', { event: 'MotionNotify', details: none, needsButton: true }),
  ...all('EnterNotify EnterWindow Enter', { event: 'EnterNotify', details: mode }),
  ...all('LeaveNotify LeaveWindow Leave', { event: 'LeaveNotify', details: mode }),
  ...all('FocusIn', { event: 'FocusIn', details: mode }),
  ...all('FocusOut', { event: 'FocusOut', details: mode }),
  ...all('KeymapNotify Keymap', { event: 'KeymapNotify', details: none }),
  ...all('Expose', { event: 'Expose', details: none }),
  ...all('GraphicsExpose GrExp', { event: 'GraphicsExposure', details: none }),
  ...all('NoExpose NoExp', { event: 'NoExposure', details: none }),
  ...all('VisibilityNotify Visible', { event: 'VisibilityNotify', details: none }),
  ...all('CreateNotify Create', { event: 'CreateNotify', details: none }),
  ...all('DestroyNotify Destroy', { event: 'DestroyNotify', details: none }),
  ...all('UnmapNotify Unmap', { event: 'UnmapNotify', details: none }),
  ...all('MapNotify Map', { event: 'MapNotify', details: none }),
  ...all('MapRequest MapReq', { event: 'MapRequest', details: none }),
  ...all('ReparentNotify Reparent', { event: 'ReparentNotify', details: none }),
  ...all('ConfigureNotify Configure', { event: 'ConfigureNotify', details: none }),
  ...all('ConfigureRequest ConfigureReq', { event: 'ConfigureRequest', details: none }),
  ...all('GravityNotify Grav', { event: 'GravityNotify', details: none }),
  ...all('ResizeRequest ResReq', { event: 'ResizeRequest', details: none }),
  ...all('CirculateNotify Circ', { event: 'CirculateNotify', details: none }),
  ...all('CirculateRequest CircReq', { event: 'CirculateRequest', details: none }),
  ...all('PropertyNotify Prop', { event: 'PropertyNotify', details: atom }),
  ...all('SelectionClear SelClr', { event: 'SelectionClear', details: atom }),
  ...all('SelectionRequest SelReq', { event: 'SelectionRequest', details: atom }),
  ...all('SelectionNotify Select', { event: 'SelectionNotify', details: atom }),
  ...all('ColormapNotify Clrmap', { event: 'ColormapNotify', details: none }),
  ...all('ClientMessage Message', { event: 'ClientMessage', details: atom }),
  ...all('MappingNotify Mapping', { event: 'MappingNotify', details: mapping }),
]);

export function eventNamed(name: string): EventName | undefined {
  return EVENTS.get(name);
}
