import { isChannelName } from '../domain/channel.ts';
import type { IrcLine } from '../irc/line.ts';

/** Numerics that answer a PRIVMSG which was not delivered: no such nick or channel, cannot send, too long, and the like. */
const REFUSALS: ReadonlySet<string> = new Set(
  '401 403 404 407 412 413 417 442 477 482 486 489 492 494 499 531'.split(' '),
);

export interface SendRefusal {
  /** Undefined if the answer does not name the line's channel. */
  channel: string | undefined;
  /** The server's own text. */
  reason: string;
}

/** Returns a line's refusal of a send; undefined for any other line. */
export function sendRefusal({ command, params }: IrcLine): SendRefusal | undefined {
  const reason = params.at(-1) ?? '';
  if (REFUSALS.has(command)) {
    const channel = channelIn(params);
    // We send to channels only, so a numeric about another target answers another client of the same user.
    return channel === undefined ? undefined : { channel, reason: `${command} ${reason}` };
  }
  // soju's own answer while it is not connected: `400 * PRIVMSG :Disconnected from upstream network`.
  if (command === '400' && params[1] === 'PRIVMSG') return { channel: undefined, reason };
  if (command === 'FAIL' && params[0] === 'PRIVMSG') return { channel: channelIn(params), reason };
  return undefined;
}

function channelIn(params: readonly string[]): string | undefined {
  return params.slice(1, -1).find(isChannelName);
}
