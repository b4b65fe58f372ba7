import type { ModeStates } from '../engine/engine.ts';

/** The modes that applications set, which menus and actions may set as well. */
export type ModePort = ModeStates;
