import type { ModeStates } from '../engine/engine.ts';
import type { LiveOptions } from '../options/live-options.ts';

/** The resources in force. */
export type OptionPort = Pick<LiveOptions, 'get' | 'set' | 'watch'>;

/** The modes that applications set; menus and actions may set them too. */
export type ModePort = ModeStates;
