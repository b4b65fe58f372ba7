import { ask } from './ask.ts';
import { type Check, ok, problem } from './check.ts';

/** Sign-in and signed messages tolerate some minutes; a synchronized clock is off by far less than this. */
const SKEW_MAX_MS = 60_000;
const SECOND_MS = 1_000;

export const clock: Check = {
  name: 'clock',
  examine: async ({ identityProvider, now, proxy }) => {
    const { url } = 'github' in identityProvider ? identityProvider.github : { url: identityProvider.oidc.issuer };
    const answer = await ask(url, {}, proxy);
    const theirs = typeof answer === 'string' || answer.date === null ? Number.NaN : Date.parse(answer.date);
    if (Number.isNaN(theirs)) return ok('not compared: the identity provider sends no time');
    const skewMs = now() - theirs;
    if (Math.abs(skewMs) <= SKEW_MAX_MS) return ok('agrees with the identity provider');
    const seconds = Math.round(Math.abs(skewMs) / SECOND_MS);
    return problem(
      `is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the identity provider`,
      'synchronize the clock of this machine, for example by systemd-timesyncd',
    );
  },
};
