import type { ConnectorConfig } from '../../../schemas/connector.ts';
import type { IdentityProviderChoice } from '../idp/index.ts';
import type { OutboundProxy } from '../outbound/proxy.ts';
import type { DatabaseChoice } from '../store/connect/index.ts';
import type { Inspection } from '../store/database.ts';
import type { SharingSeen } from '../store/hold/membership.ts';
import type { InstallationClaim } from '../store/installation.ts';

/** Input of the checks. */
export interface Examined {
  config: ConnectorConfig;
  database: DatabaseChoice;
  /** Looks into the database, once for all checks. @throws StartError when it can't be used */
  inspection(): Promise<Inspection>;
  /** Lists the processes on the database, once for all checks. @throws StartError when it can't be opened */
  sharing(): Promise<SharingSeen>;
  identityProvider: IdentityProviderChoice;
  /** Keys and base URL that the database must belong to. @throws StartError if the keys can't be read */
  own(): InstallationClaim;
  /** Whether the database may be written: root must not write where another account may have put links. */
  mayWrite: boolean;
  /** Proxy for requests to the Internet. */
  proxy: OutboundProxy | undefined;
  /** Wall clock, milliseconds since 1970. */
  now: () => number;
}

/** The result of a check, in one line; for a failure it says what to do. */
export type Finding = { isOk: true; says: string } | { isOk: false; says: string; remedy: string };

export interface Check {
  /** The subject of the check, in two or three words. */
  name: string;
  examine(examined: Examined): Promise<Finding>;
}

export const ok = (says: string): Finding => ({ isOk: true, says });

export const problem = (says: string, remedy: string): Finding => ({ isOk: false, says, remedy });
