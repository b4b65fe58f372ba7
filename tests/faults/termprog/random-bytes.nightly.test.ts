import { createCipheriv } from 'node:crypto';
import { expect, test } from 'vitest';
import { startEngine } from '../../harness/terminal-engine.ts';

const MEBIBYTE = 1_048_576;
/** Size of each kind: 50 in all. */
const TOTAL_MIB = 25;
const KEY_BYTES = 16;
const SAVE_LINES = 1_024;

/** Most growth of memory: far above what a screen, its history and the bounded tables take. */
const GROWTH_MAX_BYTES = 192 * MEBIBYTE;

/**
 * Longest time of a run in milliseconds: far above what a slow machine takes, far below what an amplified parameter
 * costs.
 */
const LONGEST_MS = 300_000;

for (const [what, make] of [
  ['random bytes', randomBytes],
  ['random bytes full of control sequences', (seed: number, length: number) => spiced(randomBytes(seed, length))],
] as const) {
  test(
    `${TOTAL_MIB} MiB of ${what} take bounded time and room, and text is written after them`,
    () => {
      const { engine, write, text } = startEngine({ saveLines: SAVE_LINES });
      write('\n'.repeat(2 * SAVE_LINES));
      const before = process.memoryUsage.rss();
      for (let part = 0; part < TOTAL_MIB; part += 1) {
        engine.write(make(part, MEBIBYTE));
        engine.resize(40 + (part % 80), 10 + (part % 30));
        const { column, row } = engine.cursor;
        expect(column < engine.columns && row < engine.rows).toBe(true);
      }
      expect(process.memoryUsage.rss() - before).toBeLessThan(GROWTH_MAX_BYTES);
      write('\x18\x1bcstill here');
      expect(text(0)).toBe('still here');
    },
    LONGEST_MS,
  );
}

/** Returns random bytes that are the same in each run. */
function randomBytes(seed: number, length: number): Buffer {
  const stream = createCipheriv('aes-128-ctr', Buffer.alloc(KEY_BYTES, seed), Buffer.alloc(KEY_BYTES));
  return stream.update(Buffer.alloc(length));
}

/** More of what begins sequences, and digits to go on with, than chance has. */
function spiced(bytes: Buffer): Buffer {
  const starts = ['\x1b[', '\x1b]', '\x1bP', '\x1b', '\x1b[?', ';99999', '\x1b\\', '\x07'];
  for (let at = 0; at + 8 < bytes.length; at += 9) {
    const choice = starts[(bytes[at] ?? 0) & 0x0f];
    if (choice !== undefined) bytes.write(choice, at, 'latin1');
  }
  return bytes;
}
