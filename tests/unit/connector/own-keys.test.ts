import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { OwnKeys } from '../../../src/connector/own-keys.ts';
import type { Keys } from '../../../src/connector/ports/keys.ts';
import type { Seal } from '../../../src/connector/ports/seal.ts';
import { createSeal, fingerprint } from '../../../src/connector/store/aes-seal.ts';
import { Agreement } from '../../../src/connector/store/hold/agreement.ts';
import type { OtherStated, Stated } from '../../../src/connector/store/hold/agreement-rows.ts';
import { keysAfter, newKeys } from '../../../src/connector/store/key-file.ts';
import { createLog } from '../../../src/kernel/log.ts';

const PLACE = 'installation/connector';

const former = newKeys();
const newer = keysAfter(former);

test('a process encrypts and signs with the keys that all have, until the last one has newer ones', async () => {
  const { ownKeys, seal, look, record, log } = start(newer, former);
  await look([former]);
  await ownKeys.choose(fingerprint(former.sealKey));
  ownKeys.holds(record);

  for (const others of [
    [former, newer],
    [newer, undefined],
  ]) {
    await look(others);
    expect(seal.inUse).toBe(fingerprint(former.sealKey));
    expect(ownKeys.cookieKeys[0]).not.toBe(newer.cookieKeys[0]);
  }
  expect(log()).toContain('process 0');

  await look([newer, newer], former);
  expect(seal.inUse).toBe(fingerprint(newer.sealKey));
  expect(ownKeys.cookieKeys).toEqual(newer.cookieKeys);
});

test('a process that has not the database follows what the database names, and never decides itself', async () => {
  const { seal, look, record, stated } = start(newer, former);
  await look([newer, newer]);
  expect(seal.inUse).toBe(fingerprint(former.sealKey));

  await record(createSeal(newer.sealKey));
  await look([newer, newer]);
  await look([newer, newer]);

  expect(seal.inUse).toBe(fingerprint(newer.sealKey));
  expect(stated()?.keys?.closesWith).toBe(fingerprint(newer.sealKey));
});

test('a process that lacks the key which the database names says so, and one that has it does not', async () => {
  const [lacking, having] = [start(former, newer), start(newer, former)];

  await lacking.look([newer]);
  await having.look([former]);

  expect([lacking.lacks(), having.lacks()]).toEqual([1, 0]);
});

test('a process without keys says that it lacks them once the database has encrypted contents, unless it has made some by then', async () => {
  let check: string | undefined;
  const agree = async () => ({ others: [], check, decided: undefined });
  const agreement = new Agreement({ agree, decide: async () => true });
  const said: string[] = [];
  const lacking = (of: string) => (hasKeys: boolean) =>
    void said.push(`${of} ${hasKeys ? 'has others' : 'has no keys'}`);
  const parts = { clock: { monotonic: () => 0 }, log: createLog('keys', 'error', new PassThrough()) };
  const late = new OwnKeys({ ...parts, lacking: lacking('late') });
  const first = new OwnKeys({ ...parts, lacking: lacking('first') });
  for (const each of [late, first]) each.follow(agreement, undefined);

  await agreement.look();
  expect(said).toEqual([]);
  const made = newKeys();
  first.sealOf(made);
  check = createSeal(made.sealKey).close('x', PLACE);
  first.follow(agreement, made);
  await agreement.look();

  expect(said).toEqual(['late has no keys']);
});

test('a move that the database does not answer is made with a later look', async () => {
  const { ownKeys, seal, look, record } = start(newer, former);
  await ownKeys.choose(fingerprint(former.sealKey));
  await look([former]);
  seal.use(fingerprint(former.sealKey));
  let isAway = true;
  ownKeys.holds(async (next) => {
    if (isAway) throw new Error('no answer');
    await record(next);
  });

  await look([newer], former);
  expect(seal.inUse).toBe(fingerprint(former.sealKey));
  isAway = false;
  await look([newer], former);

  expect(seal.inUse).toBe(fingerprint(newer.sealKey));
});

test('earlier keys are needed until half a minute after the last process has moved on, or has ended; alone they are not', async () => {
  const { ownKeys, look, record, pass } = start(newer, newer);
  ownKeys.holds(record);
  await look([newer], former);
  pass(60_000);
  expect(ownKeys.isSettled).toBe(false);

  await look([newer]);
  pass(29_000);
  await look([newer]);
  expect(ownKeys.isSettled).toBe(false);
  pass(1_000);
  expect(ownKeys.isSettled).toBe(true);

  for (const [other, closesWith] of [[undefined], [former], [newer, former]] as const) {
    await look([newer, other], closesWith);
    expect(ownKeys.isSettled).toBe(false);
    // What it had sent may be stored after its end.
    await look([]);
    pass(29_000);
    expect(ownKeys.isSettled).toBe(false);
    pass(1_000);
    expect(ownKeys.isSettled).toBe(true);
  }

  const alone = start(newer, newer);
  await alone.look([]);
  expect(alone.ownKeys.isSettled).toBe(true);
});

test('keys that were replaced differently in two places are both unused', async () => {
  const other = keysAfter(former);
  const { ownKeys, seal, look, record } = start(newer, former);
  ownKeys.holds(record);

  await look([other], former);

  expect(seal.inUse).toBe(fingerprint(former.sealKey));
  expect(seal.open(createSeal(former.sealKey).close('text', 'place'), 'place')).toBe('text');
});

/** A process with its keys, among others of which the test says what they state. */
function start(keys: Keys, inUse: Keys) {
  const seen = { others: [] as OtherStated[], check: createSeal(inUse.sealKey).close('x', PLACE) };
  let nowMs = 0;
  let stated: Stated | undefined;
  let lacks = 0;
  const agreement = new Agreement({
    agree: async (mine) => {
      stated = mine;
      return { ...seen, decided: undefined };
    },
    decide: async () => true,
  });
  const output = new PassThrough();
  const ownKeys = new OwnKeys({
    clock: { monotonic: () => nowMs },
    log: createLog('keys', 'info', output),
    lacking: () => {
      lacks += 1;
    },
  });
  ownKeys.follow(agreement, keys);
  return {
    agreement,
    ownKeys,
    seal: ownKeys.sealOf(keys),
    lacks: () => lacks,
    stated: () => stated,
    log: () => String(output.read() ?? ''),
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** Looks, while others with these keys encrypt with that one. */
    look: async (others: readonly (Keys | undefined)[], closesWith?: Keys) => {
      seen.others = others.map((of, index) => ({
        processId: `${index}`,
        name: `process ${index}`,
        isSilent: false,
        stated:
          of === undefined
            ? undefined
            : {
                keys: {
                  opens: [of.sealKey, ...of.earlierSealKeys].map(fingerprint),
                  closesWith: fingerprint((closesWith ?? of).sealKey),
                  accepts: of.cookieKeys.map(fingerprint),
                },
              },
      }));
      await agreement.look();
      await new Promise((resolve) => setImmediate(resolve));
    },
    record: async (seal: Seal) => {
      seen.check = seal.close('x', PLACE);
    },
  };
}
