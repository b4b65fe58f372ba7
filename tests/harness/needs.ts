import { type TestContext, test } from 'vitest';
import { type Capability, has, MISSING } from './capabilities.ts';

type Skip = Pick<TestContext, 'skip'>;

/** Guards all tests of a file or suite: `beforeEach(skipWithout('root'))` skips them where one of these is missing. */
export function skipWithout(...names: Capability[]): (context: Skip) => void {
  const missing = names.filter((name) => !has(name));
  return ({ skip }) => {
    if (missing.length > 0) skip(MISSING + missing.join(', '));
  };
}

/** `needs('root')(title, body)` is a test where the machine has all of these, else a skip that names what is missing. */
export function needs(
  ...names: Capability[]
): (title: string, body: (context: TestContext) => unknown, timeoutMs?: number) => void {
  const skipIfMissing = skipWithout(...names);
  return (title, body, timeoutMs) =>
    test(
      title,
      (context) => {
        skipIfMissing(context);
        return body(context);
      },
      timeoutMs,
    );
}
