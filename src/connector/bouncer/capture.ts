import { channelKey } from '../domain/channel.ts';
import type { CapturedLine, EntryKind } from '../domain/entry.ts';
import { fingerprintBase } from '../domain/fingerprint.ts';
import { type IrcLine, serverTimeOf } from '../irc/line.ts';

interface Captured {
  kind: EntryKind;
  text: string;
  target?: string;
  /** Where it is not the line's own. */
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

/** Commands that are activity of a channel. */
const captures: Record<string, Capture> = {
  PRIVMSG: message,
  // What a bot says is said in the channel, too; its answers between programs are not.
  NOTICE: (params) => ((params[1] ?? '').startsWith(CTCP) ? [] : message(params, '')),
  JOIN: () => [{ kind: 'join', text: '' }],
  PART: ([, reason = '']) => [{ kind: 'part', text: reason }],
  KICK: ([, target = '', reason = '']) => [{ kind: 'kick', text: reason, target }],
  TOPIC: ([, topic = '']) => [{ kind: 'topic', text: topic }],
  MODE: ([, ...modes]) => [{ kind: 'mode', text: modes.join(' ') }],
  QUIT: ([reason = '']) => [{ kind: 'part', text: reason }],
  // The kinds of activity know no change of name: for the channel one nick leaves and another one comes.
  NICK: ([nick = ''], sender) => [
    { kind: 'part', text: `is now known as ${nick}` },
    { kind: 'join', text: `was known as ${sender}`, sender: nick },
  ],
};

/** Commands that say nothing of the channel they happen in. */
const WITHOUT_CHANNEL: ReadonlySet<string> = new Set(['QUIT', 'NICK']);

export const namesChannel = ({ command }: IrcLine): boolean => !WITHOUT_CHANNEL.has(command);

/** The line as entries of one channel, none when it is no activity. */
export function captureLine(line: IrcLine, network: string, channel: string): CapturedLine[] {
  const captured = captures[line.command]?.(line.params, line.sender) ?? [];
  const serverAt = serverTimeOf(line);
  const isSaid = line.command === 'PRIVMSG' || line.command === 'NOTICE';
  // Without a time it is the bouncer's own account of the present state, made when a client attaches.
  if (serverAt === undefined && !isSaid) return [];
  const msgid = line.tags['msgid'];
  return captured.map(({ kind, text, target, sender }, index) => ({
    channel,
    kind,
    sender: withoutNul(sender ?? line.sender),
    text: withoutNul(text),
    target: target === undefined ? null : withoutNul(target),
    serverAt,
    fingerprintBase: fingerprintBase({
      network,
      // Not by the network's casemapping, which may be announced between a line and its replay.
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

/** PostgreSQL stores no NUL, and nobody sees one. */
const withoutNul = (text: string): string => text.replaceAll('\0', '');
