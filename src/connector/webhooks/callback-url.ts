import { CALLBACK_URL_MAX_CHARACTERS } from '../domain/limits.ts';
import { type HostRules, hasAllowedScheme } from '../outbound/host-rules.ts';

/**
 * Returns why a text is not a valid callback address, judged by its form; undefined if it is. The allowed hosts are
 * checked when the connection is made: a name can be pointed elsewhere at any time.
 */
export function callbackUrlFault(text: string, rules: HostRules): string | undefined {
  if (text.length > CALLBACK_URL_MAX_CHARACTERS)
    return `delivery.url: expected at most ${CALLBACK_URL_MAX_CHARACTERS} characters`;
  // A parser would leave out blanks, or rewrite characters beyond ASCII.
  if (!/^[!-~]+$/.test(text) || !URL.canParse(text))
    return 'delivery.url: expected an absolute address in ASCII, such as https://hooks.example.org/homeport';
  const url = new URL(text);
  if (!hasAllowedScheme(url, rules)) return 'delivery.url: expected an address that begins with https://';
  if (url.username !== '' || url.password !== '')
    return 'delivery.url: expected an address without user name and password';
  if (text.includes('#')) return 'delivery.url: expected an address without a fragment (#…)';
  return undefined;
}
