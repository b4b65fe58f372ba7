import type { Action } from '../ports/action.ts';

/** Sends the key to the application. */
const insertSevenBit: Action<'keys'> = {
  name: 'insert-seven-bit',
  run: ({ keys }, event) => keys.sendKey(event),
};

/** Sends the key to the application; text is UTF-8 in either case. */
const insertEightBit: Action<'keys'> = {
  name: 'insert-eight-bit',
  run: ({ keys }, event) => keys.sendKey(event),
};

/** Actions that send a key. */
export const keyInput: readonly Action[] = [insertSevenBit, insertEightBit];
