import fc from 'fast-check';
import { describe, test } from 'vitest';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { type Size, startResizedShell } from '../../harness/resized-shell.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { Play, type Step, writeCommands } from './prompt-play.ts';
import { BASH, LONG, SHELL_CASES, type ShellCase } from './prompting-shells.ts';

/** Number of sequences over all shells; the nightly tests play all of them. */
const SEQUENCES = 200;

/** The widths at which the prompt fills a row exactly, with and without its blank; they are tried more often. */
const EXACT = [LONG.length, LONG.length - 1];
const word = fc.stringMatching(/^[a-z]{1,30}$/);

describe.each(SHELL_CASES)('$name', (shown) => {
  test('loses no line and leaves no remains of a prompt through any resizes, keys and output', {
    timeout: 600_000,
  }, async () => {
    const size = sizesOf(shown);
    await fc.assert(
      fc.asyncProperty(size, fc.array(stepsOf(size), { minLength: 6, maxLength: 14 }), async (first, steps) => {
        await using home = await tempFolder();
        writeCommands(home.path);
        const { program, args, startFile, startText } = shown;
        using shell = startResizedShell({
          program,
          ...(args && { args }),
          startFile,
          startText: `cd ${home.path}\n${startText}`,
          home: home.path,
          saveLines: 5_000,
          ...first,
        });
        const play = new Play(shell, shown, home.path);
        await play.check('the first prompt');
        for (const [index, next] of steps.entries()) {
          await play.play(next);
          await play.check(`step ${index + 1} of ${JSON.stringify(steps)} from ${JSON.stringify(first)}`);
        }
      }),
      { numRuns: Math.ceil(fuzzRuns(SEQUENCES) / SHELL_CASES.length), endOnFailure: true },
    );
  });
});

function sizesOf({ program }: ShellCase): fc.Arbitrary<Size> {
  return fc.record({
    columns: fc
      .oneof(
        { weight: 5, arbitrary: fc.integer({ min: 20, max: 110 }) },
        { weight: 1, arbitrary: fc.constantFrom(...EXACT) },
      )
      // There readline begins a row too many with the first character, in xterm too: `resized-shells-beside-xterm`.
      .filter((columns) => program !== BASH.program || columns !== LONG.length),
    rows: fc.integer({ min: 12, max: 30 }),
  });
}

function stepsOf(size: fc.Arbitrary<Size>): fc.Arbitrary<Step> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('resize' as const), size }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('storm' as const),
        sizes: fc.array(size, { minLength: 2, maxLength: 6 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('type' as const), text: word }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('insert' as const), text: word, back: fc.integer({ min: 1, max: 60 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('run' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('continue' as const), text: word }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('output' as const),
        lines: fc.integer({ min: 1, max: 15 }),
        length: fc.integer({ min: 1, max: 150 }),
        sizes: fc.array(size, { maxLength: 3 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('stream' as const),
        lines: fc.integer({ min: 20, max: 60 }),
        length: fc.integer({ min: 1, max: 150 }),
        sizes: fc.array(size, { minLength: 2, maxLength: 6 }),
      }),
    },
  );
}
