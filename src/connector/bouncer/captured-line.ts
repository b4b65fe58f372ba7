import { channelKey } from '../domain/channel.ts';
import type { CapturedLine, EntryKind } from '../domain/entry.ts';
import { fingerprintBase } from '../domain/fingerprint.ts';
import { type IrcLine, messageIdOf, serverTimeOf } from '../irc/line.ts';

interface Captured {
  kind: EntryKind;
  text: string;
  target?: string;
  /** Set if it differs from the line's sender. */
  sender?: string;
}

type Capture = (params: readonly string[], sender: string) => readonly Captured[];

/** Delimits requests between programs inside a message; CTCP. */
const CTCP = '\u0001';

const message: Capture = ([, text = '']) => {
  if (!text.startsWith(CTCP)) return [{ kind: 'message', text }];
  const [request, ...words] = text.replaceAll(CTCP, ' ').trim().split(' ');
  return request === 'ACTION' ? [{ kind: 'action', text: words.join(' ') }] : [];
};

/**
 * Modes that have a parameter on all servers, whether set or unset; `k` is the key. `l` has one only when it is set.
 */
const MODES_WITH_PARAMETER = 'ovhbeIk';
/** Modes that have no parameter on any server. The other letters differ: `z` has one here, and none there. */
const MODES_ALONE = 'imnpstrcCR';
const KEY = 'k';
/** A second group of modes among the parameters, as `+o ada +k secret`. */
const GROUP_WITH_KEY = /^[+-][A-Za-z+-]*k/;

/** Returns a mode change without the channel's key: a reader of the history may not be entitled to it. */
export function withoutKeys([letters = '', ...parameters]: readonly string[]): string {
  const hasGroup = parameters.some((parameter) => GROUP_WITH_KEY.test(parameter));
  if (!letters.includes(KEY) && !hasGroup) return [letters, ...parameters].join(' ');
  const place = hasGroup ? undefined : placesIn(letters);
  // Without a place it is unknown which parameter is the key.
  const isCounted = place?.count === parameters.length;
  const shown = parameters.map((parameter, at) => (isCounted && !place.keys.has(at) ? parameter : '*'));
  return [letters, ...shown].join(' ').trim();
}

/** Returns the number of parameters, and the positions of keys among them; undefined if a mode differs by server. */
function placesIn(letters: string): { count: number; keys: ReadonlySet<number> } | undefined {
  const keys = new Set<number>();
  let [sign, count] = ['+', 0];
  for (const letter of letters) {
    if (letter === '+' || letter === '-') sign = letter;
    else if (MODES_WITH_PARAMETER.includes(letter) || (letter === 'l' && sign === '+')) {
      if (letter === KEY) keys.add(count);
      count += 1;
    } else if (letter !== 'l' && !MODES_ALONE.includes(letter)) return undefined;
  }
  return { count, keys };
}

/** Commands that are activity of a channel. */
const captures: Record<string, Capture> = {
  PRIVMSG: message,
  // A bot's notice is activity of the channel; an answer between programs (CTCP) is not.
  NOTICE: (params) => ((params[1] ?? '').startsWith(CTCP) ? [] : message(params, '')),
  JOIN: () => [{ kind: 'join', text: '' }],
  PART: ([, reason = '']) => [{ kind: 'part', text: reason }],
  KICK: ([, target = '', reason = '']) => [{ kind: 'kick', text: reason, target }],
  TOPIC: ([, topic = '']) => [{ kind: 'topic', text: topic }],
  MODE: ([, ...modes]) => [{ kind: 'mode', text: withoutKeys(modes) }],
  QUIT: ([reason = '']) => [{ kind: 'part', text: reason }],
  // There is no entry kind for a change of nick: the old nick leaves the channel, the new one joins.
  NICK: ([nick = ''], sender) => [
    { kind: 'part', text: `is now known as ${nick}` },
    { kind: 'join', text: `was known as ${sender}`, sender: nick },
  ],
};

/** Commands that do not name a channel. */
const WITHOUT_CHANNEL: ReadonlySet<string> = new Set(['QUIT', 'NICK']);

export const namesChannel = ({ command }: IrcLine): boolean => !WITHOUT_CHANNEL.has(command);

/** Returns the line as entries of one channel; empty if it is not activity. */
export function captureLine(line: IrcLine, network: string, channel: string): CapturedLine[] {
  const captured = captures[line.command]?.(line.params, line.sender) ?? [];
  const serverAt = serverTimeOf(line);
  const isSaid = line.command === 'PRIVMSG' || line.command === 'NOTICE';
  // A line without a time is not activity: the bouncer describes the present state to a client that attaches.
  if (serverAt === undefined && !isSaid) return [];
  const msgid = messageIdOf(line);
  return captured.map(({ kind, text, target, sender }, index) => ({
    channel,
    kind,
    sender: withoutNul(sender ?? line.sender),
    text: withoutNul(text),
    target: target === undefined ? null : withoutNul(target),
    serverAt,
    fingerprintBase: fingerprintBase({
      network,
      // Not folded by the network's casemapping: it may be announced between a line and its replay.
      target: channelKey(channel),
      command: index === 0 ? line.command : `${line.command} ${index}`,
      msgid,
      serverAt,
      sender: line.sender,
      params: namesChannel(line) ? line.params.slice(1) : line.params,
    }),
    isExact: msgid !== undefined,
  }));
}

/** Removes NUL, which PostgreSQL does not store and clients do not show. */
const withoutNul = (text: string): string => text.replaceAll('\0', '');
