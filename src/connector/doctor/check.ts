import type { ConnectorConfig } from '../../../schemas/connector.ts';
import type { IdentityProviderChoice } from '../idp/index.ts';
import type { OutboundProxy } from '../outbound/proxy.ts';
import type { DatabaseChoice } from '../store/connect/index.ts';
import type { InstallationClaim } from '../store/installation.ts';

/** What the checks look at. */
export interface Examined {
  config: ConnectorConfig;
  database: DatabaseChoice;
  identityProvider: IdentityProviderChoice;
  /** What the database must belong to. @throws StartError where the keys can't be read */
  own(): InstallationClaim;
  /** Whether the database may be written: root must not, where another account may have put links. */
  mayWrite: boolean;
  /** By which requests to the Internet leave. */
  proxy: OutboundProxy | undefined;
  /** Wall clock, milliseconds since 1970. */
  now: () => number;
}

/** The result of a check, in one line; for a failure it says what to do. */
export type Finding = { isWell: true; says: string } | { isWell: false; says: string; remedy: string };

export interface Check {
  /** The subject of the check, in two or three words. */
  name: string;
  examine(examined: Examined): Promise<Finding>;
}

export const well = (says: string): Finding => ({ isWell: true, says });

export const ill = (says: string, remedy: string): Finding => ({ isWell: false, says, remedy });
