/** Ends the step with the sentence when it is not true. */
export function expectThat(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(`expected: ${sentence}`);
}
