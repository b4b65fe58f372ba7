import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { messageOf, StartError, systemCodeOf } from '../errors.ts';
import { VERSION } from '../version.ts';
import { isKnown } from './accounts.ts';
import {
  type FirstFile,
  makePrivateFolder,
  removeUnfinished,
  type StagedFile,
  stageFile,
  writeFirstFile,
} from './first-files.ts';
import { holdSignals } from './hold-signals.ts';
import { type RunOptions, runCommand, spelled, succeeds } from './run-command.ts';
import { type StartTrial, tryStart } from './start-trial.ts';

/** Directory of an administrator's own units. @see systemd.unit(5) */
const UNIT_DIRECTORY = '/etc/systemd/system';

/** Hexadecimal digits of the hash of the watched files; enough to distinguish states. */
const STATE_DIGITS = 16;

/**
 * Deadline of a start, long because the connector may migrate a large database; systemd itself ends a slow start of the
 * agent.
 */
const START_DEADLINE_MS = 3_600_000;

/** A signal of the terminal ends no command between the stop of a service and its start. */
const SHIELDED: RunOptions = { isShielded: true };

/** Files, units and accounts that make a program a service of a machine with systemd. */
export interface Installation {
  /** Name of the unit -> its text. */
  units: Readonly<Record<string, string>>;
  /**
   * Names of all units that the program can have; those of an earlier installation that are not in `units` are removed.
   */
  known: readonly string[];
  firstFiles: readonly FirstFile[];
  /** Folder of secrets that root alone may enter. */
  privateFolder?: string;
  /** Files other than units whose change restarts the service: configuration, secrets, program. */
  watched: readonly string[];
  /** Accounts and groups that must be there, as lines of sysusers.d(5). */
  accounts: readonly string[];
  /** Units to start now and at each boot. */
  started: readonly string[];
  /** Check before the units are enabled whether the service can start. */
  trial: StartTrial;
}

/** Prints one line about a step. */
export type Print = (line: string) => void;

const mark = (program: string): string => `# Written by "${program} install-units", removed by uninstall-units.\n`;

const unitPath = (unit: string): string => `${UNIT_DIRECTORY}/${unit}`;

/** Writes the files of the machine's owner that are not there yet. @throws StartError */
export function prepare(program: string, installation: Installation, print: Print): void {
  requireSystemd('install-units');
  for (const unit of Object.keys(installation.units)) requireOwn(program, unit);
  requireOnly(program, installation);
  const { privateFolder, firstFiles } = installation;
  if (privateFolder !== undefined && makePrivateFolder(privateFolder)) print(`made ${privateFolder}, for root alone`);
  for (const file of firstFiles) {
    const note = file.isSecret ? ', readable by root alone' : '';
    print(writeFirstFile(file) ? `wrote ${file.path}${note}` : `kept ${file.path}`);
  }
}

/**
 * Writes the units, starts them (or restarts them after a change) and enables them, unless the service could not start
 * here. A running service goes on until its own check has succeeded and its new units are on the disk, complete, beside
 * their places; then it is stopped. If the installation is
 * interrupted before its last step, the next run finds units that are not active or not enabled, and does everything
 * again.
 * @returns the notes of the check, one per line
 * @throws StartError
 */
export async function install(program: string, installation: Installation, print: Print): Promise<string[]> {
  const files = unitFiles(program, installation);
  const left = leftOver(program, installation);
  for (const { path } of files) removeUnfinished(path);
  if (left.length === 0 && files.every(({ path, text }) => textOf(path) === text) && isUp(installation)) {
    print(`nothing to do: ${Object.keys(installation.units).join(', ')} as wanted, enabled and active`);
    return [];
  }
  const running = Object.keys(installation.units).filter(isRunning);
  const isStopped = running.length > 0 && !areKnown(installation.accounts);
  if (isStopped) run(stopping(running), print);
  run(makingAccounts(installation), print);
  const notes = await tried(program, installation, isStopped ? running : []);
  print(`checked as the service's account: it can start`);
  const staged = stageAll(files);
  try {
    await replaceUnits({ staged, left, running, isStopped }, installation, print);
  } finally {
    for (const { discard } of staged) discard();
  }
  start(installation, print);
  run(enabling(installation), print);
  return notes;
}

/** Change of units from the state of a machine to the wanted one. */
interface Replacement {
  staged: readonly StagedFile[];
  /** Units that are no longer wanted. */
  left: readonly string[];
  /** Units that ran at the beginning. */
  running: readonly string[];
  /** They have been stopped. */
  isStopped: boolean;
}

/**
 * Stops the service and puts its new units into their places. However this ends, a service that ran is started again:
 * signals, such as that of a closed terminal, wait until then.
 * @throws StartError
 */
