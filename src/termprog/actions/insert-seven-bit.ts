import type { Action } from '../ports.ts';

/** Sends the key to the application. */
export const insertSevenBit: Action = {
  name: 'insert-seven-bit',
  run: (port, event) => port.sendKey(event),
};
