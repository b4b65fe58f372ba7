import type { ModeStates } from '../../engine/engine.ts';
import type { ModeName } from '../../engine/modes.ts';

/** The mouse events that an application requested; one protocol at a time. */
export type MouseProtocol =
  /** Presses of the first three buttons, without modifiers. */
  | 'x10'
  /** Presses and releases. */
  | 'buttons'
  /** The same; in addition the text is highlighted over which the first button is dragged. */
  | 'highlight'
  /** The same, and motion while a button is held. */
  | 'drag'
  /** The same, and all motion. */
  | 'motion';

const PROTOCOLS: ReadonlyMap<ModeName, MouseProtocol> = new Map([
  ['mouseX10', 'x10'],
  ['mouseButtons', 'buttons'],
  ['mouseHighlight', 'highlight'],
  ['mouseDrag', 'drag'],
  ['mouseMotion', 'motion'],
]);

/** Modes 9 and 1000 to 1003, at most one of which is set. */
export const PROTOCOL_MODES: readonly ModeName[] = [...PROTOCOLS.keys()];

/** Returns the active protocol; undefined while no application requests mouse events. */
export function protocolIn(modes: Pick<ModeStates, 'get'>): MouseProtocol | undefined {
  const mode = PROTOCOL_MODES.find((name) => modes.get(name));
  return mode && PROTOCOLS.get(mode);
}
