import { expect, test } from 'vitest';
import type { Subject } from '../../../../../src/connector/ports/invalidations.ts';
import { noticeOf, payloadsOf } from '../../../../../src/connector/store/notices/notice.ts';

/** Bytes from which the server refuses a payload. */
const REFUSED_BYTES = 8_000;

test.each([1, 10, 1_000])('%i changes come out as they went in, in payloads that the server takes', (count) => {
  const subjects = Array.from({ length: count }, (_, n): Subject => ['account', `acc_${n} "ä€𝄞`]);

  const payloads = payloadsOf('prc_1', { subjects });

  expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(REFUSED_BYTES);
  expect(heardFrom(payloads)).toEqual(subjects);
});

test('a key that is too long for a payload is left out, and those around it are not', () => {
  const [before, after]: Subject[] = [
    ['account', 'before'],
    ['oauth', 'after'],
  ];
  const long: Subject = ['session', '€'.repeat(3_000)];

  expect(heardFrom(payloadsOf('prc_1', { subjects: [before as Subject, long, after as Subject] }))).toEqual([
    before,
    after,
  ]);
  expect(payloadsOf('prc_1', { subjects: [long] })).toEqual([]);
});

test.each(['', 'hello', '{}', '[]', '[1, []]', 'null', '["prc_1"]', '["prc_1", {"account": "a"}]'])(
  'the payload %s of another program is ignored',
  (payload) => {
    expect(noticeOf(payload)).toBeUndefined();
  },
);

test('topics and keys that this version does not know are left out', () => {
  const payload = '["prc_1", [["account","a"],["later","b"],["account"],["account",1],"account",null,["entries","c"]]]';

  expect(noticeOf(payload)).toEqual({ processId: 'prc_1', notice: { subjects: [['account', 'a']] } });
});

function heardFrom(payloads: readonly string[]): readonly Subject[] {
  return payloads.flatMap((payload) => {
    const { notice } = noticeOf(payload) ?? {};
    return typeof notice === 'object' ? [...notice.subjects] : [];
  });
}
