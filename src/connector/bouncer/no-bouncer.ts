import { sessionsElsewhere } from '../errors.ts';
import type { Bouncer } from '../ports/bouncer.ts';

const refuse = (): Promise<never> => Promise.reject(sessionsElsewhere());

/** The bouncer, as a process sees it that must not reach it. */
export const noBouncer: Bouncer = {
  logins: { at: refuse, set: refuse, forget: refuse, makeCertificate: refuse, certificate: refuse },
  provision: refuse,
  setOnline: refuse,
  reconnect: refuse,
  upstreamState: refuse,
  setChannels: refuse,
  expelOthers: refuse,
  removeUser: refuse,
  attach: refuse,
};
