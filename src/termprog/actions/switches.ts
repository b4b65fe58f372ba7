import type { Action } from '../ports/action.ts';
import { toggled } from './toggle.ts';

/** Sets the meaning of SELECT: CLIPBOARD or PRIMARY. */
const setSelect: Action<'options' | 'bell'> = {
  name: 'set-select',
  run: ({ options, bell }, _event, parameters) => {
    const toClipboard = toggled(options.get('selectToClipboard'), parameters);
    if (toClipboard === undefined) bell.ring();
    else options.set('selectToClipboard', toClipboard);
  },
};

/** Permits or forbids applications to change titles. */
const allowTitleOps: Action<'options' | 'bell'> = {
  name: 'allow-title-ops',
  run: ({ options, bell }, _event, parameters) => {
    const isAllowed = toggled(options.get('allowTitleOps'), parameters);
    if (isAllowed === undefined) bell.ring();
    else options.set('allowTitleOps', isAllowed);
  },
};

/** Permits or forbids applications to change and query colours. */
const allowColorOps: Action<'options' | 'bell'> = {
  name: 'allow-color-ops',
  run: ({ options, bell }, _event, parameters) => {
    const isAllowed = toggled(options.get('allowColorOps'), parameters);
    if (isAllowed === undefined) bell.ring();
    else options.set('allowColorOps', isAllowed);
  },
};

/** Switches the writing of titles in UTF-8 on or off. */
const setUtf8Title: Action<'titles' | 'bell'> = {
  name: 'set-utf8-title',
  run: ({ titles, bell }, _event, parameters) => {
    const isWritten = toggled(titles.writesUtf8, parameters);
    if (isWritten === undefined) bell.ring();
    else titles.setWritesUtf8(isWritten);
  },
};

/** Actions that switch resources and the encoding of titles. */
export const switches: readonly Action[] = [setSelect, allowTitleOps, allowColorOps, setUtf8Title];
