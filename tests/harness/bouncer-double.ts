import type { Bouncer } from '../../src/connector/ports/bouncer.ts';
import type { BouncerSession } from '../../src/connector/ports/bouncer-session.ts';

/** A session that stands, knows nothing and says nothing; tests put their own parts in place of its. */
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
  close: () => undefined,
};

/** A bouncer that does whatever it is told and gives a silent session. */
export const obedientBouncer: Bouncer = {
  provision: async () => undefined,
  setOnline: async () => undefined,
  reconnect: async () => undefined,
  upstreamState: async () => true,
  setChannels: async () => undefined,
  removeUser: async () => undefined,
  expelOthers: async () => undefined,
  attach: async () => silentSession,
};
