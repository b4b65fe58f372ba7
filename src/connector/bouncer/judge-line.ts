import type { EchoOf } from '../domain/echo.ts';
import type { IrcLine } from '../irc/line.ts';
import type { ObservedLine, OwnLine } from '../ports/bouncer-session.ts';
import { captureLine, namesChannel } from './captured-line.ts';
import { SEND_TAG } from './send-tag.ts';
import type { SessionState } from './session-state.ts';

/** Messages that may go to a part of a channel's members; ISUPPORT `STATUSMSG`. */
const MESSAGES: ReadonlySet<string> = new Set(['PRIVMSG', 'NOTICE']);

/** A session's knowledge when a line comes. */
export interface Listening {
  state: SessionState;
  /** Name of the network in fingerprints. */
  network: string;
  /** Whether lines carry tags. */
  hasTags: boolean;
}

/**
 * Returns the entries that a received line becomes, and whether it is the account's own. Handles live lines, lines of a
 * replayed page and echoes alike.
 * @param replayedIn channel whose history is replayed; undefined for a live line
 */
export function judgeLine(line: IrcLine, listening: Listening, replayedIn?: string): ObservedLine[] {
  const { state, network } = listening;
  const { nick, rooms } = state;
  return channelsOf(line, state, replayedIn).flatMap((channel) => {
    const own = ownLine(line, listening);
    return captureLine(line, network, channel).map((captured) => ({
      ...{ line: captured, own, nick },
      casemapping: rooms.casemapping,
    }));
  });
}

/** Returns the known channels that a line concerns. */
function channelsOf(line: IrcLine, { rooms }: SessionState, replayedIn: string | undefined): readonly string[] {
  // A QUIT or NICK names no channel, but a replay does.
  if (!namesChannel(line)) return replayedIn === undefined ? rooms.sharedWith(line.sender) : [replayedIn];
  const channel = channelOf(line, rooms);
  const isElsewhere = replayedIn !== undefined && channel !== replayedIn;
  return channel === undefined || isElsewhere ? [] : [channel];
}

/**
 * Returns the line's channel. A message to a part of a channel's members, such as its operators, counts as said in the
 * channel.
 */
function channelOf({ command, params }: IrcLine, rooms: SessionState['rooms']): string | undefined {
  const [target = ''] = params;
  return rooms.resolve(target) ?? (MESSAGES.has(command) ? rooms.resolve(rooms.withoutStatus(target)) : undefined);
}

/**
 * Returns the own line's details. A replayed line may have an earlier nick; its tag then proves that it is the
 * account's own.
 */
function ownLine(line: IrcLine, listening: Listening): OwnLine | undefined {
  const tag = line.tags[SEND_TAG];
  const isNick = listening.state.isOwn(line.sender);
  if (!isNick && tag === undefined) return undefined;
  return { tag, isNick, isJoin: isNick && line.command === 'JOIN', echoOf: echoOf(line, listening) };
}

/**
 * Returns which sends the line can echo. Sends are messages to the channel itself, to all members. Without tags the
 * bouncer makes the echoes.
 */
function echoOf({ command, params }: IrcLine, { state, hasTags }: Listening): EchoOf {
  if (command !== 'PRIVMSG' || state.rooms.resolve(params[0] ?? '') === undefined) return 'none';
  if (!hasTags) return 'same_text';
  return state.givesTagsBack ? 'any_soon' : 'any';
}