async function replaceUnits(
  { staged, left, running, isStopped }: Replacement,
  { started }: Installation,
  print: Print,
): Promise<void> {
  const startAgain = (units: readonly string[]): string => {
    if (running.length === 0) return '';
    const isBegun = succeeds(['systemctl', 'start', '--no-block', ...units], SHIELDED);
    return isBegun ? `${running.join(', ')} was started again` : `${running.join(', ')} could not be started again`;
  };
  const work = (): void => {
    try {
      if (running.length > 0 && !isStopped) run(stopping(running), print);
      if (left.length > 0) remove(left, print);
      for (const { path, put } of staged) {
        put();
        print(`wrote ${path}`);
      }
      run(['systemctl', 'daemon-reload'], print);
    } catch (error) {
      if (running.length === 0) throw error;
      throw new StartError(`${messageOf(error)}; ${startAgain(running)}`, { cause: error });
    }
  };
  await holdSignals(work, () => {
    const done = startAgain(started);
    print(`interrupted${done === '' ? '' : `, and ${done}`}: run install-units again`);
  });
}

/** Writes all files beside their places: all, or none if there is no room for one. @throws StartError */
function stageAll(files: readonly { path: string; text: string }[]): StagedFile[] {
  const staged: StagedFile[] = [];
  try {
    for (const { path, text } of files) staged.push(stageFile(path, text, 0o644));
    return staged;
  } catch (error) {
    for (const { discard } of staged) discard();
    throw error;
  }
}

/** @param stopped units that ran before @throws StartError */
async function tried(program: string, { trial, units }: Installation, stopped: readonly string[]): Promise<string[]> {
  try {
    return await tryStart(program, trial, units[trial.unit] ?? '');
  } catch (error) {
    if (stopped.length === 0 || !(error instanceof StartError)) throw error;
    throw new StartError(`${error.message}; ${stopped.join(', ')} had to be stopped for a new account, and stays so`, {
      cause: error,
      exitStatus: error.exitStatus,
    });
  }
}

/** Prints the steps of `prepare`. @throws StartError */
export function describePreparation(
  program: string,
  { units, privateFolder, firstFiles }: Installation,
  print: Print,
): void {
  for (const unit of Object.keys(units)) requireOwn(program, unit);
  requireOnly(program, { units });
  if (privateFolder !== undefined && !existsSync(privateFolder)) print(`would make ${privateFolder}, for root alone`);
  for (const { path, text, isSecret } of firstFiles) {
    if (existsSync(path)) print(`would keep ${path}`);
    else print(`would write ${path}${isSecret ? ', readable by root alone' : `:\n${indented(text)}`}`);
  }
}

/** Prints the steps of `install` on a machine without the service. @throws StartError */
export function describeInstallation(program: string, installation: Installation, print: Print): void {
  print(`would run ${spelled(makingAccounts(installation))}`);
  print(`would run as the service's account, and go on only where it can start: ${installation.trial.command}`);
  print(`would run ${spelled(stopping(Object.keys(installation.units)))}, for those that run`);
  for (const unit of leftOver(program, installation)) print(`would remove ${unitPath(unit)}`);
  for (const { path, text } of unitFiles(program, installation)) print(`would write ${path}:\n${indented(text)}`);
  const commands = [['systemctl', 'daemon-reload'], starting(installation), enabling(installation)];
  for (const command of commands) print(`would run ${spelled(command)}`);
}

/** Stops and removes those of these units that this program has written. @throws StartError */
export function uninstall(program: string, units: readonly string[], isDryRun: boolean, print: Print): void {
  if (!isDryRun) requireSystemd('uninstall-units');
  const own = units.filter((unit) => isOwn(program, unit));
  if (own.length === 0) print(`no unit below ${UNIT_DIRECTORY} was written by ${program} install-units`);
  else if (isDryRun) for (const unit of own) print(`would stop and remove ${unitPath(unit)}`);
  else remove(own, print);
}

function unitFiles(program: string, { units, watched }: Installation): { path: string; text: string }[] {
  const head = `${mark(program)}# Started anew by install-units once configuration, secrets or program differ from ${stateOf(watched)}.\n`;
  return Object.entries(units).map(([unit, text]) => ({ path: unitPath(unit), text: `${head}${text}` }));
}

/**
 * Hash of the version and of the files' times and sizes. It does not hash the content of secrets, because every account
 * can read the unit.
 */
function stateOf(watched: readonly string[]): string {
  const facts = watched.map((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return [path, found?.mtimeMs, found?.size];
  });
  return createHash('sha256')
    .update(JSON.stringify([VERSION, facts]))
    .digest('hex')
    .slice(0, STATE_DIGITS);
}

function isUp({ accounts, started }: Installation): boolean {
  return areKnown(accounts) && started.every((unit) => isEnabled(unit) && is('active', unit));
}

const is = (what: 'enabled' | 'active' | 'failed', unit: string): boolean =>
  succeeds(['systemctl', '--quiet', `is-${what}`, unit]);

const isEnabled = (unit: string): boolean => is('enabled', unit);

function areKnown(accounts: Installation['accounts']): boolean {
  return accounts.every((line) => {
    const [kind, name = ''] = line.split(' ');
    return isKnown(kind === 'g' ? 'group' : 'passwd', name);
  });
}

