import type { Action } from '../ports/action.ts';

/** Sends the key to the application; text is UTF-8 in either case. */
export const insertEightBit: Action<'keys'> = {
  name: 'insert-eight-bit',
  run: ({ keys }, event) => keys.sendKey(event),
};
