import { AsyncLocalStorage } from 'node:async_hooks';
import { type Configuration, errors, Provider, type TokenEndpointGrantContext } from 'oidc-provider';
import type { OauthRecord, OauthRecords, Redemption } from '../ports/oauth-records.ts';

/** What a request to the token endpoint has changed so far. */
interface Gathered {
  consumed: Redemption['consumed'] | undefined;
  issued: Redemption['issued'][number][];
}

/** Which parameters a grant type has, and which of them may come more than once. */
type ParameterNames = [names?: string | ReadonlySet<string>, repeated?: string | ReadonlySet<string>];

/**
 * The library uses up a code or a refresh token, then saves one after the other what it gives for it. A database that
 * failed in between would leave the client with a token that is used up and nothing for it, and its next attempt would
 * count as a second use. So all that one request changes is gathered, and stored at once when its answer is complete.
 */
export class Redemptions {
  readonly #records: OauthRecords;
  readonly #underWay = new AsyncLocalStorage<Gathered>();

  constructor(records: OauthRecords) {
    this.#records = records;
  }

  /**
   * The library's server, in which each request to the token endpoint is a redemption.
   * @param check sees the request first, and throws what is to be answered to a bad one
   */
  provider(
    issuer: string,
    configuration: Configuration,
    check: (ctx: TokenEndpointGrantContext<object>) => void,
  ): Provider {
    const redeemed = (answer: () => void | Promise<void>): Promise<void> => this.#redeemed(answer);
    class RedeemingProvider extends Provider {
      override registerGrantType<Params extends object>(
        name: string,
        answer: (ctx: TokenEndpointGrantContext<Params>) => void | Promise<void>,
        ...rest: ParameterNames
      ): void {
        const checked = (ctx: TokenEndpointGrantContext<Params>): void | Promise<void> => {
          check(ctx);
          return answer(ctx);
        };
        super.registerGrantType<Params>(name, (ctx) => redeemed(() => checked(ctx)), ...rest);
      }
    }
    return new RedeemingProvider(issuer, configuration);
  }

  /** What the request under way uses up. */
  consume(kind: string, idHash: string): void {
    const gathered = this.#underWay.getStore();
    if (gathered === undefined) throw new Error(`a ${kind} is used up outside of the token endpoint`);
    gathered.consumed = { kind, idHash };
  }

  /** Stores a record: with all others of the redemption under way, else at once. */
  async save(kind: string, record: OauthRecord): Promise<void> {
    const gathered = this.#underWay.getStore();
    if (gathered === undefined) await this.#records.save(kind, record);
    else gathered.issued.push({ kind, ...record });
  }

  async #redeemed(answer: () => void | Promise<void>): Promise<void> {
    const gathered: Gathered = { consumed: undefined, issued: [] };
    await this.#underWay.run(gathered, async () => answer());
    const { consumed, issued } = gathered;
    if (consumed === undefined) return;
    // The library looks before it uses a token up. When two requests have looked together, the second fails here.
    if (!(await this.#redeem({ consumed, issued }))) throw new errors.InvalidGrant('already used');
  }

  /** Asks once more after a failure: the database may have stored it without being able to say so. */
  async #redeem(redemption: Redemption): Promise<boolean> {
    try {
      return await this.#records.redeem(redemption);
    } catch {
      return this.#records.redeem(redemption);
    }
  }
}
