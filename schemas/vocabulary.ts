import * as z from 'zod/mini';
import { writeOutCounts } from './linear-expression.ts';

/** Field types several schemas share. Patterns stay within POSIX extended syntax, because the NixOS options carry them too. */

/**
 * A schema with its description in the option reference, and further metadata of `meta.d.ts`.
 * The schemas are in Zod's functional form: its classic form takes 15 ms more of each start of the agent.
 */
export function described<S extends z.ZodMiniType>(schema: S, description: string, meta: z.core.GlobalMeta = {}): S {
  return schema.check(z.meta({ description, ...meta }));
}

/** TCP port, 1 to 65535. */
export const Port = z
  .int()
  .check(z.minimum(1), z.maximum(65_535))
  .check(z.meta({ nix: { type: 'types.port' } }));

/** Absolute path of a file that is read or written at run time. */
export const FilePath = z
  .string()
  .check(z.regex(/^\/.+$/, 'an absolute path'), z.maxLength(4096))
  .check(z.meta({ nix: { type: 'types.str' } }));

/** Bytes for the path in the address of a socket, without the final zero; unix(7). */
const SOCKET_PATH_MAX_BYTES = 107;

/** Whether the name of a socket has room for a path. */
export const fitsSocket = (path: string): boolean => new TextEncoder().encode(path).length <= SOCKET_PATH_MAX_BYTES;

/** Absolute path of a Unix socket. */
export const SocketPath = FilePath.check(
  z.refine(
    fitsSocket,
    `an absolute path of at most ${SOCKET_PATH_MAX_BYTES} bytes, which is the room for the name of a socket`,
  ),
);

/** Path of a file with one secret; a value never stands in a configuration. `$CREDENTIALS_DIRECTORY/NAME` is resolved at run time. */
export const SecretFile = z
  .string()
  .check(
    z.regex(/^(\/|\$CREDENTIALS_DIRECTORY\/).+$/, 'an absolute path, or one that starts with $CREDENTIALS_DIRECTORY/'),
    z.maxLength(4096),
  )
  .check(z.meta({ secret: true }));

/** Least severe records the log keeps. */
export const LogLevel = z.enum(['debug', 'info', 'warn', 'error']);

/** Longest channel name with its `#`; RFC 2812 §1.3 has 50, some networks more. */
export const CHANNEL_MAX_CHARACTERS = 64;

/**
 * The name of an IRC channel behind its leading `#`; RFC 2812 §1.3, ISUPPORT `CHANTYPES`. It may begin with a further `#`: so do the
 * names of most topical channels of the largest network. soju calls a channel CHANNEL/NETWORK, and can't join one with a slash.
 */
// No character classes that need a flag: readers of the API's description may not set flags.
// biome-ignore lint/suspicious/noControlCharactersInRegex: no channel has these characters.
export const CHANNEL_REST = /^[^\s,:/\u0000-\u001f\u007f-\u009f]+$/;

/** A channel with its leading `#`, by which the REST interface names it. */
export const ChannelName = textLike(
  /^#[^ ,:/]+$/,
  'a channel with leading #, without blanks, commas, colons and slashes: soju calls a channel CHANNEL/NETWORK, so that it can’t join one with a slash, and channels of other kinds (&, +, !) have no name in the REST interface',
  CHANNEL_MAX_CHARACTERS,
  (name) => CHANNEL_REST.test(name.slice(1)),
);

/**
 * A text that matches a pattern and a further test.
 * @param isGood the part of the check that a pattern can't express; it is called only for texts that match
 */
export function textLike(pattern: RegExp, words: string, maxLength: number, isGood: (text: string) => boolean) {
  return z
    .string()
    .check(z.regex(pattern, { error: words, abort: true }), z.maxLength(maxLength), z.refine(isGood, words));
}

/**
 * The part of the check of `Address` that its pattern can't express: numbers with dots are a valid IPv4 address, and a
 * text with colons a valid IPv6 address.
 */
