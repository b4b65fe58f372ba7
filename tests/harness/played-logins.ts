import type { BouncerLogins } from '../../src/connector/ports/bouncer.ts';
import type { LoginAnswer, LoginAtBouncer, Password } from '../../src/connector/ports/bouncer-logins.ts';

/** A network's accounts, and the bouncer's login of one user there: it offers the login each time it connects. */
export class PlayedLogins implements BouncerLogins {
  /** Name → password that the network accepts. */
  readonly accounts = new Map<string, string>();
  /** Each login that reached the network, as `NAME PASSWORD`. */
  readonly offered: string[] = [];
  /** The login that the bouncer offers from its next connection on. */
  kept: Password | null = null;
  /** The account of the present connection. */
  account: string | undefined;

  /** The bouncer has connected, and offers its login. */
  connected(): void {
    this.account = undefined;
    if (this.kept !== null) this.offer(this.kept);
  }

  lost(): void {
    this.account = undefined;
  }

  offer({ name, password }: Password): LoginAnswer {
    this.offered.push(`${name} ${password}`);
    if (this.accounts.get(name) !== password) return { outcome: 'refused', words: 'the password is wrong' };
    this.account = name;
    return { outcome: 'accepted' };
  }

  async at(): Promise<LoginAtBouncer> {
    await nextTurn();
    return { offers: this.kept === null ? 'nothing' : 'password', account: this.account };
  }

  async set(_user: unknown, password: Password | null): Promise<void> {
    await nextTurn();
    this.kept = password;
  }

  async forget(): Promise<true> {
    await this.set(undefined, null);
    return true;
  }

  async makeCertificate() {
    await nextTurn();
    return { sha256: 'aa', sha512: 'bb' };
  }

  async certificate(): Promise<undefined> {
    await nextTurn();
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
