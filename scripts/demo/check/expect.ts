/** Fails the step with the sentence if the condition is false. */
export function expectThat(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(`expected: ${sentence}`);
}
