import * as z from 'zod';

/** Field types several schemas share. Patterns stay within POSIX extended syntax, because the NixOS options carry them too. */

/** TCP port, 1 to 65535. */
export const Port = z
  .int()
  .min(1)
  .max(65_535)
  .meta({ nix: { type: 'types.port' } });

/** Address to bind: a host name or an IP address. */
export const Address = z.string().min(1).max(255);

/** Absolute path of a file that is read or written at run time. */
export const FilePath = z
  .string()
  .regex(/^\/.+$/, 'an absolute path')
  .max(4096)
  .meta({ nix: { type: 'types.str' } });

/** Path of a file with one secret; a value never stands in a configuration. `$CREDENTIALS_DIRECTORY/NAME` is resolved at run time. */
export const SecretFile = z
  .string()
  .regex(/^(\/|\$CREDENTIALS_DIRECTORY\/).+$/, 'an absolute path, or one that starts with $CREDENTIALS_DIRECTORY/')
  .max(4096)
  .meta({ secret: true });

/** Least severe records the log keeps. */
export const LogLevel = z.enum(['debug', 'info', 'warn', 'error']);

/** IRC channel with its leading `#`, as RFC 2812 §1.3 bounds it. */
export const ChannelName = z
  .string()
  .regex(/^#[^ ,:#]+$/, 'a channel with leading #, without blanks and commas')
  .max(50);

/** Absolute http or https address of a service, without path, query, or slash at the end. */
export const BaseUrl = z
  .string()
  .regex(/^https?:\/\/[^/?# ]+$/, 'an http or https address without a path or a slash at the end')
  .max(255);

/** Absolute http or https address. */
export const HttpUrl = z
  .string()
  .regex(/^https?:\/\/[^ ]+$/, 'an http or https address')
  .max(2048);
