import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { withCase } from '../../src/connector/domain/login-name.ts';
import { createOutbound } from '../../src/connector/outbound/outbound.ts';
import type { Bouncer } from '../../src/connector/ports/bouncer.ts';
import { Presences } from '../../src/connector/presence/presences.ts';
import type { ServiceContext, ServiceSettings } from '../../src/connector/services/context.ts';
import { createSeal } from '../../src/connector/store/aes-seal.ts';
import { createCallbacks } from '../../src/connector/webhooks/signed-callbacks.ts';
import { obedientBouncer } from './bouncer-double.ts';
import type { OpenStore } from './open-store.ts';

/**
 * Returns the context that use cases reach: a real store, a bouncer that accepts every request unless another is given,
 * two owners and two channels.
 */
export function serviceContext(
  { store, consents, clock }: OpenStore,
  changes: Partial<ServiceSettings> = {},
  bouncer: Bouncer = obedientBouncer,
): ServiceContext & { presence: Presences } {
  const log = pino({ level: 'silent' });
  const settings = {
    ownerLogins: ['ada', 'grace'],
    ownerSubjects: [],
    issuer: 'https://id.example',
    loginKey: withCase,
    loginsAreGiven: true,
    maxUsers: 4,
    ircChannels: ['#ops', '#room'],
    network: { name: 'main', address: 'ircs://irc.example' },
    retention: { days: 90, entriesPerAccount: 1_000 },
    settingsUrl: 'https://homeport.example/settings',
    ...changes,
  };
  // Receivers of the tests listen on this machine.
  const callbacks = createCallbacks({ outbound: createOutbound({ allowHosts: ['127.0.0.1', 'localhost'] }), clock });
  const presence = new Presences({ store, bouncer, clock, log, settings });
  return { store, consents, clock, bouncer, presence, callbacks, seal: createSeal(randomBytes(32)), log, settings };
}
