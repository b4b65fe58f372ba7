import type { KnownNetwork } from '../domain/known-network.ts';
import { type ApprovedNetworks, approvedNetworks, networkOf } from '../domain/network.ts';
import { ConnectorError } from '../errors.ts';
import { parseAddress } from '../irc/irc-connection.ts';
import type { Permit } from '../irc/permit.ts';
import type { Bouncer, BouncerUser } from '../ports/bouncer.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import { CommandRefused, createAdminSocket } from './admin-socket.ts';
import { createSojuLogins } from './logins.ts';
import { disableNetworks, isUnknownUser, provision, removeUser, setChannels } from './provision.ts';
import { AuthenticationRefused, openSession } from './session.ts';

/** A network as the configuration describes it. */
interface ConfiguredNetwork {
  name: string;
  address: string;
  unpaced: boolean;
}

export interface SojuOptions extends ApprovedNetworks<ConfiguredNetwork> {
  adminSocket: string;
  /** Address at which soju listens for IRC clients. */
  address: string;
  upstreamProbeSeconds: number;
  replayTimeoutSeconds: number;
  /** The database's record of the networks; without it each is known by its present name alone. */
  known?: readonly KnownNetwork[];
}

const SECOND_MS = 1_000;

/**
 * Implements the `Bouncer` port with soju: commands use its admin socket, sessions its IRC listener.
 * @param permit needed to send or change anything there
 */
export function createSojuBouncer(soju: SojuOptions, permit?: Permit): Bouncer {
  const { adminSocket, address } = soju;
  const run = createAdminSocket(adminSocket, permit);
  const chosenBy = (user: BouncerUser): ConfiguredNetwork => networkOf(user.network, soju);
  const asUser = (user: BouncerUser, ...words: string[]) => run(['user', 'run', user.name, ...words]);

  const upstreamState = async (user: BouncerUser): Promise<UpstreamState> => {
    try {
      return stateOf(await asUser(user, 'network', 'status'), chosenBy(user).name);
    } catch (error) {
      if (error instanceof CommandRefused) return false;
      throw error;
    }
  };

  const connect = (user: BouncerUser, nick?: string): Promise<void> => {
    const names = nick === undefined ? [] : ['-nick', nick, '-realname', nick];
    const words = ['network', 'update', chosenBy(user).name, '-enabled', 'true', ...names];
    return refusedAsFailure(asUser(user, ...words));
  };

  const setPassword = (user: BouncerUser): Promise<void> =>
    refusedAsFailure(run(['user', 'update', user.name, '-password', user.password]));

  return {
    logins: createSojuLogins(run, (user) => chosenBy(user).name),
    expelOthers: async (user) => {
      try {
        await run(['user', 'update', user.name, '-password', user.password]);
      } catch (error) {
        if (!isUnknownUser(error)) throw failureOf(error);
      }
    },
    provision: (account) =>
      provision(run, { wanted: chosenBy(account.user), approved: approvedNetworks(soju) }, account),
    upstreamState,
    setOnline: async (user, isOnline, nick) => {
      // An update always reconnects, which others would see as a quit and a join.
      if (!isOnline) await refusedAsFailure(disableNetworks(run, user));
      else if ((await upstreamState(user)) !== true) await connect(user, nick);
    },
    reconnect: connect,
    setChannels: (user, channels) => refusedAsFailure(setChannels(run, chosenBy(user).name, user, channels)),
    removeUser: (name) => removeUser(run, name),
    attach: async (account, channels, events) => {
      const network = chosenBy(account.user);
      const options = {
        address: parseAddress(address),
        network: network.name,
        linesAs: soju.known?.find(({ name }) => name === network.name)?.linesAs ?? network.name,
        isUnpaced: network.unpaced,
        account,
        channels,
        probeIntervalMs: soju.upstreamProbeSeconds * SECOND_MS,
        replayDeadlineMs: soju.replayTimeoutSeconds * SECOND_MS,
        permit,
      };
      try {
        return await openSession(options, events);
      } catch (error) {
        if (!(error instanceof AuthenticationRefused)) throw error;
        // The database was restored, or a person set the password by hand: set ours, and try once more.
        await setPassword(account.user);
        return await openSession(options, events);
      }
    },
  };
}

async function refusedAsFailure(command: Promise<unknown>): Promise<void> {
  try {
    await command;
  } catch (error) {
    throw failureOf(error);
  }
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof CommandRefused)) return error;
  return new ConnectorError('provisioning_failed', `the bouncer refused: ${error.reason}`, { cause: error });
}

/** Parses lines such as `main (ircs://irc.example.org) [connected]: 1 channels`. */
export function stateOf(lines: readonly string[], network: string): UpstreamState {
  const line = lines.find((text) => text.startsWith(`${network} `));
  const state = / \[([^\]]+)\]/.exec(line ?? '')?.[1];
  if (state === undefined) return null;
  return state.startsWith('connected');
}
