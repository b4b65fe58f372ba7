import type { CertificateFingerprints } from '../domain/login-at-network.ts';
import { ConnectorError } from '../errors.ts';
import type { BouncerLogins, BouncerUser } from '../ports/bouncer.ts';
import type { LoginAtBouncer } from '../ports/bouncer-logins.ts';
import { CommandRefused, type RunCommand } from './admin-socket.ts';
import { networksOf } from './listed-networks.ts';

/**
 * Creates soju's commands for the logins that it offers to networks; soju(1), `sasl` and `certfp`.
 * @param networkOf returns the name of a user's network
 */
export function createSojuLogins(run: RunCommand, networkOf: (user: BouncerUser) => string): BouncerLogins {
  // Flags end at `--`, so that a name or a password may begin with a hyphen.
  const command = (user: BouncerUser, words: readonly string[], more: readonly string[] = []): Promise<string[]> =>
    run([
      'user',
      'run',
      user.name,
      ...words,
      '-network',
      networkOf(user),
      ...(more.length === 0 ? [] : ['--', ...more]),
    ]);

  return {
    at: async (user) => loginIn(await refusedAsFailure(command(user, ['sasl', 'status']))),
    set: async (user, password) => {
      if (password === null) await resetLogin(run, user.name, networkOf(user));
      else await refusedAsFailure(command(user, ['sasl', 'set-plain'], [password.name, password.password]));
    },
    forget: async (user, { name, address }, others) => {
      const listed = await refusedAsFailure(networksOf(run, user));
      const found = listed.filter(
        (each) => each.address === address && (each.name === name || !others.includes(each.name)),
      );
      for (const each of found) await resetLogin(run, user.name, each.name);
      return found.some((each) => each.name === networkOf(user));
    },
    makeCertificate: async (user) => {
      const lines = await refusedAsFailure(command(user, ['certfp', 'generate'], []));
      const fingerprints = fingerprintsIn(lines);
      if (fingerprints === undefined) throw refused(new Error('the bouncer names no fingerprints'));
      return fingerprints;
    },
    certificate: async (user) => {
      try {
        return fingerprintsIn(await command(user, ['certfp', 'fingerprint']));
      } catch (error) {
        if (error instanceof CommandRefused) return undefined;
        throw error;
      }
    },
  };
}

/** Removes the bouncer's login for a network; no effect if it knows no such network. */
export async function resetLogin(run: RunCommand, userName: string, network: string): Promise<void> {
  try {
    await run(['user', 'run', userName, 'sasl', 'reset', '-network', network]);
  } catch (error) {
    if (error instanceof CommandRefused && /^unknown (?:network|username)/.test(error.reason)) return;
    throw error instanceof CommandRefused ? refused(error) : error;
  }
}

/**
 * Parses lines such as `SASL PLAIN enabled with username "ada"` and
 * `Authenticated on upstream network with account "ada"`.
 */
export function loginIn(lines: readonly string[]): LoginAtBouncer {
  const text = lines.join('\n');
  const [, quoted] = /^Authenticated on upstream network with account (".*")$/m.exec(text) ?? [];
  return {
    offers: /^SASL PLAIN enabled/m.test(text) ? 'password' : /^SASL EXTERNAL/m.test(text) ? 'certificate' : 'nothing',
    account: quoted === undefined ? undefined : unquoted(quoted),
  };
}

/** Unquotes Go's strings, which are much like JSON's; others are returned without their quotes. */
function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    // Go escapes some characters otherwise than JSON.
    return quoted.slice(1, -1);
  }
}

/** Parses lines such as `SHA-256 fingerprint: 01ab…`. */
export function fingerprintsIn(lines: readonly string[]): CertificateFingerprints | undefined {
  const of = (kind: string): string | undefined =>
    lines
      .map((line) => new RegExp(`^${kind} fingerprint: ([0-9a-f]+)$`).exec(line)?.[1])
      .find((each) => each !== undefined);
  const [sha256, sha512] = [of('SHA-256'), of('SHA-512')];
  return sha256 === undefined || sha512 === undefined ? undefined : { sha256, sha512 };
}

async function refusedAsFailure<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    throw error instanceof CommandRefused ? refused(error) : error;
  }
}

/** Builds an error without the bouncer's text and without its error as a cause: both may repeat the secret. */
const refused = (error: Error): ConnectorError =>
  new ConnectorError(
    'provisioning_failed',
    `the bouncer refused a command about a login at a network (${error.message.length} characters of reason, which its own log has)`,
  );
