import type { Action } from '../ports/action.ts';

/** Sends the key to the application. */
export const insertSevenBit: Action<'keys'> = {
  name: 'insert-seven-bit',
  run: ({ keys }, event) => keys.sendKey(event),
};
