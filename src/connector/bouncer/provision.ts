import { createHash } from 'node:crypto';
import { resolveChannel } from '../domain/channel.ts';
import type { Network } from '../domain/network.ts';
import { ConnectorError } from '../errors.ts';
import type { BouncerAccount, BouncerUser } from '../ports/bouncer.ts';
import { CommandRefused, type RunCommand } from './admin-socket.ts';

/** One person has one connection at a time; networks that are disabled don't count. @spec connector#what-the-service-does */
const MAX_NETWORKS = '1';

/** A network of a user as soju lists it. */
export interface ListedNetwork extends Network {
  isEnabled: boolean;
}

/** The network that an account is to have, and all that people may have: each keeps its own channels and history in the bouncer. */
export interface NetworkChoice {
  wanted: Network;
  approved: readonly Network[];
}

/** Creates what is missing and changes what differs; the rest is left as it is, because any update would reconnect it. */
export async function provision(
  run: RunCommand,
  { wanted, approved }: NetworkChoice,
  { user, nick }: BouncerAccount,
): Promise<void> {
  // Asked first: the bouncer computes the hash of a password before it looks whether the user exists.
  const known = await ofKnownUser(networksOf(run, user));
  if (known === undefined) {
    await ensure(run, [
      ...['user', 'create', '-username', user.name, '-password', user.password],
      ...['-nick', nick, '-realname', nick, '-max-networks', MAX_NETWORKS],
    ]);
  }
  const networks = known ?? (await networksOf(run, user));
  const own = ownNetwork(networks, { wanted, approved });
  const update = (name: string, changes: readonly string[]) =>
    provisioned(run(['user', 'run', user.name, 'network', 'update', name, ...changes, '-enabled', 'false']));
  // First of all: a person who has moved is not seen on both.
  for (const { name, isEnabled } of networks) if (isEnabled && name !== own?.name) await update(name, []);
  if (own === undefined) {
    await ensure(run, [
      ...['user', 'run', user.name, 'network', 'create', '-name', wanted.name, '-addr', wanted.address],
      // People see the nick as present while the connector is being restarted.
      ...['-nick', nick, '-realname', nick, '-auto-away', 'false', '-enabled', 'false'],
    ]);
    return;
  }
  const changes = [
    ...(own.name === wanted.name ? [] : ['-name', wanted.name]),
    ...(own.address === wanted.address ? [] : ['-addr', wanted.address]),
  ];
  // Disabled until the account is set online: else the bouncer would connect now, and then once more.
  if (changes.length > 0) await update(own.name, changes);
}

/** Disconnects whatever is connected: a person who has just moved may still be on the network of before. */
export async function disableNetworks(run: RunCommand, user: BouncerUser): Promise<void> {
  for (const { name, isEnabled } of await networksOf(run, user)) {
    if (isEnabled) await run(['user', 'run', user.name, 'network', 'update', name, '-enabled', 'false']);
  }
}

/** Removes the user with all networks, channels and lines that the bouncer keeps. */
export async function removeUser(run: RunCommand, name: string): Promise<void> {
  try {
    await run(['user', 'delete', name, deletionToken(name)]);
  } catch (error) {
    if (error instanceof CommandRefused && error.reason.startsWith('unknown username')) return;
    throw asProvisioningFailure(error);
  }
}

/** What soju asks for as a confirmation. */
const deletionToken = (name: string): string => createHash('sha1').update(name).digest('hex').slice(0, 6);

const networksOf = async (run: RunCommand, { name }: BouncerUser): Promise<ListedNetwork[]> =>
  networksIn(await run(['user', 'run', name, 'network', 'status']));

/** Undefined where the bouncer refuses to look, because it does not know the user. */
async function ofKnownUser<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof CommandRefused) return undefined;
    throw error;
  }
}

/**
 * The network that is to be the wanted one. If somebody has renamed it, it gets its name back, because a second one would
 * have no history. Its address tells it from a network that the person had before, which keeps a history of its own.
 */
function ownNetwork(
  networks: readonly ListedNetwork[],
  { wanted, approved }: NetworkChoice,
): ListedNetwork | undefined {
  const named = networks.find(({ name }) => name === wanted.name);
  if (named !== undefined) return named;
  const strangers = networks.filter(({ name }) => !approved.some((network) => network.name === name));
  const [renamed, ...others] = strangers.filter(({ address }) => address === wanted.address);
  return others.length === 0 ? renamed : undefined;
}

/** From lines such as `main (ircs://irc.example.org) [connected]: 1 channels`; a network without a name has its address for one. */
export function networksIn(lines: readonly string[]): ListedNetwork[] {
  return lines.flatMap((line) => {
    const [, name, address = name, state] = /^(\S+) (?:\((\S+)\) )?\[([^\]]*)\]/.exec(line) ?? [];
    return name === undefined || address === undefined
      ? []
      : [{ name, address, isEnabled: state?.startsWith('disabled') !== true }];
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
  const present = channelsIn(await run(['user', 'run', user.name, 'channel', 'status']), network);
  const has = (list: readonly string[], channel: string): boolean =>
    resolveChannel(channel, list, user.casemapping) !== undefined;
  for (const channel of channels) if (!has(present, channel)) await asUser('create', channel);
  for (const channel of present) if (!has(channels, channel)) await asUser('delete', channel);
}

/** From lines such as `#room/main [joined]`, of channels of any kind; those of other networks are left out. */
export function channelsIn(lines: readonly string[], network: string): string[] {
  return lines.flatMap((line) => {
    const [, channel, of] = /^([^ ]+)\/([^ /]+) \[/.exec(line) ?? [];
    return channel === undefined || of !== network ? [] : [channel];
  });
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
    throw asProvisioningFailure(error);
  }
}

function asProvisioningFailure(error: unknown): unknown {
  if (!(error instanceof CommandRefused)) return error;
  return new ConnectorError('provisioning_failed', `the bouncer could not set this account up: ${error.reason}`, {
    cause: error,
  });
}
