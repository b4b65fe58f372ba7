import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { messageOf, StartError, systemCodeOf } from '../errors.ts';
import { VERSION } from '../version.ts';
import { isKnown } from './accounts.ts';
import { type FirstFile, makePrivateFolder, replaceFile, writeFirstFile } from './first-files.ts';
import { runCommand, spelled, succeeds } from './run-command.ts';

/** Where an administrator's own units are. @see systemd.unit(5) */
const UNIT_DIRECTORY = '/etc/systemd/system';

/** Digits that tell one state from the next. */
const STATE_DIGITS = 16;

/** systemd itself ends a start of the agent that takes too long; the connector may bring a large database up to date. */
const START_DEADLINE_MS = 3_600_000;

/** What makes a program a service of a machine with systemd. */
export interface Installation {
  /** Name of the unit -> its text. */
  units: Readonly<Record<string, string>>;
  /** Names of all units the program can have: those of an earlier installation that are not wanted now are removed. */
  known: readonly string[];
  firstFiles: readonly FirstFile[];
  /** Folder of secrets that root alone may enter. */
  privateFolder?: string;
  /** Files beside the units whose change has the service started anew: configuration, secrets, program. */
  watched: readonly string[];
  /** Accounts and groups that must be there, as lines of sysusers.d(5). */
  accounts: readonly string[];
  /** Units to start now and at each boot. */
  started: readonly string[];
}

/** Tells what is done, a line each. */
export type Tell = (line: string) => void;

const mark = (program: string): string => `# Written by "${program} install-units", removed by uninstall-units.\n`;

const unitPath = (unit: string): string => `${UNIT_DIRECTORY}/${unit}`;

/** Writes the files of the machine's owner that are not there yet. @throws StartError */
export function prepare(program: string, installation: Installation, tell: Tell): void {
  requireSystemd('install-units');
  for (const unit of Object.keys(installation.units)) requireOwn(program, unit);
  requireOnly(program, installation);
  const { privateFolder, firstFiles } = installation;
  if (privateFolder !== undefined && makePrivateFolder(privateFolder)) tell(`made ${privateFolder}, for root alone`);
  for (const file of firstFiles) {
    const note = file.isSecret ? ', readable by root alone' : '';
    tell(writeFirstFile(file) ? `wrote ${file.path}${note}` : `kept ${file.path}`);
  }
}

/**
 * Writes the units and starts them, or anew where something changed. They are stopped first: whatever ends this before
 * the last step, the next run finds units that are not active, and does everything again.
 * @throws StartError
 */
export function install(program: string, installation: Installation, tell: Tell): void {
  const files = unitFiles(program, installation);
  const left = leftOver(program, installation);
  if (left.length === 0 && files.every(({ path, text }) => textOf(path) === text) && isUp(installation)) {
    tell(`nothing to do: ${Object.keys(installation.units).join(', ')} as wanted, enabled and active`);
    return;
  }
  const running = Object.keys(installation.units).filter(isRunning);
  if (running.length > 0) run(stopping(running), tell);
  if (left.length > 0) remove(left, tell);
  for (const { path, text } of files) {
    replaceFile(path, text, 0o644);
    tell(`wrote ${path}`);
  }
  for (const command of preparing(installation)) run(command, tell);
  start(installation, tell);
}

/** What `prepare` would do. @throws StartError */
export function describePreparation(
  program: string,
  { units, privateFolder, firstFiles }: Installation,
  tell: Tell,
): void {
  for (const unit of Object.keys(units)) requireOwn(program, unit);
  requireOnly(program, { units });
  if (privateFolder !== undefined && !existsSync(privateFolder)) tell(`would make ${privateFolder}, for root alone`);
  for (const { path, text, isSecret } of firstFiles) {
    if (existsSync(path)) tell(`would keep ${path}`);
    else tell(`would write ${path}${isSecret ? ', readable by root alone' : `:\n${indented(text)}`}`);
  }
}

/** What `install` would do where nothing is in place. @throws StartError */
export function describeInstallation(program: string, installation: Installation, tell: Tell): void {
  tell(`would run ${spelled(stopping(Object.keys(installation.units)))}, for those that run`);
  for (const unit of leftOver(program, installation)) tell(`would remove ${unitPath(unit)}`);
  for (const { path, text } of unitFiles(program, installation)) tell(`would write ${path}:\n${indented(text)}`);
  for (const command of [...preparing(installation), starting(installation)]) tell(`would run ${spelled(command)}`);
}

