import type { Identity, IdentityProvider, SignInAttempt } from '../ports/identity-provider.ts';

/** A person who sees nothing loads the page again: its first answer is told once more for so long. */
const TOLD_AGAIN_MS = 10_000;
/** Sign-ins that are kept; those beyond are only refused when their page is fetched twice. */
const KEPT_MAX = 1_000;

/**
 * The same provider, which is asked once about each sign-in. Browsers fetch the page of the return twice, and people load it again
 * while it takes long; the second time a provider refuses the code, and the person would read that a sign-in failed that did not.
 * Only the browser that holds the cookie of the sign-in gets here, and with the same code.
 */
export function finishOnce(provider: IdentityProvider): IdentityProvider {
  const kept = new Map<string, Promise<Identity>>();
  const begin = (key: string, callbackUrl: URL, attempt: SignInAttempt): Promise<Identity> => {
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= KEPT_MAX) kept.delete(oldest);
    const identity = provider.finish(callbackUrl, attempt);
    kept.set(key, identity);
    identity.then(
      () => setTimeout(() => kept.delete(key), TOLD_AGAIN_MS).unref(),
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
