import {
  type CertificateFingerprints,
  isLoginName,
  isLoginPassword,
  LOGIN_NAME_MAX_BYTES,
  LOGIN_PASSWORD_MAX_BYTES,
  type LoginProof,
  type NetworkLogin,
} from '../domain/login-at-network.ts';
import { type Network, networkOf } from '../domain/network.ts';
import { accountOffline, ConnectorError, networkChanged, RetryLater } from '../errors.ts';
import type { AttemptRefusal } from '../ports/network-login-store.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount } from './require-account.ts';

/** A login as a person sees it; without its password. */
export interface LoginView extends Omit<NetworkLogin, 'proof'> {
  kind: LoginProof['kind'] | 'unreadable';
  /** Name of the account at the network; undefined for a certificate. */
  name: string | undefined;
  fingerprints: CertificateFingerprints | undefined;
}

export interface NetworkLogins {
  /** The network that the account is on. */
  network: Network;
  /** The login for this network. */
  present: LoginView | undefined;
  /** Logins for other networks, which may be approved no longer. */
  others: LoginView[];
  /** The account at the network, as the network reports it; null if it does not. */
  loggedInAs: string | null;
}

/** Answers from what is known, like `ircStatus`. */
export async function networkLogins(context: ServiceContext, accountId: string): Promise<NetworkLogins> {
  const network = await networkOfAccount(context, accountId);
  const logins = (await context.store.networkLogins.list(accountId)).filter(({ state }) => state !== 'cleared');
  const isPresent = (login: NetworkLogin): boolean =>
    login.network.name === network.name && login.network.address === network.address;
  const present = logins.find(isPresent);
  return {
    network,
    present: present === undefined ? undefined : viewOf(present),
    others: logins.filter((login) => !isPresent(login)).map(viewOf),
    loggedInAs: (await context.presence.status(accountId))?.loggedInAs ?? null,
  };
}

/**
 * Stores a password for the network that the account is on, and tries it at once, or as soon as the network is
 * connected.
 * @param seen the network that the form named
 * @throws ConnectorError login_invalid, network_changed, rate_limited, bouncer_unreachable, provisioning_failed,
 * account_busy
 */
export async function enterNetworkLogin(
  context: ServiceContext,
  accountId: string,
  { seen, name: written, password }: { seen: Network; name: string; password: string },
): Promise<void> {
  const name = written.trim();
  if (!isLoginName(name)) {
    throw new ConnectorError(
      'login_invalid',
      `the name of an account at a network is one word of at most ${LOGIN_NAME_MAX_BYTES} bytes in UTF-8: write it as the network has it`,
    );
  }
  if (!isLoginPassword(password)) {
    throw new ConnectorError(
      'login_invalid',
      `a password has 1 to ${LOGIN_PASSWORD_MAX_BYTES} bytes in UTF-8, and no control character: write it again`,
    );
  }
  const network = await requireSeen(context, accountId, seen);
  await takeAttempt(context, accountId, network);
  await context.store.networkLogins.enter(accountId, network, { kind: 'password', name, password });
  await context.presence.logIn(accountId);
}

/** Tries the stored login again. @throws ConnectorError as `enterNetworkLogin` does, login_unknown */
export async function tryNetworkLogin(context: ServiceContext, accountId: string, loginId: string): Promise<void> {
  const { network, present } = await networkLogins(context, accountId);
  if (present?.loginId !== loginId) throw loginUnknown();
  await takeAttempt(context, accountId, network);
  await context.store.networkLogins.want(loginId);
  await context.presence.logIn(accountId);
}

/** Clears a login. Returns false if the bouncer will forget it later. @throws ConnectorError login_unknown */
export async function clearNetworkLogin(context: ServiceContext, accountId: string, loginId: string): Promise<boolean> {
  const login = (await context.store.networkLogins.list(accountId)).find((each) => each.loginId === loginId);
  if (login === undefined) throw loginUnknown();
  await context.store.networkLogins.clear(loginId);
  return context.presence.loginCleared(accountId);
}

/**
 * Makes a certificate, which the person adds to their account at the network before it is tried.
 * @throws ConnectorError account_offline, network_changed, rate_limited, bouncer_unreachable, provisioning_failed,
 * account_busy
 */
export async function makeLoginCertificate(context: ServiceContext, accountId: string, seen: Network): Promise<void> {
  const network = await requireSeen(context, accountId, seen);
  // Only the network of an online account is certain to be known to the bouncer.
  if ((await context.presence.status(accountId)) === undefined) throw accountOffline();
  await takeAttempt(context, accountId, network);
  await context.presence.makeCertificate(accountId, network);
}

/**
 * Checks that the account is still on the network that the form named: a configuration or another page may have changed
 * it.
 */
async function requireSeen(context: ServiceContext, accountId: string, seen: Network): Promise<Network> {
  const network = await networkOfAccount(context, accountId);
  if (network.name === seen.name && network.address === seen.address) return network;
  throw networkChanged(network);
}

async function networkOfAccount(context: ServiceContext, accountId: string): Promise<Network> {
  const { name, address } = networkOf((await requireAccount(context, accountId)).network, context.settings);
  return { name, address };
}

/** @throws RetryLater rate_limited */
async function takeAttempt({ store }: ServiceContext, accountId: string, { name }: Network): Promise<void> {
  const refused = await store.loginAttempts.take(accountId, name);
  if (refused !== undefined) throw new RetryLater('rate_limited', REFUSALS[refused.limit], refused.waitMs);
}

const REFUSALS: Record<AttemptRefusal['limit'], string> = {
  person:
    'you have tried to log in at networks as often as one may, so that a network does not shut out all people here',
  network:
    'people here have tried to log in at this network as often as they may together, so that it does not shut out all of them',
};

const loginUnknown = (): ConnectorError =>
  new ConnectorError('login_unknown', 'this login is not there any more: load the settings again');

function viewOf({ proof, ...login }: NetworkLogin): LoginView {
  return {
    ...login,
    kind: proof?.kind ?? 'unreadable',
    name: proof?.kind === 'password' ? proof.name : undefined,
    fingerprints: proof?.kind === 'certificate' ? proof.fingerprints : undefined,
  };
}
