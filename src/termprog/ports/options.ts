import type { LiveOptions } from '../options/live-options.ts';

/** The resources in force. */
export type OptionPort = Pick<LiveOptions, 'get' | 'set' | 'watch'>;
