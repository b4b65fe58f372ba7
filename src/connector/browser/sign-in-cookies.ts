import type { Request, Response } from 'express';
import { z } from 'zod';
import { SIGN_IN_MAX_MS, SIGN_INS_OF_BROWSER_MAX } from '../domain/limits.ts';
import type { SignInAttempt } from '../ports/identity-provider.ts';
import type { Seal } from '../ports/seal.ts';
import { COOKIE_OPTIONS, cookieOf, cookiesOf } from './cookies.ts';

const COOKIE_PREFIX = '__Host-homeport-sign-in-';
/** Binds the sealed cookie to its use, so that no other sealed text is accepted in its place. */
const PLACE = 'sign-in cookie';

/** Form of a state that this service makes. */
const STATE = /^[A-Za-z0-9_-]{16,128}$/;
/** Characters of the state in a cookie's name, which distinguish the cookies of one browser. */
const NAME_CHARACTERS = 16;

const Remembered = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  next: z.string(),
  startedAt: z.number(),
});
type Remembered = z.infer<typeof Remembered>;

/** A sign-in under way, and the path to return to. */
export interface PendingSignIn extends SignInAttempt {
  next: string;
}

/**
 * Keeps sign-ins that are under way in the browser that began them, sealed against reading and changes. Each has a
 * cookie of its own, by its state: two tabs may begin at the same moment, and a shared cookie would keep only the one
 * whose answer came last.
 */
export class SignInCookies {
  readonly #seal: Seal;
  readonly #now: () => number;

  /** @param options.now wall clock, milliseconds since 1970 */
  constructor({ seal, now }: { seal: Seal; now: () => number }) {
    this.#seal = seal;
    this.#now = now;
  }

  /** Adds a sign-in. Expired ones are cleared from the browser, and the oldest if it has too many. */
  remember(req: Request, res: Response, { state, nonce, codeVerifier, next }: PendingSignIn): void {
    const known = cookiesOf(req)
      .filter(([name]) => name.startsWith(COOKIE_PREFIX))
      .map(([name, sealed]) => ({ name, startedAt: this.#open(sealed)?.startedAt ?? 0 }));
    known.sort((one, other) => other.startedAt - one.startedAt);
    const surplus = known.filter(({ startedAt }, index) => startedAt === 0 || index >= SIGN_INS_OF_BROWSER_MAX - 1);
    for (const { name } of surplus) res.clearCookie(name, COOKIE_OPTIONS);
    const remembered: Remembered = { state, nonce, codeVerifier, next, startedAt: this.#now() };
    const sealed = this.#seal.close(JSON.stringify(remembered), PLACE);
    res.cookie(nameOf(state), sealed, { ...COOKIE_OPTIONS, maxAge: SIGN_IN_MAX_MS });
  }

  /**
   * Returns the sign-in with this state and clears its cookie; undefined if it is missing, damaged or too old. Other
   * sign-ins stay.
   */
  take(req: Request, res: Response, state: unknown): PendingSignIn | undefined {
    if (typeof state !== 'string' || !STATE.test(state)) return undefined;
    const name = nameOf(state);
    const sealed = cookieOf(req, name);
    if (sealed === undefined) return undefined;
    res.clearCookie(name, COOKIE_OPTIONS);
    const remembered = this.#open(sealed);
    if (remembered?.state !== state) return undefined;
    const { startedAt: _, ...pending } = remembered;
    return pending;
  }

  /** Clears all sign-ins from the browser. */
  forget(req: Request, res: Response): void {
    for (const [name] of cookiesOf(req)) if (name.startsWith(COOKIE_PREFIX)) res.clearCookie(name, COOKIE_OPTIONS);
  }

  /** Undefined for a cookie that this service did not write, or that has expired. */
  #open(sealed: string): Remembered | undefined {
    try {
      const remembered = Remembered.parse(JSON.parse(this.#seal.open(sealed, PLACE)));
      return this.#now() - remembered.startedAt > SIGN_IN_MAX_MS ? undefined : remembered;
    } catch {
      // It was encrypted before the keys were replaced, or by another program.
      return undefined;
    }
  }
}

const nameOf = (state: string): string => COOKIE_PREFIX + state.slice(0, NAME_CHARACTERS);
