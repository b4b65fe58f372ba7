import type { ModeStates } from '../engine/engine.ts';

/** The modes that applications set; menus and actions may set them too. */
export type ModePort = ModeStates;
