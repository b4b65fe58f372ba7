import type { CapturedLine, EntryKind } from '../domain/entry.ts';
import { fingerprintBase } from '../domain/fingerprint.ts';
import { fold } from '../irc/casemapping.ts';
import { type IrcLine, serverTimeOf } from '../irc/line.ts';

interface Captured {
  kind: EntryKind;
  text: string;
  target?: string;
}

type Capture = (params: readonly string[]) => Captured | undefined;

/** Delimits requests between programs inside a message; CTCP. */
const CTCP = '\u0001';

/** Commands that are activity of a channel, the first parameter being the channel. */
const captures: Record<string, Capture> = {
  PRIVMSG: ([, text = '']) => {
    if (!text.startsWith(CTCP)) return { kind: 'message', text };
    const [request, ...words] = text.replaceAll(CTCP, ' ').trim().split(' ');
    return request === 'ACTION' ? { kind: 'action', text: words.join(' ') } : undefined;
  },
  JOIN: () => ({ kind: 'join', text: '' }),
  PART: ([, reason = '']) => ({ kind: 'part', text: reason }),
  KICK: ([, target = '', reason = '']) => ({ kind: 'kick', text: reason, target }),
  TOPIC: ([, topic = '']) => ({ kind: 'topic', text: topic }),
  MODE: ([, ...modes]) => ({ kind: 'mode', text: modes.join(' ') }),
};

/** The line as an entry of its channel; undefined when it is none. */
export function captureLine(line: IrcLine, network: string, casemapping: string): CapturedLine | undefined {
  const channel = line.params[0] ?? '';
  const captured = channel.startsWith('#') ? captures[line.command]?.(line.params) : undefined;
  const serverAt = serverTimeOf(line);
  // Without a time it is the bouncer's own account of the present state, made when a client attaches.
  if (captured === undefined || (serverAt === undefined && line.command !== 'PRIVMSG')) return undefined;
  const msgid = line.tags['msgid'];
  return {
    channel,
    kind: captured.kind,
    sender: line.sender,
    text: captured.text.replaceAll('\0', ''),
    target: captured.target ?? null,
    serverAt,
    fingerprintBase: fingerprintBase({
      network,
      target: fold(channel, casemapping),
      command: line.command,
      msgid,
      serverAt,
      sender: line.sender,
      params: line.params.slice(1),
    }),
    isExact: msgid !== undefined,
  };
}
