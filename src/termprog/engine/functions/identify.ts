import type { EscapeSequence } from '../control-function.ts';
import { replyPrimaryAttributes } from './primary-attributes.ts';

export const identify: EscapeSequence = {
  kind: 'escape',
  name: 'DECID, identify terminal',
  sequences: ['Z'],
  run: ({ host }) => replyPrimaryAttributes(host),
};
