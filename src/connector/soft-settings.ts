import type { ConnectorConfig } from '../../schemas/connector.ts';
import { issuerOf, loginKeyAt, loginsAreGivenAt } from './idp/index.ts';
import type { ServiceSettings } from './services/context.ts';

/** The present configuration. A reload replaces it by one that differs only in soft options. */
export interface SoftSettings {
  inForce: ConnectorConfig;
  /** Told after each reload, once the program serves. */
  changed?: () => void;
}

/** The settings that use cases read; always the present ones. */
export function serviceSettings(
  {
    ircChannels,
    bouncer,
    baseUrl,
    identityProvider,
  }: Pick<ConnectorConfig, 'ircChannels' | 'bouncer' | 'baseUrl' | 'identityProvider'>,
  soft: SoftSettings,
): ServiceSettings {
  return {
    ircChannels,
    loginKey: loginKeyAt(identityProvider),
    issuer: issuerOf(identityProvider),
    loginsAreGiven: loginsAreGivenAt(identityProvider),
    network: bouncer.soju.network,
    otherNetworks: bouncer.soju.otherNetworks,
    settingsUrl: `${baseUrl}/settings`,
    get ownerLogins() {
      return soft.inForce.settings.ownerLogins;
    },
    get ownerSubjects() {
      return soft.inForce.settings.ownerSubjects;
    },
    get maxUsers() {
      return soft.inForce.settings.maxUsers;
    },
    get personalTokens() {
      return soft.inForce.settings.personalTokens;
    },
    get retention() {
      return soft.inForce.retention;
    },
  };
}
