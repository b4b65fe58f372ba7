import type { Action } from '../ports/action.ts';
import { toggled } from './toggle.ts';

/** Switches the writing of titles in UTF-8 on or off. */
export const setUtf8Title: Action<'titles' | 'bell'> = {
  name: 'set-utf8-title',
  run: ({ titles, bell }, _event, parameters) => {
    const isWritten = toggled(titles.writesUtf8, parameters);
    if (isWritten === undefined) bell.ring();
    else titles.setWritesUtf8(isWritten);
  },
};
