import type { Request, Response } from 'express';
import { z } from 'zod';
import { SIGN_IN_MAX_MS } from '../domain/limits.ts';
import type { SignInAttempt } from '../ports/identity-provider.ts';
import type { Seal } from '../ports/seal.ts';
import { COOKIE_OPTIONS, cookieOf } from './cookies.ts';

const COOKIE = '__Host-homeport-sign-in';
/** Binds the sealed cookie to its use, so that no other sealed text is accepted in its place. */
const PLACE = 'sign-in cookie';

const Remembered = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  next: z.string(),
  startedAt: z.number(),
});

/** A sign-in under way, and where the person wanted to go. */
export interface PendingSignIn extends SignInAttempt {
  next: string;
}

/** Keeps a sign-in that is under way in the browser that began it, where nobody can read or change it. */
export class SignInCookie {
  readonly #seal: Seal;
  readonly #now: () => number;

  /** @param options.now wall clock, milliseconds since 1970 */
  constructor({ seal, now }: { seal: Seal; now: () => number }) {
    this.#seal = seal;
    this.#now = now;
  }

  remember(res: Response, { state, nonce, codeVerifier, next }: PendingSignIn): void {
    const remembered: z.infer<typeof Remembered> = { state, nonce, codeVerifier, next, startedAt: this.#now() };
    const sealed = this.#seal.close(JSON.stringify(remembered), PLACE);
    res.cookie(COOKIE, sealed, { ...COOKIE_OPTIONS, maxAge: SIGN_IN_MAX_MS });
  }

  /** What the browser remembered, which it forgets by this; undefined where that is missing, damaged or too old. */
  take(req: Request, res: Response): PendingSignIn | undefined {
    const sealed = cookieOf(req, COOKIE);
    res.clearCookie(COOKIE, COOKIE_OPTIONS);
    if (sealed === undefined) return undefined;
    try {
      const { startedAt, ...pending } = Remembered.parse(JSON.parse(this.#seal.open(sealed, PLACE)));
      return this.#now() - startedAt > SIGN_IN_MAX_MS ? undefined : pending;
    } catch {
      // The cookie is not one that we wrote.
      return undefined;
    }
  }
}