/** Stops and removes these units as far as they are of this program's making. @throws StartError */
export function uninstall(program: string, units: readonly string[], isDryRun: boolean, tell: Tell): void {
  if (!isDryRun) requireSystemd('uninstall-units');
  const own = units.filter((unit) => isOwn(program, unit));
  if (own.length === 0) tell(`no unit below ${UNIT_DIRECTORY} was written by ${program} install-units`);
  else if (isDryRun) for (const unit of own) tell(`would stop and remove ${unitPath(unit)}`);
  else remove(own, tell);
}

function unitFiles(program: string, { units, watched }: Installation): { path: string; text: string }[] {
  const head = `${mark(program)}# Started anew by install-units once configuration, secrets or program differ from ${stateOf(watched)}.\n`;
  return Object.entries(units).map(([unit, text]) => ({ path: unitPath(unit), text: `${head}${text}` }));
}

/** Secrets are told apart by when they were written: the unit can be read by everybody. */
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
  return (
    accounts.every((line) => {
      const [kind, name = ''] = line.split(' ');
      return isKnown(kind === 'g' ? 'group' : 'passwd', name);
    }) &&
    started.every((unit) => ['is-enabled', 'is-active'].every((verb) => succeeds(['systemctl', '--quiet', verb, unit])))
  );
}

function leftOver(program: string, { known, units }: Installation): string[] {
  return known.filter((unit) => !Object.hasOwn(units, unit) && isOwn(program, unit));
}

function isOwn(program: string, unit: string): boolean {
  return textOf(unitPath(unit))?.startsWith(mark(program)) === true;
}

function remove(units: readonly string[], tell: Tell): void {
  run(['systemctl', 'disable', '--now', ...units], tell);
  for (const unit of units) {
    rmSync(unitPath(unit), { force: true });
    tell(`removed ${unitPath(unit)}`);
  }
  run(['systemctl', 'daemon-reload'], tell);
}

function preparing({ accounts, started }: Installation): string[][] {
  return [
    ['systemd-sysusers', '--inline', ...accounts],
    ['systemctl', 'daemon-reload'],
    ['systemctl', 'enable', ...started],
  ];
}

const starting = ({ started }: Installation): string[] => ['systemctl', 'start', ...started];

/** Returns when the services listen. @throws StartError with the reason that a service gave */
function start(installation: Installation, tell: Tell): void {
  const command = starting(installation);
  try {
    runCommand(command, START_DEADLINE_MS);
  } catch (error) {
    const reasons = installation.started.flatMap((unit) => {
      const reason = runCommand(['systemctl', 'show', '--property=StatusText', '--value', unit]).trim();
      return reason === '' ? [] : [`${unit} says: ${reason}`];
    });
    if (reasons.length === 0) throw error;
    throw new StartError([messageOf(error).trimEnd(), ...reasons].join('\n'), { cause: error });
  }
  tell(`ran ${spelled(command)}`);
}

/**
 * Before the accounts are made: while a service runs as an account that systemd made for it, systemd-sysusers takes that
 * account for one of the machine's. Sockets with their services: a socket cannot be started while its service runs.
 */
function stopping(units: readonly string[]): string[] {
  return ['systemctl', 'stop', ...units];
}

/** Whether there is something to stop; one that cannot be loaded is inactive, and systemd would refuse to stop it. */
function isRunning(unit: string): boolean {
  const state = runCommand(['systemctl', 'show', '--property=ActiveState', '--value', unit]).trim();
  return state !== 'inactive' && state !== 'failed';
}

function run(command: readonly string[], tell: Tell): void {
  runCommand(command);
  tell(`ran ${spelled(command)}`);
}

function requireSystemd(command: string): void {
  if (existsSync('/etc/NIXOS')) throw new StartError(`${command}: NixOS makes units by its modules: services.homeport`);
  if (!existsSync('/run/systemd/system')) {
    throw new StartError(`${command}: systemd did not start this machine: --dry-run shows the units it would get`);
  }
  if (process.getuid?.() !== 0) {
    throw new StartError(`${command}: only root may change ${UNIT_DIRECTORY}: use sudo; --dry-run needs no rights`);
  }
}

/** A unit that somebody else wrote is not ours to replace. */
function requireOwn(program: string, unit: string): void {
  const text = textOf(unitPath(unit));
  if (text === undefined || text.startsWith(mark(program))) return;
  throw new StartError(`${unitPath(unit)} was not written by install-units: remove it, or change it by hand`);
}

/** A second configuration would silently take the place of the first. */
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
