import irc from 'irc-framework';

/** One parsed IRC line. */
export interface IrcLine {
  tags: Readonly<Record<string, string>>;
  /** Nick or server that the line comes from; empty if the line has no source. */
  sender: string;
  /** Command in upper case, or a numeric of three digits. */
  command: string;
  params: readonly string[];
}

export function parseLine(text: string): IrcLine {
  const { tags, nick, command, params } = irc.ircLineParser(text);
  return { tags, sender: nick, command, params };
}

/**
 * Writes a line without its line end; the last parameter is always written as a trailing one.
 * @throws RangeError when a part contains CR, LF or NUL, because the rest would be read as another line
 */
export function formatLine(command: string, params: readonly string[], tags: Record<string, string> = {}): string {
  const tagText = irc.MessageTags.encode(tags);
  const last = params.length - 1;
  const words = params.map((param, index) => (index === last ? `:${param}` : param));
  const line = [...(tagText === '' ? [] : [`@${tagText}`]), command, ...words].join(' ');
  if (/[\r\n\0]/.test(line)) throw new RangeError('an IRC line holds no CR, LF or NUL');
  return line;
}

/** Parses `name=value;…` in the escaping of message tags; a name without a value has an empty one. */
export function parseAttributes(text: string): Readonly<Record<string, string>> {
  return irc.MessageTags.decode(text);
}

/** Returns the server's id of the line; undefined if it is empty. */
export const messageIdOf = ({ tags: { msgid } }: IrcLine): string | undefined => (msgid === '' ? undefined : msgid);

/**
 * IRCv3 `server-time`. `Date.parse` accepts many other forms, and years with more digits, which no answer can contain.
 */
const SERVER_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** Returns the `time` tag in milliseconds since 1970; undefined if it is missing or invalid. */
export function serverTimeOf(line: IrcLine): number | undefined {
  const { time: written = '' } = line.tags;
  const time = SERVER_TIME.test(written) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
