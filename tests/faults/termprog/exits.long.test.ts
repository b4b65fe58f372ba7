import { createHash, type Hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startChild } from '../../unit/termprog/pty/open-pty.ts';

/** Output of children before they end: the number of exits, and the bytes of each. */
const BURSTS = [
  { exits: 800, bytes: 8_000 },
  { exits: 100, bytes: 65_537 },
  { exits: 50, bytes: 1 },
  { exits: 50, bytes: 3_000_000 },
] as const;

/** Bytes that all differ from those around them, without those that a terminal would change on the way. */
const PATTERN = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+-';

const hashOf = (write: (hash: Hash) => void): string => {
  const hash = createHash('sha256');
  write(hash);
  return hash.digest('hex');
};

test('all bytes arrive in 1,000 exits with any last burst', async () => {
  let exits = 0;
  const lost: string[] = [];
  for (const burst of BURSTS) {
    const repeated = Buffer.from(PATTERN.repeat(Math.ceil(burst.bytes / PATTERN.length))).subarray(0, burst.bytes);
    const expected = hashOf((hash) => hash.update(repeated));
    for (let run = 0; run < burst.exits; run += 1) {
      const status = run % 100;
      const { ended, output } = startChild(
        `stty -opost; yes '${PATTERN}' | tr -d '\\n' | head -c ${burst.bytes}; exit ${status}`,
      );
      const { exitCode } = await ended;
      exits += 1;
      if (exitCode !== status || hashOf((hash) => hash.update(output())) !== expected) {
        lost.push(`${output().length} of ${burst.bytes} bytes, status ${exitCode} for ${status}`);
      }
    }
  }

  expect(exits).toBe(1_000);
  expect(lost).toEqual([]);
});
