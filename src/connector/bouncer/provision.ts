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

/** Creates what is missing and changes what differs; the rest is left as it is, because any update would reconnect it. */
export async function provision(
  run: RunCommand,
  network: UpstreamNetwork,
  { user, nick }: BouncerAccount,
): Promise<void> {
  // Asked first: the bouncer computes the hash of a password before it looks whether the user exists.
  const hasNetwork = await ofKnownUser(bringUpToDate(run, user, network));
  if (hasNetwork === true) return;
  if (hasNetwork === undefined) {
    await ensure(run, [
      ...['user', 'create', '-username', user.name, '-password', user.password],
      ...['-nick', nick, '-realname', nick, '-max-networks', MAX_NETWORKS],
    ]);
    if (await bringUpToDate(run, user, network)) return;
  }
  await ensure(run, [
    ...['user', 'run', user.name, 'network', 'create', '-name', network.name, '-addr', network.address],
    // People see the nick as present while the connector is being restarted.
    ...['-nick', nick, '-realname', nick, '-auto-away', 'false', '-enabled', 'false'],
  ]);
}

/** Undefined where the bouncer refuses to look, because it does not know the user. */
async function ofKnownUser<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof CommandRefused) return undefined;
    throw error;
  }
}

/** Gives the network of the account the wanted name and server; false where it has none. */
async function bringUpToDate(run: RunCommand, user: BouncerUser, { name, address }: UpstreamNetwork): Promise<boolean> {
  const networks = networksIn(await run(['user', 'run', user.name, 'network', 'status']));
  const [only, ...others] = networks;
  // Renamed by somebody: it gets its name back, because a second network would have no history.
  const network = networks.find((each) => each.name === name) ?? (others.length === 0 ? only : undefined);
  if (network === undefined) return false;
  const changes = [
    ...(network.name === name ? [] : ['-name', name]),
    ...(network.address === address ? [] : ['-addr', address]),
  ];
  if (changes.length === 0) return true;
  // Disabled until the account is set online: else the bouncer would connect now, and then once more.
  const words = ['network', 'update', network.name, ...changes, '-enabled', 'false'];
  await provisioned(run(['user', 'run', user.name, ...words]));
  return true;
}

/** From lines such as `main (ircs://irc.example.org) [connected]: 1 channels`; a network without a name has its address for one. */
export function networksIn(lines: readonly string[]): UpstreamNetwork[] {
  return lines.flatMap((line) => {
    const [, name, address = name] = /^(\S+) (?:\((\S+)\) )?\[/.exec(line) ?? [];
    return name === undefined || address === undefined ? [] : [{ name, address }];
  });
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
  await provisioned(
    run(words).catch((error: unknown) => {
      if (!(error instanceof CommandRefused && error.reason.includes('already exists'))) throw error;
    }),
  );
}

async function provisioned(command: Promise<unknown>): Promise<void> {
  try {
    await command;
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    throw new ConnectorError('provisioning_failed', `the bouncer could not set this account up: ${error.reason}`, {
      cause: error,
    });
  }
}
