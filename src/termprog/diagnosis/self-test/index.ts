import type { Check } from './check.ts';
import { pty } from './child-output.ts';
import { compose } from './compose-sequences.ts';
import { display } from './display.ts';
import { extensions } from './extension.ts';
import { bitmapFont, startingFont } from './first-fonts.ts';
import { libraries } from './machine-libraries.ts';
import { classDefaults, resources } from './resources.ts';
import { terminfo } from './terminfo.ts';
import { locale, utf8 } from './text-encoding.ts';

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
