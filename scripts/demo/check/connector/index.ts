import type { Stack } from '../../stack.ts';
import type { Step } from '../steps.ts';
import { authorizationSteps } from './authorization.ts';
import { conversationSteps } from './conversation.ts';
import { discoverySteps } from './discovery.ts';
import type { Found, Means } from './journey.ts';
import { leavingSteps } from './leaving.ts';
import { peopleSteps } from './people.ts';
import { readingSteps } from './reading.ts';
import { restSteps } from './rest.ts';

/** The whole journey of agents and their person: sign-in, consent, MCP, IRC both ways, unread, search, REST, and leaving. */
export function connectorSteps(stack: Stack, means: Means): Step[] {
  const found: Found = {};
  return [
    ...discoverySteps(stack),
    ...peopleSteps(stack, means),
    ...authorizationSteps(stack, means, found),
    ...conversationSteps(stack, means, found),
    ...readingSteps(stack, found),
    ...restSteps(stack, found),
    ...leavingSteps(found),
  ].map((step) => ({ ...step, program: 'connector' }));
}
