import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { EXIT_CONFIG, messageOf, StartError, systemCodeOf } from '../errors.ts';
import { HELD_PORTS_VARIABLE, START_MARKS } from '../start-check.ts';
import { heldPorts } from './held-ports.ts';
import { holdSignals } from './hold-signals.ts';
import { complaintOf, runCommand, spelled, succeeds } from './run-command.ts';

/** The check of a service before it is enabled. */
export interface StartTrial {
  /** The unit whose account and rights the check gets. */
  unit: string;
  /** The command line of the check, as units write it. */
  command: string;
}

/** Directory of units that disappear at the next boot. @see systemd.unit(5) */
const RUNTIME_DIRECTORY = '/run/systemd/system';
const OWNERS_DIRECTORY = '/etc/systemd/system';

/** Deadline of the whole check, more than all deadlines inside it. */
const TRIAL_DEADLINE_MS = 150_000;
const SECOND_MS = 1_000;

/** Explicit modes, because root's umask may let everybody write: a drop-in decides about the account of a unit. */
const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;

/** Sorts after each drop-in of the machine's owner, because systemd reads them in the order of their names. */
const LAST_DROP_IN = 'zzzz-check.conf';

/**
 * Runs the check of a service as the account of its unit, with its rights, its secrets and the drop-ins of the machine's owner.
 * The unit itself is not touched, and may run meanwhile. The accounts it names must be there. A signal ends the process
 * when the check is removed; from a terminal it ends the check, too.
 * @param text of the unit
 * @returns notes of the check about a service that can start
 * @throws StartError that says why the service could not start
 */
export function tryStart(program: string, trial: StartTrial, text: string): Promise<string[]> {
  return holdSignals(() => tried(program, trial, text));
}

function tried(program: string, { unit, command }: StartTrial, text: string): string[] {
  const name = trialUnit(unit);
  // Only root may write to /run, so the name need not be a secret, and a check that was killed leaves one folder at most.
  const folder = `/run/${name}`;
  const output = `${folder}/output`;
  const path = `${RUNTIME_DIRECTORY}/${name}`;
  const remove = (): void => {
    for (const made of [path, `${path}.d`, folder]) rmSync(made, { recursive: true, force: true });
  };
  try {
    remove();
    try {
      mkdirSync(folder, { mode: 0o700 });
      mkdirSync(`${path}.d`, { mode: FOLDER_MODE });
      writeFileSync(path, serviceSection(unit, text), { mode: FILE_MODE });
      for (const dropIn of dropInsOf(unit)) {
        symlinkSync(`${OWNERS_DIRECTORY}/${unit}.d/${dropIn}`, `${path}.d/${dropIn}`);
      }
      writeFileSync(`${path}.d/${LAST_DROP_IN}`, trialDropIn(command, output, heldPorts(unit)), {
        mode: FILE_MODE,
      });
    } catch (error) {
      throw unwritten(error);
    }
    runCommand(['systemctl', 'daemon-reload']);
    const complaint = complaintOf(['systemctl', 'start', name], { deadlineMs: TRIAL_DEADLINE_MS });
    const lines = textOf(output).split('\n');
    if (complaint !== undefined) throw failure(program, name, lines, complaint);
    return lines.filter((line) => line.startsWith(START_MARKS.noted)).map(withoutMark);
  } finally {
    // These may fail: a unit that systemd refused to start has no state to reset.
    succeeds(['systemctl', 'stop', name]);
    succeeds(['systemctl', 'reset-failed', name]);
    remove();
    runCommand(['systemctl', 'daemon-reload']);
  }
}

/** Error of a check that could not be written, as where /run is full. */
function unwritten(error: unknown): unknown {
  if (error instanceof StartError || systemCodeOf(error) === undefined) return error;
  return new StartError(`could not write the check of the start, so its units were not changed: ${messageOf(error)}`, {
    cause: error,
  });
}

const trialUnit = (unit: string): string => unit.replace(/\.service$/, '-check.service');

/**
 * The unit's section Service alone, so without its order among other units, with the account that systemd would make
 * for the unit.
 */
function serviceSection(unit: string, text: string): string {
  const [, section = ''] = /^\[Service\]\n((?:[^[].*\n|\n)*)/m.exec(text) ?? [];
  const isDynamic = /^DynamicUser=(?:yes|true)$/m.test(section) && !/^User=/m.test(section);
  return `[Service]\n${isDynamic ? `User=${unit.replace(/\.service$/, '')}\n` : ''}${section}`;
}

function dropInsOf(unit: string): string[] {
  try {
    return readdirSync(`${OWNERS_DIRECTORY}/${unit}.d`).filter((name) => name.endsWith('.conf'));
  } catch {
    // Most units have no drop-ins.
    return [];
  }
}

function trialDropIn(command: string, output: string, held: readonly number[]): string {
  return [
    '[Unit]',
    'DefaultDependencies=no',
    '[Service]',
    'Type=oneshot',
    'NotifyAccess=none',
    'Restart=no',
    'RestartForceExitStatus=',
    'ExecStartPre=',
    'ExecStart=',
    `ExecStart=${command}`,
    'ExecStartPost=',
    'ExecStopPost=',
    `TimeoutStartSec=${TRIAL_DEADLINE_MS / SECOND_MS - 10}`,
    `StandardOutput=file:${output}`,
    'StandardError=inherit',
    `Environment=${HELD_PORTS_VARIABLE}=${held.join(',')}`,
    '',
  ].join('\n');
}

/**
 * The error with the problems that the check found; else with all that it printed, or the reason of systemd.
 * @param complaint of systemctl, which is used only if systemd did not run the check
 */
function failure(program: string, name: string, lines: readonly string[], complaint: string): StartError {
  const found = lines.filter((line) => line.startsWith(START_MARKS.wrong)).map(withoutMark);
  const printed = found.length > 0 ? found : lines.map((line) => line.trim()).filter((line) => line !== '');
  const properties = runCommand(['systemctl', 'show', '--property=Result,ExecMainStatus', name]).trim();
  const wasRun = !properties.includes('Result=success');
  const unsaid = wasRun ? `${spelled(['systemctl', 'start', name])}: ${properties.replace('\n', ' ')}` : complaint;
  const reasons = printed.length > 0 ? printed : [unsaid];
  const isConfiguration =
    properties.includes(`ExecMainStatus=${EXIT_CONFIG}\n`) || properties.endsWith(`=${EXIT_CONFIG}`);
  const what = reasons.join('; ').replaceAll(new RegExp(`(^|; )${program}: `, 'g'), '$1');
  return new StartError(`it could not start here, so its units were not changed: ${what}`, {
    exitStatus: isConfiguration ? EXIT_CONFIG : 1,
  });
}

/** Subject and text of a line; the text may already begin with the subject. */
function withoutMark(line: string): string {
  const [, subject = '', words = ''] = /^(.*?) {2,}(.*)$/.exec(line.slice(START_MARKS.wrong.length)) ?? [];
  return words.startsWith(subject) ? words : `${subject}: ${words}`;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // systemd did not run the check, so there is no file.
    return '';
  }
}
