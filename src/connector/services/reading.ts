import { sessionsElsewhere } from '../errors.ts';
import type { Services } from './index.ts';

const refuse = async (): Promise<never> => {
  throw sessionsElsewhere();
};

/** The use cases of a process that has no sessions with the bouncer: what needs one reaches the other process by the database. */
export const readingServices = (services: Services): Services => ({
  ...services,
  // It calls the receiver, which only one process may do.
  subscribe: refuse,
});
