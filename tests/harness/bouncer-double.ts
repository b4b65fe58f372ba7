import type { Bouncer } from '../../src/connector/ports/bouncer.ts';
import type { BouncerSession } from '../../src/connector/ports/bouncer-session.ts';

/** An open session without data or events; tests replace its parts. */
export const silentSession: BouncerSession = {
  ...{ nick: 'ada', joinedChannels: ['#room'], upstream: true, isAnswering: true, upstreamError: undefined },
  ...{
    upstreamRefusal: undefined,
    isNickTaken: false,
    nickRefusal: undefined,
    isUnpaced: true,
    hasServerEcho: true,
    canReplay: false,
  },
  login: { account: undefined, logIn: async () => ({ outcome: 'unanswered' }) },
  notJoinedReason: () => undefined,
  join: () => undefined,
  part: () => undefined,
  changeNick: () => undefined,
  probeUpstream: async () => true,
  setChannels: () => undefined,
  replay: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  sendMessage: () => undefined,
  flush: async () => true,
  fallSilent: () => undefined,
  close: () => undefined,
};

/** A bouncer that accepts every request and opens silent sessions, which are in all channels that are asked for. */
export const obedientBouncer: Bouncer = {
  logins: {
    at: async () => ({ offers: 'nothing', account: undefined }),
    set: async () => undefined,
    forget: async () => true,
    makeCertificate: async () => ({ sha256: 'aa', sha512: 'bb' }),
    certificate: async () => undefined,
  },
  provision: async () => undefined,
  setOnline: async () => undefined,
  reconnect: async () => undefined,
  upstreamState: async () => true,
  setChannels: async () => undefined,
  removeUser: async () => undefined,
  expelOthers: async () => undefined,
  attach: async (_, channels) => ({ ...silentSession, joinedChannels: [...channels] }),
};
