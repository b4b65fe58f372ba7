import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { EXIT_CONFIG, StartError } from '../errors.ts';
import {
  describeInstallation,
  describePreparation,
  type Installation,
  install,
  prepare,
  type Tell,
} from './installation.ts';

/** From a service that listens to its first answer: a busy machine needs a second, an emulated one many. */
const ANSWERS_WITHIN_MS = 60_000;
const RETRY_MS = 100;

/** A program's service, and how to know that it is well. */
export interface ServiceInstallation extends Installation {
  /** What would keep the service from starting where its files are now. */
  obstacle: string | undefined;
  /** What a person has to fill in first: the service is not started before. */
  firstSteps?: readonly string[];
  /** Looks for what the machine's owner has to bring. @throws StartError */
  requireReady?: () => void;
  listen: { address: string; port: number; unix?: string | undefined };
  /** What is worth knowing of a service that answers, a line each. */
  notes: () => readonly string[];
}

/**
 * Makes a program a service, starts it and waits until it answers; or says what it would do.
 * @returns the exit status: 0 it answers, 78 the configuration has to be filled in
 * @throws StartError
 */
export async function installUnits(
  program: string,
  installation: ServiceInstallation,
  isDryRun: boolean,
  tell: Tell,
): Promise<number> {
  const { obstacle, firstSteps, requireReady, listen, notes } = installation;
  if (isDryRun) {
    describePreparation(program, installation, tell);
    if (firstSteps !== undefined) tell(`would then say:\n${firstSteps.map((line) => `  ${line}`).join('\n')}`);
    describeInstallation(program, installation, tell);
    if (obstacle !== undefined) tell(`would refuse to do so from here: ${obstacle}`);
    return 0;
  }
  if (obstacle !== undefined) throw new StartError(`install-units: ${obstacle}`);
  prepare(program, installation, tell);
  if (firstSteps !== undefined) {
    for (const line of firstSteps) tell(line);
    return EXIT_CONFIG;
  }
  requireReady?.();
  install(program, installation, tell);
  await answering(program, listen);
  tell(
    `${program} answers ${listen.unix === undefined ? `on ${listen.address} port ${listen.port}` : `at ${listen.unix}`}`,
  );
  for (const line of notes()) tell(line);
  return 0;
}

/** @throws StartError */
async function answering(program: string, listen: ServiceInstallation['listen']): Promise<void> {
  const end = performance.now() + ANSWERS_WITHIN_MS;
  while (!(await isHealthy(listen))) {
    if (performance.now() > end) {
      throw new StartError(`${program} was started and does not answer: journalctl --unit ${program} says why`);
    }
    await delay(RETRY_MS);
  }
}

function isHealthy({ address, port, unix }: ServiceInstallation['listen']): Promise<boolean> {
  const health = Promise.withResolvers<boolean>();
  const where = unix === undefined ? { host: address, port } : { socketPath: unix };
  request({ ...where, path: '/healthz', signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }, (response) => {
    response.resume();
    health.resolve(response.statusCode === 200);
  })
    .on('error', () => health.resolve(false))
    .end();
  return health.promise;
}
