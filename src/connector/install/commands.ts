import { installUnits as installService } from '../../kernel/systemd/install-command.ts';
import { type Tell, uninstall } from '../../kernel/systemd/installation.ts';
import { CONNECTOR_UNITS, type ConnectorInstallOptions, connectorInstallation, PROGRAM } from './installation.ts';

/** Makes the connector a service and waits until it answers. @throws StartError, ConfigError */
export async function installUnits(
  options: ConnectorInstallOptions & { isDryRun: boolean },
  tell: Tell,
): Promise<number> {
  return installService(PROGRAM, await connectorInstallation(options), options.isDryRun, tell);
}

export function uninstallUnits({ isDryRun }: { isDryRun: boolean }, tell: Tell): number {
  uninstall(PROGRAM, CONNECTOR_UNITS, isDryRun, tell);
  return 0;
}
