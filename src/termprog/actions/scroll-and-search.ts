import type { Action } from '../ports/action.ts';

/** Shows older lines, or lets the application of the alternate screen do so. */
const scrollBack: Action<'view' | 'bell' | 'mouse' | 'keys'> = {
  name: 'scroll-back',
  run: ({ view, bell, mouse, keys }, event, parameters) => {
    const lines = scrollDistance(parameters, view.rows);
    if (lines === undefined) bell.ring();
    else if (parameters.includes('m') && mouse.offer(event)) return;
    else if (!keys.scrollByKeys(lines)) view.scrollBy(lines);
  },
};

/** Shows newer lines, or lets the application of the alternate screen do so. */
const scrollForw: Action<'view' | 'bell' | 'mouse' | 'keys'> = {
  name: 'scroll-forw',
  run: ({ view, bell, mouse, keys }, event, parameters) => {
    const lines = scrollDistance(parameters, view.rows);
    if (lines === undefined) bell.ring();
    else if (parameters.includes('m') && mouse.offer(event)) return;
    else if (!keys.scrollByKeys(-lines)) view.scrollBy(-lines);
  },
};

/** Opens the search. */
const startSearch: Action<'search'> = {
  name: 'start-search',
  run: ({ search }) => search.open(),
};

/** Actions that show other lines of screen and history. */
export const scrollAndSearch: readonly Action[] = [scrollBack, scrollForw, startSearch];

/**
 * Returns the number of lines of `count [unit] [m]`; a unit is a line, half a page or a page. Undefined for other
 * parameters.
 */
export function scrollDistance(parameters: readonly string[], rows: number): number | undefined {
  const [count = '1', unit = 'line'] = parameters.filter((parameter) => parameter !== 'm');
  const number = Number(count);
  const lines = { line: 1, halfpage: Math.max(1, Math.floor(rows / 2)), page: rows }[
    unit.toLowerCase().replace(/s$/, '')
  ];
  return Number.isSafeInteger(number) && number >= 0 && lines !== undefined ? number * lines : undefined;
}
