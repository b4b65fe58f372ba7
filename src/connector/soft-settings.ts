import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { ChannelKeys } from './channel-keys.ts';
import { issuerOf, loginKeyAt, loginsAreGivenAt } from './idp/index.ts';
import type { ServiceSettings } from './services/context.ts';
import { decidingSettings } from './stated-settings.ts';
import type { DecidingSettings } from './store/hold/deciding-settings.ts';

/** The present configuration. A reload replaces it by one that differs only in soft options. */
export interface SoftSettings {
  inForce: ConnectorConfig;
  /** Settings that count for all processes on the database; undefined while those of this process do. */
  decided?: DecidingSettings;
  /** Keys of channels; undefined until they are read. */
  channelKeys?: ChannelKeys;
  /** Called after each reload, once the program serves. */
  changed?: () => void;
}

/** Returns the keys of channels that are in force at each call. */
export const channelKeyIn =
  (soft: SoftSettings): ChannelKeys['of'] =>
  (network, channel, casemapping) =>
    soft.channelKeys?.of(network, channel, casemapping);

/** Returns the settings that use cases read; soft ones are read from the present configuration at each access. */
export function serviceSettings(
  {
    ircChannels,
    bouncer,
    baseUrl,
    identityProvider,
  }: Pick<ConnectorConfig, 'ircChannels' | 'bouncer' | 'baseUrl' | 'identityProvider'>,
  soft: SoftSettings,
): ServiceSettings {
  const deciding = (): DecidingSettings => soft.decided ?? decidingSettings(soft.inForce, ircChannels);
  return {
    get ircChannels() {
      return deciding().ircChannels;
    },
    loginKey: loginKeyAt(identityProvider),
    issuer: issuerOf(identityProvider),
    loginsAreGiven: loginsAreGivenAt(identityProvider),
    network: bouncer.soju.network,
    otherNetworks: bouncer.soju.otherNetworks,
    settingsUrl: `${baseUrl}/settings`,
    get ownerLogins() {
      return deciding().ownerLogins;
    },
    get ownerSubjects() {
      return deciding().ownerSubjects;
    },
    get maxUsers() {
      return deciding().maxUsers;
    },
    get personalTokens() {
      return deciding().personalTokens;
    },
    get retention() {
      return soft.inForce.retention;
    },
  };
}
