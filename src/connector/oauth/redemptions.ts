import { AsyncLocalStorage } from 'node:async_hooks';
import { type Configuration, errors, Provider, type TokenEndpointGrantContext } from 'oidc-provider';
import type { Clock } from '../../kernel/clock.ts';
import { secretHash } from '../domain/ids.ts';
import { REFRESH_REPEAT_MS } from '../domain/limits.ts';
import {
  type OauthRecord,
  type OauthRecords,
  type Redemption,
  type RedemptionOutcome,
  SUCCESSOR,
} from '../ports/oauth-records.ts';

const SECOND_MS = 1_000;
const REFRESH_TOKEN = 'RefreshToken';

/** Changes that a request to the token endpoint has gathered so far. */
interface Gathered {
  consumed: Redemption['consumed'] | undefined;
  issued: Redemption['issued'][number][];
}

/** An answer of the token endpoint. */
interface TokenAnswer {
  refresh_token?: string;
  expires_in: number;
}

/** The answer as it is stored, to be repeated. */
interface KeptAnswer {
  answer: TokenAnswer;
  /** Milliseconds since 1970. */
  at: number;
}

/** Names of a grant type's parameters, and of those that may come more than once. */
type ParameterNames = [names?: string | ReadonlySet<string>, repeated?: string | ReadonlySet<string>];

/** The members of the library's context that hold the answer. */
type AnswerContext = Pick<TokenEndpointGrantContext<object>, 'body' | 'res'>;

/**
 * Stores all changes of one token request in one transaction. The library consumes a code or a refresh token, then
 * saves its successors one after the other. If the database failed in between, the client would have a consumed token
 * and no successor, and its next attempt would count as a second use. So the changes of a request are gathered, and
 * stored at once when its answer is complete.
 *
 * A refresh token that is used again soon gets the same answer: clients refresh in several processes at once, or lose
 * an answer on its way. So the library does not see that a refresh token was used. One place decides about reuse: the
 * transaction that would store the answer.
 */
export class Redemptions {
  readonly #records: OauthRecords;
  readonly #clock: Clock;
  readonly #underWay = new AsyncLocalStorage<Gathered>();

  constructor(records: OauthRecords, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /**
   * Creates the library's server, in which each request to the token endpoint is a redemption.
   * @param check sees the request first, and throws the answer to an invalid one
   */
  provider(
    issuer: string,
    configuration: Configuration,
    check: (ctx: TokenEndpointGrantContext<object>) => void,
  ): Provider {
    const redeemed = (ctx: AnswerContext, answer: () => void | Promise<void>): Promise<void> =>
      this.#redeemed(ctx, answer);
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
        super.registerGrantType<Params>(name, (ctx) => redeemed(ctx, () => checked(ctx)), ...rest);
      }
    }
    return new RedeemingProvider(issuer, configuration);
  }

  /** Notes the code or token that the request under way consumes. */
  consume(kind: string, idHash: string): void {
    const gathered = this.#underWay.getStore();
    if (gathered === undefined) throw new Error(`a ${kind} is used up outside of the token endpoint`);
    gathered.consumed = { kind, idHash };
  }

  /** Stores a record: together with all others of the redemption under way, or at once if there is no redemption. */
  async save(kind: string, record: OauthRecord): Promise<void> {
    const gathered = this.#underWay.getStore();
    if (gathered === undefined) await this.#records.save(kind, record);
    else gathered.issued.push({ kind, ...record });
  }

  /** Whether the request under way decides by itself about a record of this kind that was used before. */
  decidesAboutReuse(kind: string): boolean {
    return kind === REFRESH_TOKEN && this.#underWay.getStore() !== undefined;
  }

  async #redeemed(ctx: AnswerContext, answer: () => void | Promise<void>): Promise<void> {
    const gathered: Gathered = { consumed: undefined, issued: [] };
    await this.#underWay.run(gathered, async () => answer());
    const { consumed, issued } = gathered;
    if (consumed === undefined) return;
    const outcome = await this.#redeem({
      consumed,
      issued: [...issued, ...this.#successor(ctx, gathered)],
      isAwaited: () => !ctx.res.destroyed,
    });
    switch (outcome.kind) {
      case 'stored':
        return;
      case 'repeated':
        ctx.body = this.#again(outcome.payload);
        return;
      case 'refused':
        throw new errors.InvalidGrant('already used');
    }
  }

  /** The record that repeats the answer if the same refresh token is used again soon. */
  #successor({ body }: AnswerContext, { consumed, issued }: Gathered): Redemption['issued'] {
    const answer = body as TokenAnswer;
    if (consumed?.kind !== REFRESH_TOKEN || answer.refresh_token === undefined) return [];
    const at = this.#clock.now();
    const kept: KeptAnswer = { answer, at };
    return [
      {
        kind: SUCCESSOR,
        idHash: consumed.idHash,
        uidHash: secretHash(answer.refresh_token),
        grantHash: issued[0]?.grantHash ?? null,
        payload: JSON.stringify(kept),
        expiresAt: at + REFRESH_REPEAT_MS,
      },
    ];
  }

  /** The answer of the first use, with the lifetime that is left by now. */
  #again(payload: string): TokenAnswer {
    const { answer, at } = JSON.parse(payload) as KeptAnswer;
    const ageSeconds = Math.max(0, Math.floor((this.#clock.now() - at) / SECOND_MS));
    return { ...answer, expires_in: Math.max(0, answer.expires_in - ageSeconds) };
  }

  /** Repeats a failed call once: the database may have stored the change without being able to confirm it. */
  async #redeem(redemption: Redemption): Promise<RedemptionOutcome> {
    try {
      return await this.#records.redeem(redemption);
    } catch {
      // The second failure is the caller's.
      return this.#records.redeem(redemption);
    }
  }
}
