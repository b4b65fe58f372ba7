import type { Network } from '../domain/network.ts';
import { networkChanged } from '../errors.ts';
import type { AccountLogin } from './account-login.ts';
import type { Connection } from './connection.ts';
import type { Departure } from './departure.ts';
import type { Mailbox } from './mailbox.ts';
import type { Naming } from './naming.ts';
import { atOnce, type Begins } from './open-orders.ts';
import { MOVED, type Outbox } from './outbox.ts';
import { accountOf, approvedNetworkOf, networkNameOf, type PresenceContext } from './presence-context.ts';
import type { StatusRecord } from './status-record.ts';

export interface StoredChoicesParts {
  accountId: string;
  context: PresenceContext;
  mailbox: Mailbox;
  outbox: Outbox;
  naming: Naming;
  login: AccountLogin;
  connection: Connection;
  record: StatusRecord;
  departure: Pick<Departure, 'awaitsNetwork'>;
}

/**
 * Follows what an account's person has chosen: channels, nick, login and network. Each choice is stored before the session
 * and the bouncer follow it. If that fails, a retry follows it, or the next session begins with it.
 */
export class StoredChoices {
  readonly #parts: StoredChoicesParts;

  constructor(parts: StoredChoicesParts) {
    this.#parts = parts;
  }

  /** Follows the enabled channels; false if the bouncer can't be reached now: then a retry is planned. */
  async channelsChanged(begins: Begins = atOnce): Promise<boolean> {
    const { channels } = this.#parts.connection;
    try {
      await this.#inTurn(begins, () => channels.follow());
      return true;
    } catch {
      // Also if too many calls wait: the enabled channels are stored, so a retry can follow them.
      channels.followLater();
      return false;
    }
  }

  /** Requests the stored nick from the network; resolves when it has answered, or after a deadline. */
  async nickChanged(begins: Begins = atOnce): Promise<void> {
    const { connection, naming, departure } = this.#parts;
    try {
      await this.#inTurn(begins, () => connection.followNick());
    } catch {
      // The nick is stored, so a retry can follow it.
      connection.followNickLater();
    }
    await naming.settled(() => departure.awaitsNetwork);
    await this.#storeStatus();
  }

  /** Tries the stored login for the account's network. */
  async logIn(begins: Begins = atOnce): Promise<void> {
    const { login } = this.#parts;
    try {
      await this.#inTurn(begins, () => login.tryNow());
    } catch (error) {
      // The login is stored, so a retry can follow it.
      login.followLater();
      throw error;
    }
    await login.settled();
    await this.#storeStatus();
  }

  /** Makes a certificate for the network that the person has seen, and stores it as its login. */
  makeCertificate(seen: Network, begins: Begins = atOnce): Promise<void> {
    const { accountId, context } = this.#parts;
    const { bouncer, store } = context;
    return this.#inTurn(begins, async () => {
      const user = await store.accounts.bouncerUser(accountId);
      const network = approvedNetworkOf(context, user);
      if (network.name !== seen.name || network.address !== seen.address) throw networkChanged(network);
      const fingerprints = await bouncer.logins.makeCertificate(user);
      await store.networkLogins.enter(accountId, network, { kind: 'certificate', fingerprints });
    });
  }

  /** Follows a cleared login; false if the bouncer can't be reached now: then a retry is planned. */
  async loginCleared(begins: Begins = atOnce): Promise<boolean> {
    const { login } = this.#parts;
    try {
      await this.#inTurn(begins, () => login.followClearing());
      await this.#storeStatus();
      return true;
    } catch {
      // Without a session, it follows before the account attaches.
      login.followLater();
      return false;
    }
  }

  /** Moves the account to another network; false if the bouncer can't be reached now: then a retry is planned. */
  chooseNetwork(name: string, begins: Begins = atOnce): Promise<boolean> {
    const { accountId, context, connection, outbox, record } = this.#parts;
    return this.#inTurn(begins, async () => {
      const account = await accountOf(context, accountId);
      const isMove = networkNameOf(context, account) !== name;
      // Sent on the other network, they would reach people for whom they were not meant.
      if (isMove) await outbox.giveUp(MOVED);
      try {
        await context.store.accounts.chooseNetwork(accountId, name);
      } catch (error) {
        // Only the database knows whether it stored the choice.
        this.#followNetworkLater();
        throw error;
      }
      try {
        const hasFollowed = await connection.followNetwork();
        // What is sent next is meant for the network that was chosen.
        await record.settled();
        return hasFollowed;
      } catch {
        // The network is followed later, and the record retries by itself.
        this.#followNetworkLater();
        return false;
      }
    });
  }

  #followNetworkLater(): void {
    const { mailbox, connection } = this.#parts;
    mailbox.enqueue(async () => void (await connection.followNetwork()));
  }

  /** Stores the status for the page that follows, which may be of another process. */
  async #storeStatus(): Promise<void> {
    const { mailbox, record } = this.#parts;
    // The record retries by itself.
    await mailbox.call(() => record.settled()).catch(() => undefined);
  }

  #inTurn<T>(begins: Begins, work: () => Promise<T>): Promise<T> {
    return this.#parts.mailbox.call(async () => {
      await begins();
      return work();
    });
  }
}
