import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { startExpiry } from '../../../../src/connector/upkeep/expiry.ts';
import { listeningLog } from '../../../harness/listening-log.ts';

test('ended records are removed in steps, and the failure of one kind leaves the others alone', async () => {
  const { log, messages } = listeningLog();
  let left = 1_200;
  const limits: number[] = [];
  const expiry = startExpiry({
    log,
    isSteady: () => true,
    expiring: [
      {
        what: 'tickets',
        removeEnded: async () => {
          throw new Error('the database is away');
        },
      },
      {
        what: 'codes',
        removeEnded: async (limit) => {
          limits.push(limit);
          const count = Math.min(limit, left);
          left -= count;
          return count;
        },
      },
    ],
  });

  await waitFor('nothing is left', () => limits.length === 4);
  await expiry.close();

  expect([left, limits]).toEqual([0, [500, 500, 500, 500]]);
  expect(messages).toEqual(['tickets that have ended could not be removed; trying again']);
});
