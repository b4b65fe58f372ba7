import { expect, test } from 'vitest';
import type { Claim } from '../../../../src/connector/ports/claims.ts';
import { migrated } from '../../../../src/connector/store/claimed.ts';
import type { DatabaseServer } from '../../../../src/connector/store/connect/server.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { migratedDatabase } from '../../../harness/migrated-database.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('a doubt about the slot ends no step of the schema, whose transaction has its fence, but one about a claim without a fence does', async () => {
  await using folder = await tempFolder();
  await using own = await migratedDatabase(folder.path);
  const used: Claim[] = [];
  const server = {
    connect: (_purpose: unknown, claim: Claim) => {
      used.push(claim);
      claim.onDoubt(() => undefined);
      return own.connect();
    },
  } as unknown as DatabaseServer;
  const [slot, lock] = [inDoubt({ processId: 'prc_1', fence: 7 }), inDoubt(undefined)];

  for (const { claim } of [slot, lock]) await migrated(server, systemClock, { claim });

  expect(used.map((claim) => [claim.isTrusted(), claim.fence])).toEqual([
    [true, { processId: 'prc_1', fence: 7 }],
    [false, undefined],
  ]);
  expect([slot.doubted.length, lock.doubted.length]).toEqual([0, 1]);
});

/** A claim that is in doubt, as while a step keeps the heartbeats waiting; `doubted` has what asks to hear of that. */
function inDoubt(fence: Claim['fence']) {
  const doubted: (() => void)[] = [];
  const claim: Claim = {
    ...(fence === undefined ? {} : { fence }),
    onLost: () => undefined,
    isTrusted: () => false,
    onDoubt: (doubt) => void doubted.push(doubt),
    release: async () => undefined,
  };
  return { claim, doubted };
}
