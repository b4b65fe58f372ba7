import { EXIT_CONFIG, StartError } from '../errors.ts';
import { firstAnswer, type Listen } from './first-answer.ts';
import {
  describeInstallation,
  describePreparation,
  type Installation,
  install,
  type Print,
  prepare,
} from './installation.ts';

/** A program's service, and the checks before and after its start. */
export interface ServiceInstallation extends Installation {
  /** Why the service could not start with its files where they are now; undefined if it can. */
  obstacle: string | undefined;
  /** Steps for a person before the service can start, as lines; if there are any, it is not started. */
  firstSteps?: readonly string[];
  /** Checks that the files of the machine's owner are there. @throws StartError */
  requireReady?: () => void;
  listen: Listen;
  /** Notes about a service that answers, one per line. @param noted notes of the check of its start */
  notes: (noted: readonly string[]) => readonly string[];
}

/**
 * Makes a program a service, starts it and waits until it answers; a dry run only prints these steps.
 * @returns the exit status: 0 it answers, 78 the configuration has to be filled in
 * @throws StartError
 */
export async function installUnits(
  program: string,
  installation: ServiceInstallation,
  isDryRun: boolean,
  print: Print,
): Promise<number> {
  const { obstacle, firstSteps, requireReady, listen, notes } = installation;
  if (isDryRun) {
    describePreparation(program, installation, print);
    if (firstSteps !== undefined) print(`would then say:\n${firstSteps.map((line) => `  ${line}`).join('\n')}`);
    describeInstallation(program, installation, print);
    if (obstacle !== undefined) print(`would refuse to do so from here: ${obstacle}`);
    return 0;
  }
  if (obstacle !== undefined) throw new StartError(`install-units: ${obstacle}`);
  prepare(program, installation, print);
  if (firstSteps !== undefined) {
    for (const line of firstSteps) print(line);
    return EXIT_CONFIG;
  }
  requireReady?.();
  const noted = await install(program, installation, print);
  const answer = await firstAnswer(program, listen);
  const where = listen.unix === undefined ? `on ${listen.address} port ${listen.port}` : `at ${listen.unix}`;
  if (answer === 'serves') print(`${program} answers ${where}`);
  else print(`${program} waits ${where} as a standby: another process serves, and this one takes over when it ends`);
  for (const line of notes(noted)) print(line);
  return 0;
}
