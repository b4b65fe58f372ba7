import { KeptConnection, whyNoAnswer } from './kept-connection.ts';

const SECOND_MS = 1_000;
const SUCCESS = 200;
/** Share of a token's lifetime that is left when it is refreshed: enough for several attempts. */
const LEFT_SHARE = 0.2;

export interface Issued {
  access_token: string;
  refresh_token?: string | undefined;
  expires_in?: number | undefined;
}

export interface TokensOptions {
  baseUrl: string;
  clientId: string;
  issued: Issued;
  now: () => number;
}

/** Keeps the tokens of a client, and refreshes them before they expire. An attempt that fails is repeated with the same token. */
export class Tokens {
  readonly #options: TokensOptions;
  readonly #connection = new KeptConnection();
  #access: string;
  #refresh: string;
  #dueAt: number;

  constructor(options: TokensOptions) {
    const { access_token: access, refresh_token: refresh } = options.issued;
    if (refresh === undefined) throw new Error('expected a refresh token beside the access token, and got none');
    this.#options = options;
    this.#access = access;
    this.#refresh = refresh;
    this.#dueAt = this.#dueOf(options.issued);
  }

  get access(): string {
    return this.#access;
  }

  get isDue(): boolean {
    return this.#options.now() >= this.#dueAt;
  }

  /** A client that has just started does not know how old its token is: a refresh is due. */
  startAnew(): void {
    this.#dueAt = this.#options.now();
  }

  /** Makes one attempt. Returns why it failed. */
  async refresh(): Promise<string | undefined> {
    const { baseUrl, clientId } = this.#options;
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: this.#refresh };
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    try {
      const body = new URLSearchParams(fields).toString();
      const { status, text } = await this.#connection.post(`${baseUrl}/oauth/token`, headers, body);
      if (status !== SUCCESS) return `status ${status}: ${text}`;
      const issued = JSON.parse(text) as Issued;
      this.#access = issued.access_token;
      this.#refresh = issued.refresh_token ?? this.#refresh;
      this.#dueAt = this.#dueOf(issued);
      return undefined;
    } catch (error) {
      return whyNoAnswer(error);
    }
  }

  close(): void {
    this.#connection.close();
  }

  #dueOf({ expires_in: seconds = 0 }: Issued): number {
    return this.#options.now() + seconds * SECOND_MS * (1 - LEFT_SHARE);
  }
}
