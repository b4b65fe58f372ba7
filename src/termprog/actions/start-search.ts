import type { Action } from '../ports/action.ts';

/** Opens the search. */
export const startSearch: Action<'search'> = {
  name: 'start-search',
  run: ({ search }) => search.open(),
};
