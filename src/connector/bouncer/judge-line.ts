import type { EchoOf } from '../domain/echo.ts';
import type { IrcLine } from '../irc/line.ts';
import type { ObservedLine, OwnLine } from '../ports/bouncer-session.ts';
import { captureLine, namesChannel } from './capture.ts';
import { SEND_TAG } from './send-tag.ts';
import type { SessionState } from './session-state.ts';

/** Messages that may be for a part of a channel; ISUPPORT `STATUSMSG`. */
const MESSAGES: ReadonlySet<string> = new Set(['PRIVMSG', 'NOTICE']);

/** What a session knows when a line comes. */
export interface Listening {
  state: SessionState;
  /** Name of the network. */
  network: string;
  /** Whether lines carry tags. */
  hasTags: boolean;
}

/**
 * What a received line is: the entries that it becomes, and whether it is the account's own. The same for a line that comes live,
 * for one of a replayed page, and for an echo.
 * @param replayedIn the channel whose history the line is replayed from; undefined for a live line
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

/** The known channels in which something happened. */
function channelsOf(line: IrcLine, { rooms }: SessionState, replayedIn: string | undefined): readonly string[] {
  // Of a quit and a new nick only the bouncer's history says the channel.
  if (!namesChannel(line)) return replayedIn === undefined ? rooms.sharedWith(line.sender) : [replayedIn];
  const channel = channelOf(line, rooms);
  const isElsewhere = replayedIn !== undefined && channel !== replayedIn;
  return channel === undefined || isElsewhere ? [] : [channel];
}

/** What is said to a part of a channel, to its operators perhaps, is said in the channel. */
function channelOf({ command, params }: IrcLine, rooms: SessionState['rooms']): string | undefined {
  const [target = ''] = params;
  return rooms.resolve(target) ?? (MESSAGES.has(command) ? rooms.resolve(rooms.withoutStatus(target)) : undefined);
}

/** A replayed line may carry an earlier nick; its tag then shows that it is the account's own. */
function ownLine(line: IrcLine, listening: Listening): OwnLine | undefined {
  const tag = line.tags[SEND_TAG];
  const isNick = listening.state.isOwn(line.sender);
  if (!isNick && tag === undefined) return undefined;
  return { tag, isNick, isJoin: isNick && line.command === 'JOIN', echoOf: echoOf(line, listening) };
}

/** Sends are messages to the channel itself, to all who are in it. Without tags the bouncer makes the echoes. */
function echoOf({ command, params }: IrcLine, { state, hasTags }: Listening): EchoOf {
  if (command !== 'PRIVMSG' || state.rooms.resolve(params[0] ?? '') === undefined) return 'none';
  if (!hasTags) return 'same_text';
  return state.givesTagsBack ? 'any_soon' : 'any';
}
