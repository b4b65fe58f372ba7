import { request } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentConfig } from '../../../schemas/agent.ts';
import { StartError } from '../../kernel/errors.ts';
import { describeInstallation, install, uninstall } from '../../kernel/systemd/installation.ts';
import { AGENT_UNITS, type AgentInstallOptions, agentInstallation, tokenPath } from './installation.ts';

const PROGRAM = 'homeport-agent';

/** From a started service to its first answer: a busy machine needs a second. */
const ANSWERS_WITHIN_MS = 10_000;
const RETRY_MS = 100;

type Tell = (line: string) => void;

/** Makes the agent a service and waits until it answers. @throws StartError, ConfigError */
export async function installUnits(
  options: AgentInstallOptions & { isDryRun: boolean },
  tell: Tell,
): Promise<undefined | number> {
  const installation = agentInstallation(options);
  const { obstacle } = installation;
  if (options.isDryRun) {
    describeInstallation(PROGRAM, installation, tell);
    if (obstacle !== undefined) tell(`would refuse to do so from here: ${obstacle}`);
    return 0;
  }
  if (obstacle !== undefined) throw new StartError(`install-units: ${obstacle}`);
  install(PROGRAM, installation, tell);
  await answering(installation.config);
  tell(`${PROGRAM} answers ${placeOf(installation.config)}; its token is in ${tokenPath(resolve(options.configFile))}`);
  return 0;
}

export function uninstallUnits({ isDryRun }: { isDryRun: boolean }, tell: Tell): number {
  uninstall(PROGRAM, AGENT_UNITS, isDryRun, tell);
  return 0;
}

function placeOf({ agent: { listen } }: AgentConfig): string {
  return listen.unix === undefined ? `on ${listen.address} port ${listen.port}` : `at ${listen.unix}`;
}

/** @throws StartError */
async function answering(config: AgentConfig): Promise<void> {
  const end = performance.now() + ANSWERS_WITHIN_MS;
  while (!(await isHealthy(config))) {
    if (performance.now() > end) {
      throw new StartError(`${PROGRAM} was started and does not answer: journalctl --unit ${PROGRAM} says why`);
    }
    await delay(RETRY_MS);
  }
}

function isHealthy({ agent: { listen } }: AgentConfig): Promise<boolean> {
  const health = Promise.withResolvers<boolean>();
  const where = listen.unix === undefined ? { host: listen.address, port: listen.port } : { socketPath: listen.unix };
  request({ ...where, path: '/healthz', signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }, (response) => {
    response.resume();
    health.resolve(response.statusCode === 200);
  })
    .on('error', () => health.resolve(false))
    .end();
  return health.promise;
}
