import type { IrcLine } from '../irc/line.ts';

/**
 * Whether a line in the bouncer's own words comes from the IRC server. soju passes commands on that it does not know
 * from there, such as a BOUNCER or PONG. It dates each of them, and never a line of its own. Numerics are not dated, but
 * none of those that are used is in the bouncer's words alone.
 */
export const isForged = ({ command, params, tags }: IrcLine): boolean =>
  'time' in tags &&
  (command === 'BOUNCER' || command === 'PONG' || (command === 'FAIL' && params[0]?.toUpperCase() === 'CHATHISTORY'));
