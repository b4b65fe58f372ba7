import type { IrcConnection } from '../irc/irc-connection.ts';
import { formatLine, type IrcLine } from '../irc/line.ts';
import type { BouncerAccount } from '../ports/bouncer.ts';
import type { Capabilities } from './capabilities.ts';

/** Name of this client in the bouncer, where other clients of the same user may attach beside it. */
const CLIENT_NAME = 'homeport';

/** Error: soju refused the password of an existing user. */
export class AuthenticationRefused extends Error {}

export interface RegistrationOptions {
  connection: IrcConnection;
  capabilities: Capabilities;
  account: BouncerAccount;
  network: string;
}

/** Sends and handles the lines that establish the session: capabilities, SASL PLAIN, nick. */
export class Registration {
  readonly #options: RegistrationOptions;
  #isAskingSasl = false;

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  begin(): void {
    const { nick } = this.#options.account;
    this.#write('CAP', ['LS', '302']);
    this.#write('NICK', [nick]);
    this.#write('USER', [nick, '0', '*', nick]);
  }

  /** Returns the nick once the session is established. @throws AuthenticationRefused, Error when the bouncer refuses */
  take(line: IrcLine): string | undefined {
    switch (line.command) {
      case 'CAP':
        this.#onCap(line);
        return undefined;
      case 'AUTHENTICATE':
        this.#write('AUTHENTICATE', [this.#credentials()]);
        return undefined;
      case '903':
        this.#write('CAP', ['END']);
        return undefined;
      case '001':
        return line.params[0] ?? this.#options.account.nick;
      case '904':
      case '905':
        throw new AuthenticationRefused('the bouncer refuses the password');
      case 'ERROR':
      case '465':
        throw new Error(`the bouncer ended the registration: ${line.params.at(-1) ?? ''}`);
      default:
        return undefined;
    }
  }

  #onCap(line: IrcLine): void {
    const requests = this.#options.capabilities.take(line);
    if (requests === undefined) return;
    // One request for each capability, so that a refusal concerns only that one.
    for (const name of requests) this.#write('CAP', ['REQ', name]);
    if (this.#isAskingSasl) {
      if (this.#options.capabilities.has('sasl')) this.#authenticate();
      return;
    }
    this.#isAskingSasl = true;
    this.#write('CAP', ['REQ', 'sasl']);
  }

  #isAuthenticating = false;
  #authenticate(): void {
    if (this.#isAuthenticating) return;
    this.#isAuthenticating = true;
    this.#write('AUTHENTICATE', ['PLAIN']);
  }

  #credentials(): string {
    const { account, network } = this.#options;
    const name = `${account.user.name}/${network}@${CLIENT_NAME}`;
    return Buffer.from(`\0${name}\0${account.user.password}`).toString('base64');
  }

  #write(command: string, params: readonly string[]): void {
    this.#options.connection.write(formatLine(command, params));
  }
}
