import { sessionsElsewhere } from '../errors.ts';
import type { Services } from './index.ts';

const refuse = async (): Promise<never> => {
  throw sessionsElsewhere();
};

/**
 * The use cases of a process that has no sessions with the bouncer. What the process that has them would have to do or
 * follow is refused before anything of it is stored; all else needs only the database.
 */
export const readingServices = (services: Services): Services => ({
  ...services,
  goOnline: refuse,
  goOffline: refuse,
  sendMessage: refuse,
  postMessage: refuse,
  enableChannels: refuse,
  changeNick: refuse,
  chooseNetwork: refuse,
  enterNetworkLogin: refuse,
  tryNetworkLogin: refuse,
  clearNetworkLogin: refuse,
  makeLoginCertificate: refuse,
  invite: refuse,
  replaceGrants: refuse,
  removeAccount: refuse,
  finishRemovals: refuse,
  prepare: refuse,
  // Their bounds and their waits are known to one process only.
  subscribe: refuse,
  deleteHistory: refuse,
  exportHistory: () => {
    throw sessionsElsewhere();
  },
});
