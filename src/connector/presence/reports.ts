import type { NewOrder } from '../ports/order-store.ts';

/**
 * Longest waits of a person for the holder to follow a change; then it follows later. The network is waited for after a
 * change of the nick, and the bouncer may take some seconds for each command about a login.
 */
export const FOLLOW_WAIT_MS = { follow_channels: 3_000, follow_nick: 7_000, forget_login: 20_000 } as const;

/** An order that reports a change which is stored already: it may be followed at any time. */
export type Report = NewOrder & { kind: keyof typeof FOLLOW_WAIT_MS };

export const isReport = ({ kind }: Pick<NewOrder, 'kind'>): boolean => kind in FOLLOW_WAIT_MS;
