import { createHash } from 'node:crypto';
import { USUAL_CASEMAPPING } from '../domain/casemapping.ts';
import { channelKey, resolveChannel } from '../domain/channel.ts';
import type { Network } from '../domain/network.ts';
import { ConnectorError } from '../errors.ts';
import type { BouncerAccount, BouncerUser } from '../ports/bouncer.ts';
import { CommandRefused, type RunCommand } from './admin-socket.ts';
import { type ListedNetwork, networksOf } from './listed-networks.ts';
import { resetLogin } from './logins.ts';

/** Most connected networks of a person; disabled networks don't count. @spec connector#what-the-service-does */
const MAX_NETWORKS = '1';

/**
 * The network that an account should have, and all approved ones: each keeps its own channels and history in the
 * bouncer.
 */
export interface NetworkChoice {
  wanted: Network;
  approved: readonly Network[];
}

/** Creates missing parts and changes different ones; all other parts stay, because any update would reconnect them. */
export async function provision(
  run: RunCommand,
  { wanted, approved }: NetworkChoice,
  { user, nick }: BouncerAccount,
): Promise<void> {
  // Queried first: the bouncer hashes a password before it checks whether the user exists.
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
  // First, so that a person who has moved is not visible on both networks.
  for (const { name, isEnabled } of networks) if (isEnabled && name !== own?.name) await update(name, []);
  if (own === undefined) {
    await ensure(run, [
      ...['user', 'run', user.name, 'network', 'create', '-name', wanted.name, '-addr', wanted.address],
      // Others see the nick as present while the connector restarts.
      ...['-nick', nick, '-realname', nick, '-auto-away', 'false', '-enabled', 'false'],
    ]);
    return;
  }
  const changes = [
    ...(own.name === wanted.name ? [] : ['-name', wanted.name]),
    ...(own.address === wanted.address ? [] : ['-addr', wanted.address]),
  ];
  if (changes.length === 0) return;
  // First, because the entered login is for the former server alone, and would be offered to the new one.
  if (own.address !== wanted.address) await resetLogin(run, user.name, own.name);
  // Disabled until the account is set online: otherwise the bouncer would connect now, and then again.
  await update(own.name, changes);
}

/** Disconnects all connected networks: a person who has just moved may still be on the former one. */
export async function disableNetworks(run: RunCommand, user: BouncerUser): Promise<void> {
  for (const { name, isEnabled } of await networksOf(run, user)) {
    if (isEnabled) await run(['user', 'run', user.name, 'network', 'update', name, '-enabled', 'false']);
  }
}

/** Removes the user with all networks, channels and lines in the bouncer. */
export async function removeUser(run: RunCommand, name: string): Promise<void> {
  try {
    await run(['user', 'delete', name, deletionToken(name)]);
  } catch (error) {
    if (isUnknownUser(error)) return;
    throw asProvisioningFailure(error);
  }
}

/** Whether a command failed because the bouncer has no such user. */
export const isUnknownUser = (error: unknown): boolean =>
  error instanceof CommandRefused && error.reason.startsWith('unknown username');

/** Returns the confirmation that soju requires. */
const deletionToken = (name: string): string => createHash('sha1').update(name).digest('hex').slice(0, 6);

/** Returns undefined if the bouncer refuses the query, because it does not know the user. */
async function ofKnownUser<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof CommandRefused) return undefined;
    throw error;
  }
}

/**
 * Returns the network that should be the wanted one. If a person has renamed it, it gets its name back, because a
 * second one would have no history. A former network with a history of its own has another address.
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

/**
 * Changes only the differences between soju's channels and the wanted ones, so that no channel is joined or left twice.
 */
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
  // The network's rule may consider more names equal than it did at its last announcement: then they exist.
  for (const channel of channels) if (!has(present, channel)) await existing(asUser('create', channel));
  const respelled = channels.filter((channel) => !present.some((each) => channelKey(each) === channelKey(channel)));
  for (const channel of present) {
    // A channel that may be enabled under another name stays: the session knows the rule, and leaves the channel if it
    // is not enabled.
    const mayBeEnabled = has(channels, channel) || resolveChannel(channel, respelled, USUAL_CASEMAPPING) !== undefined;
    if (!mayBeEnabled) await asUser('delete', channel);
  }
}

/** Parses lines such as `#room/main [joined]`, with channels of any kind; those of other networks are left out. */
export function channelsIn(lines: readonly string[], network: string): string[] {
  return lines.flatMap((line) => {
    const [, channel, of] = /^([^ ]+)\/([^ /]+) \[/.exec(line) ?? [];
    return channel === undefined || of !== network ? [] : [channel];
  });
}

/** Runs a creation, which also succeeds if the thing exists already. */
async function ensure(run: RunCommand, words: readonly string[]): Promise<void> {
  await provisioned(existing(run(words)));
}

/** Runs the command, which also succeeds if the thing exists already. */
async function existing(command: Promise<unknown>): Promise<void> {
  try {
    await command;
  } catch (error) {
    if (!(error instanceof CommandRefused && error.reason.includes('already exists'))) throw error;
  }
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
