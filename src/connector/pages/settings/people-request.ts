import type { Request } from 'express';
import { LOGIN_MAX_CHARACTERS } from '../../domain/login-name.ts';
import type { PeopleRequest } from '../../services/list-people.ts';
import { SETTINGS_PATH } from './result-notices.ts';

/** Query fields that select the people an owner sees. Invalid values mean the first page of all people. */
const FIELDS = { search: 'who', page: 'people' } as const;

export const SEARCH_FIELD = FIELDS.search;

export function peopleRequestOf({ [FIELDS.search]: search, [FIELDS.page]: page }: Request['query']): PeopleRequest {
  return {
    search: typeof search === 'string' ? search.trim().slice(0, LOGIN_MAX_CHARACTERS) : '',
    page: typeof page === 'string' && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/** Address of the page where an owner sees these people. */
export function peopleHref({ search = '', page = 1 }: PeopleRequest): string {
  const fields = new URLSearchParams();
  if (search !== '') fields.set(FIELDS.search, search);
  if (page !== 1) fields.set(FIELDS.page, String(page));
  return `${SETTINGS_PATH}${fields.size === 0 ? '' : `?${fields}`}#people`;
}
