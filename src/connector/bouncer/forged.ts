import type { IrcLine } from '../irc/line.ts';

/**
 * Whether the IRC server has sent a line that looks like one of the bouncer, such as BOUNCER or PONG: soju forwards
 * commands that it does not know. It adds a `time` tag to each of them, and never to a line of its own. Numerics have no
 * such tag, but the session needs no numeric that only the bouncer may send.
 */
export const isForged = ({ command, params, tags }: IrcLine): boolean =>
  'time' in tags &&
  (command === 'BOUNCER' || command === 'PONG' || (command === 'FAIL' && params[0]?.toUpperCase() === 'CHATHISTORY'));