function leftOver(program: string, { known, units }: Installation): string[] {
  return known.filter((unit) => !Object.hasOwn(units, unit) && isOwn(program, unit));
}

function isOwn(program: string, unit: string): boolean {
  return textOf(unitPath(unit))?.startsWith(mark(program)) === true;
}

function remove(units: readonly string[], print: Print): void {
  run(['systemctl', 'disable', '--now', ...units], print);
  for (const unit of units) {
    rmSync(unitPath(unit), { force: true });
    removeUnfinished(unitPath(unit));
    print(`removed ${unitPath(unit)}`);
  }
  run(['systemctl', 'daemon-reload'], print);
  // A unit that had failed would be listed as failed until the next boot. systemd refuses one that had not.
  for (const unit of units) succeeds(['systemctl', 'reset-failed', unit]);
}

/** The command that makes the accounts; it leaves existing ones unchanged. */
const makingAccounts = ({ accounts }: Installation): string[] => ['systemd-sysusers', '--inline', ...accounts];

const starting = ({ started }: Installation): string[] => ['systemctl', 'start', ...started];

const enabling = ({ started }: Installation): string[] => ['systemctl', 'enable', ...started];

/**
 * Starts the services, and returns when they listen. If one fails, those that were not enabled before are stopped:
 * systemd would try them again for ever.
 * @throws StartError with the reason that a service gave
 */
function start(installation: Installation, print: Print): void {
  const command = starting(installation);
  const fresh = installation.started.filter((unit) => !isEnabled(unit));
  try {
    runCommand(command, { deadlineMs: START_DEADLINE_MS });
  } catch (error) {
    const failed = installation.started.filter((unit) => !is('active', unit));
    // systemd did not try any of them, so only systemctl knows why.
    if (!failed.some(isRunning) && !failed.some((unit) => is('failed', unit))) throw error;
    const reasons = failed.map((unit) => {
      const reason = runCommand(['systemctl', 'show', '--property=StatusText', '--value', unit]).trim();
      return reason === '' ? `journalctl --unit ${unit} says why` : `${unit} says: ${reason}`;
    });
    if (fresh.length > 0) succeeds(stopping(fresh));
    const outcome = fresh.length === 0 ? 'systemd goes on trying' : 'stopped, and not enabled';
    throw new StartError(`${failed.join(', ')} did not start (${outcome}): ${reasons.join('; ')}`, { cause: error });
  }
  print(`ran ${spelled(command)}`);
}

/**
 * The command that stops units. It runs before the accounts are made: while a service runs as a dynamic account,
 * systemd-sysusers takes that account for a permanent one. Sockets are stopped with their services, because a socket
 * cannot be started while its service runs.
 */
function stopping(units: readonly string[]): string[] {
  return ['systemctl', 'stop', ...units];
}

/** Whether a unit must be stopped. One that cannot be loaded is inactive, and systemd would refuse to stop it. */
function isRunning(unit: string): boolean {
  const state = runCommand(['systemctl', 'show', '--property=ActiveState', '--value', unit]).trim();
  return state !== 'inactive' && state !== 'failed';
}

function run(command: readonly string[], print: Print): void {
  runCommand(command, SHIELDED);
  print(`ran ${spelled(command)}`);
}

/** Refuses a command on machines where only a dry run makes sense. @throws StartError */
export function requireSystemd(command: string): void {
  if (existsSync('/etc/NIXOS')) throw new StartError(`${command}: NixOS makes units by its modules: services.homeport`);
  if (!existsSync('/run/systemd/system')) {
    throw new StartError(`${command}: systemd did not start this machine: --dry-run shows the units it would get`);
  }
  if (process.getuid?.() !== 0) {
    throw new StartError(`${command}: only root may change ${UNIT_DIRECTORY}: use sudo; --dry-run needs no rights`);
  }
}

/** Refuses to replace a unit that another author wrote. */
function requireOwn(program: string, unit: string): void {
  const text = textOf(unitPath(unit));
  if (text === undefined || text.startsWith(mark(program))) return;
  throw new StartError(`${unitPath(unit)} was not written by install-units: remove it, or change it by hand`);
}

/** Refuses a second configuration, which would silently replace the first. */
function requireOnly(program: string, { units }: Pick<Installation, 'units'>): void {
  for (const [unit, text] of Object.entries(units)) {
    const [installed, wanted] = [configOf(textOf(unitPath(unit))), configOf(text)];
    if (installed === undefined || wanted === undefined || installed === wanted) continue;
    throw new StartError(
      `${unit} runs with --config ${installed} on this machine, and there can be one ${program} only: run a second one in a container or a virtual machine, or run uninstall-units first`,
    );
  }
}

/** The configuration that the command of a unit names, as it is spelled there. */
function configOf(unit: string | undefined): string | undefined {
  return /^ExecStart=.* run --config (.+)$/m.exec(unit ?? '')?.[1];
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw new StartError(`could not read ${path}: ${messageOf(error)}`, { cause: error });
  }
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^(?=.)/gm, '  ');
}
