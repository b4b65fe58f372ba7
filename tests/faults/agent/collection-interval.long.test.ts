import { expect, test } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { startAgent } from '../../harness/start-agent.ts';

/** Interval of the specification, in milliseconds. */
const INTERVAL_MS = 10_000;

test('a client that keeps asking gets the same collection for ten seconds, then the next', async () => {
  verifies('agent.limit.collection-interval');
  await using agent = await startAgent();
  const times = new Set<number>();

  await waitFor(
    'three collections have been seen',
    async () => {
      const { time } = hostReport.parse(await (await agent.get('/v1/report')).json());
      times.add(Date.parse(time));
      return times.size === 3;
    },
    { timeoutMs: 4 * INTERVAL_MS, process: agent.process },
  );

  const [first = 0, second = 0, third = 0] = times;
  for (const apart of [second - first, third - second]) {
    expect(apart).toBeGreaterThanOrEqual(INTERVAL_MS);
    expect(apart).toBeLessThan(INTERVAL_MS + 2_000);
  }
});
