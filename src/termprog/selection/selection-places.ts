import type { SelectionPlace } from './selections.ts';

/**
 * Returns the place for a name of an action or a control function: SELECT is CLIPBOARD or PRIMARY, CUT_BUFFER0 to
 * CUT_BUFFER7 are cut buffers, and every other name is a selection of that name.
 */
export function selectionPlaceOf(name: string, { toClipboard }: { toClipboard: boolean }): SelectionPlace {
  if (name === 'SELECT') return toClipboard ? 'CLIPBOARD' : 'PRIMARY';
  const [, buffer] = /^CUT_BUFFER([0-7])$/.exec(name) ?? [];
  return buffer === undefined ? name : Number(buffer);
}
