import { type Html, html } from './html.ts';

/** Pages are made without knowing where the reader is, so times are told in UTC, and say so. */
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' });
const MINUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** @param at milliseconds since 1970 */
export const dayOf = (at: number): Html => html`<time datetime="${isoOf(at)}">${DAY.format(at)}</time>`;

/** @param at milliseconds since 1970 */
export const clockOf = (at: number): Html => html`<time datetime="${isoOf(at)}">${CLOCK.format(at)}</time>`;

/** @param at milliseconds since 1970 */
export const momentOf = (at: number): Html => html`<time datetime="${isoOf(at)}">${MINUTE.format(at)} UTC</time>`;

const isoOf = (at: number): string => new Date(at).toISOString();
