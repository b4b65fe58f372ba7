import type { Check } from './check.ts';
import { compose } from './compose.ts';
import { display } from './display.ts';
import { locale, utf8 } from './encodings.ts';
import { extensions } from './extension.ts';
import { bitmapFont, startingFont } from './fonts.ts';
import { libraries } from './libraries.ts';
import { pty } from './pty.ts';
import { classDefaults, resources } from './resources.ts';
import { terminfo } from './terminfo.ts';

/** All checks, in the order of their lines. */
export const checks: readonly Check[] = [
  ...libraries,
  pty,
  terminfo,
  utf8,
  locale,
  compose,
  resources,
  classDefaults,
  display,
  ...extensions,
  bitmapFont,
  startingFont,
];
