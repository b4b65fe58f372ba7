import { installUnits as installService } from '../../kernel/systemd/install-command.ts';
import { type Print, uninstall } from '../../kernel/systemd/installation.ts';
import { withUnitLock } from '../../kernel/systemd/unit-lock.ts';
import { AGENT_UNITS, type AgentInstallOptions, agentInstallation, PROGRAM } from './installation.ts';

/** Makes the agent a service and waits until it answers. @throws StartError, ConfigError */
export async function installUnits(
  options: AgentInstallOptions & { isDryRun: boolean },
  print: Print,
): Promise<number> {
  const work = async () => installService(PROGRAM, await agentInstallation(options), options.isDryRun, print);
  return options.isDryRun ? work() : withUnitLock(PROGRAM, print, work);
}

/** Stops and removes the units that `install-units` has written. @throws StartError */
export async function uninstallUnits({ isDryRun }: { isDryRun: boolean }, print: Print): Promise<number> {
  const work = () => uninstall(PROGRAM, AGENT_UNITS, isDryRun, print);
  await (isDryRun ? work() : withUnitLock(PROGRAM, print, work));
  return 0;
}
