import type { Identity, IdentityProvider, SignInAttempt } from '../ports/identity-provider.ts';

/** Time for which the result of a finished sign-in is returned again. */
const REPEATED_FOR_MS = 10_000;
/**
 * Sign-ins whose results are kept; one more drops the oldest, and the provider refuses a second load of its return
 * page.
 */
const KEPT_MAX = 1_000;

/**
 * Wraps a provider so that each sign-in is finished once. Browsers sometimes fetch the return page twice, and people
 * reload it while it takes long. A provider refuses a code that was used, so the second answer would report a failure
 * of a sign-in that succeeded. Only the browser with the cookie of the sign-in gets here, with the same code.
 */
export function finishOnce(provider: IdentityProvider): IdentityProvider {
  const kept = new Map<string, Promise<Identity>>();
  const begin = (key: string, callbackUrl: URL, attempt: SignInAttempt): Promise<Identity> => {
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= KEPT_MAX) kept.delete(oldest);
    const identity = provider.finish(callbackUrl, attempt);
    kept.set(key, identity);
    identity.then(
      () => setTimeout(() => kept.delete(key), REPEATED_FOR_MS).unref(),
      // The caller gets the failure; a new attempt may succeed.
      () => kept.delete(key),
    );
    return identity;
  };
  return {
    start: () => provider.start(),
    finish: async (callbackUrl, attempt) => {
      const { state, nonce, codeVerifier } = attempt;
      const key = JSON.stringify([state, nonce, codeVerifier, callbackUrl.search]);
      return kept.get(key) ?? begin(key, callbackUrl, attempt);
    },
  };
}
