import { expect, test, vi } from 'vitest';
import { MISSING } from '../../harness/capabilities.ts';
import { reproach } from '../../harness/expected-skips.ts';
import { needs, skipWithout } from '../../harness/needs.ts';

// A capability that a variable decides can be missing, or there, on any machine.
vi.stubEnv('ESCTEST', undefined);
vi.stubEnv('NIXPKGS_LIB', import.meta.dirname);

const missing = `${MISSING}ESCTEST`;

test('a skip for a capability that is missing is expected, unless the run requires that one or all', () => {
  expect(reproach(missing, [])).toBeUndefined();
  expect(reproach(missing, ['FUSE'])).toBeUndefined();
  expect(reproach(missing, ['FUSE', 'ESCTEST'])).toBe('REQUIRE_CAPABILITIES requires ESCTEST');
  expect(reproach(missing, ['all'])).toBe('REQUIRE_CAPABILITIES requires ESCTEST');
});

test('a skip is refused that names nothing, something unknown, or what this machine has', () => {
  expect(reproach('', [])).toBe('it names no missing capability, as `needs` does');
  expect(reproach('later', [])).toBe('it names no missing capability, as `needs` does');
  expect(reproach(`${MISSING}a good day`, [])).toBe('it names "a good day", which is not in the table of capabilities');
  expect(reproach(`${missing}, NIXPKGS_LIB or <nixpkgs/lib>`, [])).toBe(
    'it says that this machine lacks NIXPKGS_LIB or <nixpkgs/lib>, and it has that',
  );
});

test('a test is skipped with the names of all that is missing, and runs where all is there', () => {
  const notes: unknown[] = [];
  const context = { skip: (note: unknown) => notes.push(note) } as unknown as Parameters<
    ReturnType<typeof skipWithout>
  >[0];

  skipWithout('NIXPKGS_LIB or <nixpkgs/lib>')(context);
  skipWithout('NIXPKGS_LIB or <nixpkgs/lib>', 'ESCTEST')(context);

  expect(notes).toEqual([missing]);
});

let ran = false;
needs('NIXPKGS_LIB or <nixpkgs/lib>')('the body of a test runs where all is there', () => {
  ran = true;
});
test('the body ran', () => expect(ran).toBe(true));
