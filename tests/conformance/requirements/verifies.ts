import { TestRunner } from 'vitest';
import type { AgentRequirementId } from './agent.ts';
import type { ConnectorRequirementId } from './connector.ts';
import type { RequirementId as TermprogRequirementId } from './termprog.ts';

type RequirementId = AgentRequirementId | ConnectorRequirementId | TermprogRequirementId;

declare module 'vitest' {
  interface TaskMeta {
    /** Ids of the requirements that the test proves. */
    requirements?: readonly string[];
  }
}

/**
 * Says, as the first statement of a test, which rows of the specification it proves: without the behaviour it fails.
 * tests/architecture/requirement-ids.test.ts finds the ids by reading the sources, so they are written out.
 */
export function verifies(...requirements: readonly [RequirementId, ...RequirementId[]]): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error('verifies() stands in no test');
  test.meta.requirements = requirements;
}
