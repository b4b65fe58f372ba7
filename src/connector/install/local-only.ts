import type { ConnectorConfig } from '../../../schemas/connector.ts';
import { EXIT_CONFIG, StartError } from '../../kernel/errors.ts';

/** Directory below which systemd makes the service's writable directory. */
export const STATE_ROOT = '/var/lib/';

/** First port that a service without capabilities may listen on. */
const FREE_PORTS_FROM = 1_024;

/**
 * Refuses settings that the program accepts but its hardened service can't use, as the NixOS module does.
 * @throws StartError
 */
export function localOnly(config: ConnectorConfig): void {
  const { stateDirectory, database, listen, metricsListen } = config;
  const below = stateDirectory.slice(STATE_ROOT.length);
  if (
    !stateDirectory.startsWith(STATE_ROOT) ||
    !/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/.test(below)
  ) {
    refuse('stateDirectory', stateDirectory, `a directory below ${STATE_ROOT}, of letters, digits, dots and hyphens`);
  }
  const file = 'sqlite' in database ? database.sqlite.file : undefined;
  if (file !== undefined && !file.startsWith(`${stateDirectory}/`)) {
    refuse('database.sqlite.file', file, `a file below stateDirectory (${stateDirectory})`);
  }
  const ports = { 'listen.port': listen.port, 'metricsListen.port': metricsListen?.port ?? FREE_PORTS_FROM };
  for (const [option, port] of Object.entries(ports)) {
    if (port < FREE_PORTS_FROM) refuse(option, String(port), `a port from ${FREE_PORTS_FROM} on`);
  }
}

function refuse(option: string, received: string, wanted: string): never {
  throw new StartError(`${option}: the service could not use ${received}: set it to ${wanted}`, {
    exitStatus: EXIT_CONFIG,
  });
}
