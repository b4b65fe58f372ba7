import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { ServiceSettings } from './services/context.ts';

/** Options that SIGHUP reloads; any other one takes effect at the next start. */
export const SOFT_OPTIONS = [
  'logLevel',
  'settings',
  'retention',
  'rateLimits',
] as const satisfies readonly (keyof ConnectorConfig)[];

/** The soft options in force, replaced as a whole by a reload. */
export interface SoftSettings {
  inForce: Pick<ConnectorConfig, (typeof SOFT_OPTIONS)[number]>;
}

/** What use cases read of the configuration, always as it is in force. */
export function serviceSettings(
  { ircChannels, bouncer, baseUrl }: Pick<ConnectorConfig, 'ircChannels' | 'bouncer' | 'baseUrl'>,
  soft: SoftSettings,
): ServiceSettings {
  return {
    ircChannels,
    network: bouncer.soju.network,
    settingsUrl: `${baseUrl}/settings`,
    get ownerLogins() {
      return soft.inForce.settings.ownerLogins;
    },
    get maxUsers() {
      return soft.inForce.settings.maxUsers;
    },
    get retention() {
      return soft.inForce.retention;
    },
  };
}
