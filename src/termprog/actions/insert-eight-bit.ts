import type { Action } from '../ports.ts';

/** Sends the key to the application; text is UTF-8 in either case. */
export const insertEightBit: Action = {
  name: 'insert-eight-bit',
  run: (port, event) => port.sendKey(event),
};
