import type { ModeStates } from '../../engine/engine.ts';
import type { ModeName } from '../../engine/modes.ts';

/** Which events of the mouse an application asked for; one at a time. */
export type MouseProtocol =
  /** Presses of the first three buttons, without modifiers. */
  | 'x10'
  /** Presses and releases. */
  | 'buttons'
  /** The same; the application has the text highlighted over which the first button is dragged. */
  | 'highlight'
  /** Motions while a button is held, too. */
  | 'drag'
  /** All motions, too. */
  | 'motion';

const PROTOCOLS: ReadonlyMap<ModeName, MouseProtocol> = new Map([
  ['mouseX10', 'x10'],
  ['mouseButtons', 'buttons'],
  ['mouseHighlight', 'highlight'],
  ['mouseDrag', 'drag'],
  ['mouseMotion', 'motion'],
]);

/** Modes 9 and 1000 to 1003, of which one at most is set. */
export const PROTOCOL_MODES: readonly ModeName[] = [...PROTOCOLS.keys()];

/** Undefined while no application asked for anything. */
export function protocolIn(modes: Pick<ModeStates, 'get'>): MouseProtocol | undefined {
  const mode = PROTOCOL_MODES.find((name) => modes.get(name));
  return mode && PROTOCOLS.get(mode);
}
