import { channelKey } from '../domain/channel.ts';
import { ConnectorError } from '../errors.ts';
import type { BouncerAccount, BouncerUser } from '../ports/bouncer.ts';
import { CommandRefused, type RunCommand } from './admin-socket.ts';

/** One person has one connection to one network. @spec connector#what-the-service-does */
const MAX_NETWORKS = '1';

export interface UpstreamNetwork {
  name: string;
  /** Address of the IRC server in soju's form. */
  address: string;
}

/** Creates what is missing; what exists already is left as it is, because an update would reconnect it. */
export async function provision(
  run: RunCommand,
  network: UpstreamNetwork,
  { user, nick }: BouncerAccount,
): Promise<void> {
  await ensure(run, [
    ...['user', 'create', '-username', user.name, '-password', user.password],
    ...['-nick', nick, '-realname', nick, '-max-networks', MAX_NETWORKS],
  ]);
  await nameBack(run, user, network.name);
  await ensure(run, [
    ...['user', 'run', user.name, 'network', 'create', '-name', network.name, '-addr', network.address],
    // People see the nick as present while the connector is being restarted.
    ...['-nick', nick, '-realname', nick, '-auto-away', 'false', '-enabled', 'false'],
  ]);
}

/** Gives a renamed network of the account its name back: a second network would have no history. */
async function nameBack(run: RunCommand, user: BouncerUser, name: string): Promise<void> {
  const [first, ...others] = networksIn(await run(['user', 'run', user.name, 'network', 'status']));
  if (first === undefined || first === name || others.length > 0) return;
  await run(['user', 'run', user.name, 'network', 'update', first, '-name', name]);
}

/** From lines such as `main (ircs://irc.example.org) [connected]: 1 channels`. */
export function networksIn(lines: readonly string[]): string[] {
  return lines.flatMap((line) => /^(\S+) (?:\([^)]*\) )?\[/.exec(line)?.[1] ?? []);
}

/** Compares what soju has with what is wanted, so that nothing is joined or left twice. */
export async function setChannels(
  run: RunCommand,
  network: string,
  user: BouncerUser,
  channels: readonly string[],
): Promise<void> {
  const asUser = (verb: string, channel: string) =>
    run(['user', 'run', user.name, 'channel', verb, `${channel}/${network}`]);
  const present = channelsIn(await run(['user', 'run', user.name, 'channel', 'status']));
  const has = (list: readonly string[], channel: string): boolean =>
    list.some((other) => channelKey(other) === channelKey(channel));
  for (const channel of channels) if (!has(present, channel)) await asUser('create', channel);
  for (const channel of present) if (!has(channels, channel)) await asUser('delete', channel);
}

/** From lines such as `#room/main [joined]`. */
export function channelsIn(lines: readonly string[]): string[] {
  return lines.flatMap((line) => /^(#[^ ]*)\/[^ /]+ \[/.exec(line)?.[1] ?? []);
}

/** Runs a creation; a refusal because the thing exists already is a success. */
async function ensure(run: RunCommand, words: readonly string[]): Promise<void> {
  try {
    await run(words);
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    if (error.reason.includes('already exists')) return;
    throw new ConnectorError('provisioning_failed', `the bouncer could not set this account up: ${error.reason}`, {
      cause: error,
    });
  }
}
