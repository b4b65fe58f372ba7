import { inspectClock } from '../store/database.ts';
import { CLOCK_OFF_MS } from '../store/hold/clock-difference.ts';
import { ask } from './ask.ts';
import { type Check, type Examined, type Finding, ok, problem } from './check.ts';

/** Sign-in and signed messages tolerate some minutes; a synchronized clock is off by far less than this. */
const SKEW_MAX_MS = 60_000;
const SECOND_MS = 1_000;
const REMEDY = 'synchronize the clock of this machine, for example by systemd-timesyncd';

function differs(aheadMs: number, whose: string): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / SECOND_MS);
  return problem(`is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} ${whose}`, REMEDY);
}

async function besideProvider({ identityProvider, now, proxy }: Examined): Promise<Finding> {
  const { url } = 'github' in identityProvider ? identityProvider.github : { url: identityProvider.oidc.issuer };
  const answer = await ask(url, {}, proxy);
  const theirs = typeof answer === 'string' || answer.date === null ? Number.NaN : Date.parse(answer.date);
  if (Number.isNaN(theirs)) return ok('not compared: the identity provider sends no time');
  const aheadMs = now() - theirs;
  return Math.abs(aheadMs) > SKEW_MAX_MS
    ? differs(aheadMs, 'the identity provider')
    : ok('agrees with the identity provider');
}

export const clock: Check = {
  name: 'clock',
  examine: async (examined) => {
    const [provider, aheadMs] = await Promise.all([
      besideProvider(examined),
      // A database that can't be opened has its own line.
      inspectClock(examined.database, examined.now).catch(() => undefined),
    ]);
    if (!provider.isOk || aheadMs === undefined) return provider;
    if (Math.abs(aheadMs) > CLOCK_OFF_MS)
      return differs(aheadMs, 'the database: the connector would not be ready here');
    return ok(`${provider.says}; agrees with the database`);
  },
};
