import type { Stack } from '../../stack.ts';
import type { Step } from '../steps.ts';
import { authorizationSteps } from './authorization.ts';
import { conversationSteps } from './conversation.ts';
import { discoverySteps } from './discovery.ts';
import type { Found, Means } from './journey.ts';
import { leavingSteps } from './leaving.ts';
import { mentionSteps } from './mention.ts';
import { peopleSteps } from './people.ts';
import { readingSteps } from './reading.ts';
import { restSteps } from './rest.ts';
import { revocationSteps } from './revocation.ts';

/**
 * The whole journey of agents and their person: sign-in, invitation, consent, MCP, IRC both ways,
 * unread, search, a mention delivered, REST, leaving, and revocation.
 * @param found gets what the steps find: agents, the other person on IRC
 */
export function connectorSteps(stack: Stack, means: Means, found: Found = {}): Step[] {
  return [
    ...discoverySteps(stack),
    ...peopleSteps(stack, means),
    ...authorizationSteps(stack, means, found),
    ...conversationSteps(stack, means, found),
    ...readingSteps(stack, found),
    ...mentionSteps(stack, means, found),
    ...restSteps(stack, found),
    ...leavingSteps(found),
    ...revocationSteps(stack, means, found),
  ].map((step) => ({ ...step, program: 'connector' }));
}
