import { expect, test } from 'vitest';
import type { ObservedLine } from '../../../../src/connector/ports/bouncer-session.ts';
import { capturedLine, openStore } from '../../../harness/open-store.ts';
import { statementsOf } from '../../../harness/statements.ts';

const AT = Date.UTC(2026, 0, 1);
const OWN_LINES = 80;

test('a page of own lines that are stored costs as few statements as one line, and a new one among them is stored in its place', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  const replay = (lines: readonly ObservedLine[]) =>
    open.store.capture.ingest(accountId, 'main', { lines, isReplay: true, synced: new Set() });
  const stored = Array.from({ length: OWN_LINES }, (_, n) => ownLine(2 * n));
  await replay(stored);
  const one = await statementsOf(open, () => replay(stored.slice(0, 1)));
  const all = await statementsOf(open, () => replay(stored));

  const { knownCount, entries } = await replay([...stored.slice(0, 40), ownLine(79), ...stored.slice(40)]);

  expect(all).toHaveLength(one.length);
  expect(knownCount).toBe(OWN_LINES);
  expect(entries.map(({ text }) => text)).toEqual(['own 79']);
});

function ownLine(n: number): ObservedLine {
  return {
    line: { ...capturedLine(`own ${n}`, AT + n), fingerprintBase: `id ${n}`, isExact: true },
    own: { tag: undefined, isNick: true, isJoin: false },
  };
}
