import { installUnits as installService } from '../../kernel/systemd/install-command.ts';
import { type Tell, uninstall } from '../../kernel/systemd/installation.ts';
import { AGENT_UNITS, type AgentInstallOptions, agentInstallation, PROGRAM } from './installation.ts';

/** Makes the agent a service and waits until it answers. @throws StartError, ConfigError */
export async function installUnits(options: AgentInstallOptions & { isDryRun: boolean }, tell: Tell): Promise<number> {
  return installService(PROGRAM, await agentInstallation(options), options.isDryRun, tell);
}

export function uninstallUnits({ isDryRun }: { isDryRun: boolean }, tell: Tell): number {
  uninstall(PROGRAM, AGENT_UNITS, isDryRun, tell);
  return 0;
}
