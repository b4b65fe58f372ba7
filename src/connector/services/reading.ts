import { sessionsElsewhere } from '../errors.ts';
import type { Services } from './index.ts';

const refuse = async (): Promise<never> => {
  throw sessionsElsewhere();
};

/**
 * The use cases of a process that has no sessions with the bouncer. Orders and changes of channels and nick reach the
 * process that has them by the database. What else it would have to do is refused before anything of it is
 * stored; the rest needs only the database.
 */
export const readingServices = (services: Services): Services => ({
  ...services,
  enterNetworkLogin: refuse,
  tryNetworkLogin: refuse,
  clearNetworkLogin: refuse,
  makeLoginCertificate: refuse,
  removeAccount: refuse,
  finishRemovals: refuse,
  prepare: refuse,
  // It calls the receiver, which only one process may do.
  subscribe: refuse,
});
