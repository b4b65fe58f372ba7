import type { ControlSequence } from '../control-function.ts';

/** The fifth edition of ECMA-48 gives SD this final character until its correction of 2003; xterm knows it, too. */
export const scrollDownAsMisprinted: ControlSequence = {
  kind: 'csi',
  name: 'SD, scroll down, as ECMA-48 misprinted it',
  sequences: ['^'],
  run: ({ screen }, parameters) => screen.scrollDown(parameters.count(0)),
};
