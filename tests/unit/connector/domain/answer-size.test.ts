import { expect, test } from 'vitest';
import { ANSWER_MAX_BYTES, fittingEntries } from '../../../../src/connector/domain/answer-size.ts';
import type { Entry } from '../../../../src/connector/domain/entry.ts';

test('entries are taken in order as long as they fit', () => {
  const long = Array.from({ length: 200 }, () => entry('é'.repeat(400)));
  const kept = fittingEntries(long);

  expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThan(ANSWER_MAX_BYTES + 1_000);
  expect(kept.length).toBeGreaterThan(30);
  expect(fittingEntries(long.slice(0, 10))).toHaveLength(10);
  expect(fittingEntries([])).toEqual([]);
});

test('an entry larger than an answer is still given, alone', () => {
  expect(fittingEntries([entry('x'.repeat(50_000)), entry('y')])).toHaveLength(1);
});

function entry(text: string): Entry {
  return {
    entryId: 'ent_1',
    network: 'main',
    channel: '#room',
    kind: 'message',
    sender: 'bob',
    text,
    target: null,
    eventAt: 0,
    observedAt: 0,
    timestampSource: 'server',
    messageId: null,
    gap: null,
  };
}
