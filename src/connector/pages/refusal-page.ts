import type { ErrorCode } from '../errors.ts';
import type { PageRenderer } from '../http/answer-errors.ts';
import { messagePage } from './layout.ts';
import { sentence } from './sentence.ts';

/** Refusals after which the person must sign in again. */
const SIGN_IN_AGAIN: ReadonlySet<ErrorCode> = new Set(['account_removed', 'not_invited', 'sign_in_failed']);

/** A page with the reason of a refusal, and a link that leads on. */
export const refusalPage: PageRenderer = ({ code, title, message }) => {
  const action = SIGN_IN_AGAIN.has(code)
    ? { href: '/login', label: 'Sign in again' }
    : { href: '/settings', label: 'Go to settings' };
  return messagePage(title, sentence(message), action);
};