function isAddress(text: string): boolean {
  const [address = '', zone] = text.split('%', 2);
  // A link-local address is complete only with the name of its link.
  if (text.includes(':'))
    return URL.canParse(`http://[${address}]`) && (zone !== undefined || !/^fe[89ab]/i.test(address));
  return !/^[0-9.]+$/.test(text) || /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/.test(text);
}

/** Address to bind: a host name or an IP address, without a port and without brackets. */
export const Address = textLike(
  /^([A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f.]*:[0-9A-Fa-f.:]*:[0-9A-Fa-f.:]*(%[A-Za-z0-9._-]+)?)$/,
  'an address of this machine without a port and without brackets, such as 10.0.0.1, fd00::1, fe80::1%eth0 or host.example.org; the port is the option beside it',
  255,
  isAddress,
);

/** Whether a text is an address without blanks and characters beyond ASCII, which a parser would drop or rewrite. */
const isUrl = (text: string): boolean => /^[!-~]+$/.test(text) && URL.canParse(text);

/**
 * A regular expression that matches anywhere in a text unless it is anchored, like node_exporter's. Like there, its
 * time grows linearly with the text, even for names of mounts that other people choose.
 */
export const RegularExpression = z.string().check(
  z.regex(/^(\(*(\((\?:|\?<[A-Za-z_][A-Za-z0-9_]*>)|\\[^1-9k]|\[([^\]\\]|\\.)*\]|[^(?\\[])|\?)+\(*$/, {
    error:
      'a regular expression such as ^/mnt/, without look-around — (?=, (?!, (?<=, (?<! —, back-references — \\1, \\k — and flags — (?i) —, which cannot be matched in bounded time; say what is left out by choices such as (a|b) and classes such as [aA]',
    abort: true,
  }),
  z.maxLength(4096),
  z.refine(
    isExpression,
    'a regular expression such as ^/mnt/ of correct syntax, which is at most 16384 characters long when x{3} is written out as xxx',
  ),
);

function isExpression(text: string): boolean {
  try {
    return RegExp(text) instanceof RegExp && RegExp(writeOutCounts(text)) instanceof RegExp;
  } catch {
    // The syntax is wrong, or the expression is too large.
    return false;
  }
}

/** Place of a server: a host name, an IP address, or the directory of its socket. */
export const ServerHost = z.string().check(z.minLength(1), z.maxLength(255));

/** Address of a service as its users write it: without user, path, query, or slash at the end. Plain http stays on the machine. */
export const BaseUrl = textLike(
  /^(https:\/\/[^/?#@ ]+|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?)$/,
  'an https address without a path or a slash at the end (http only on 127.0.0.1, localhost or [::1])',
  255,
  isUrl,
);

/** Address to which a client of OAuth may have people redirected. @see RFC 9700 §2.1 */
export const RedirectUri = textLike(
  /^(https:\/\/[^/?#@* ]+|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?)([/?][^#* ]*)?$/,
  'an https address without a fragment, a wildcard or a user name (http only on 127.0.0.1, localhost or [::1])',
  2048,
  isUrl,
);

/** Value that a browser writes into `Origin` for the pages of a site. */
export const WebOrigin = textLike(
  /^(https:\/\/[^/?#@* ]+|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?)$/,
  'the origin of a site as browsers write it, without a path, a slash at the end or the usual port (http only on 127.0.0.1, localhost or [::1])',
  255,
  (text) => URL.canParse(text) && new URL(text).origin === text,
);

/** Absolute http or https address. */
export const HttpUrl = z
  .string()
  .check(z.regex(/^https?:\/\/[!-~]+$/, 'an http or https address in ASCII'), z.maxLength(2048));

/**
 * Refuses the value at a path because of values elsewhere; `wrongOf` returns the wrong value, or undefined if there is
 * no fault.
 */
export function refusedAt<T>(path: readonly string[], expected: string, wrongOf: (config: T) => unknown) {
  return z.check<T>(({ value, issues }) => {
    const input = wrongOf(value);
    if (input !== undefined) issues.push({ code: 'custom', path: [...path], message: expected, input });
  });
}
