import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, StartError, systemCodeOf } from '../errors.ts';

/** Where an administrator's own units are. @see systemd.unit(5) */
const UNIT_DIRECTORY = '/etc/systemd/system';

/** systemd starts and stops what it is asked to well within. */
const COMMAND_DEADLINE_MS = 60_000;

/** A file of the machine's owner. */
export interface FirstFile {
  path: string;
  text: string;
  /** Readable by root alone and never shown. */
  isSecret: boolean;
}

/** What makes a program a service of a machine with systemd. */
export interface Installation {
  /** Name of the unit -> its text; written anew each time. */
  units: Readonly<Record<string, string>>;
  /** Names of all units the program can have: those of an earlier installation that are not wanted now are removed. */
  known: readonly string[];
  /** Written where there is no such file, and never removed. */
  firstFiles: readonly FirstFile[];
  /** Accounts and groups that must be there, as lines of sysusers.d(5). */
  accounts: readonly string[];
  /** Units to start now and at each boot. */
  started: readonly string[];
}

/** Tells what is done, a line each. */
type Tell = (line: string) => void;

const mark = (program: string): string => `# Written by "${program} install-units", removed by uninstall-units.\n`;

const unitPath = (unit: string): string => `${UNIT_DIRECTORY}/${unit}`;

/** Makes the service and starts it, or anew; everything that is there already and not of its own making stays. @throws StartError */
export function install(program: string, installation: Installation, tell: Tell): void {
  requireSystemd('install-units');
  const units = Object.entries(installation.units);
  for (const [unit] of units) requireOwn(program, unit);
  const left = leftOver(program, installation);
  if (left.length > 0) remove(left, tell);
  for (const file of installation.firstFiles) writeFirst(file, tell);
  for (const [unit, text] of units) {
    write(unitPath(unit), `${mark(program)}${text}`, 0o644);
    tell(`wrote ${unitPath(unit)}`);
  }
  for (const command of commandsOf(installation)) run(command, tell);
}

/** The same in words, without doing anything. @throws StartError */
export function describeInstallation(program: string, installation: Installation, tell: Tell): void {
  for (const unit of Object.keys(installation.units)) requireOwn(program, unit);
  for (const { path, text, isSecret } of installation.firstFiles) {
    if (existsSync(path)) tell(`would keep ${path}`);
    else tell(`would write ${path}${isSecret ? ', readable by root alone' : `:\n${indented(text)}`}`);
  }
  for (const [unit, text] of Object.entries(installation.units)) {
    tell(`would write ${unitPath(unit)}:\n${indented(`${mark(program)}${text}`)}`);
  }
  for (const unit of leftOver(program, installation)) tell(`would remove ${unitPath(unit)}`);
  for (const command of commandsOf(installation)) tell(`would run ${spelled(command)}`);
}

/** Stops and removes these units as far as they are of this program's making. @throws StartError */
export function uninstall(program: string, units: readonly string[], isDryRun: boolean, tell: Tell): void {
  if (!isDryRun) requireSystemd('uninstall-units');
  const own = units.filter((unit) => isOwn(program, unit));
  if (own.length === 0) tell(`no unit below ${UNIT_DIRECTORY} was written by ${program} install-units`);
  else if (isDryRun) for (const unit of own) tell(`would stop and remove ${unitPath(unit)}`);
  else remove(own, tell);
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
    rmSync(unitPath(unit));
    tell(`removed ${unitPath(unit)}`);
  }
  run(['systemctl', 'daemon-reload'], tell);
}

function commandsOf({ accounts, started }: Installation): string[][] {
  return [
    ['systemd-sysusers', '--inline', ...accounts],
    ['systemctl', 'daemon-reload'],
    ['systemctl', 'enable', ...started],
    // Not restarted: a socket cannot be, while its service runs.
    ['systemctl', 'stop', ...started],
    ['systemctl', 'start', ...started],
  ];
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

function writeFirst({ path, text, isSecret }: FirstFile, tell: Tell): void {
  if (existsSync(path)) {
    tell(`kept ${path}`);
    return;
  }
  write(path, text, isSecret ? 0o600 : 0o644);
  tell(`wrote ${path}${isSecret ? ', readable by root alone' : ''}`);
}

/** @throws StartError */
function write(path: string, text: string, mode: number): void {
  try {
    const made = mkdirSync(dirname(path), { recursive: true });
    // Whatever root's umask is, the service has to reach what is not secret.
    for (let directory = path; made !== undefined && directory !== made; ) {
      directory = dirname(directory);
      chmodSync(directory, 0o755);
    }
    writeFileSync(path, text, { mode });
    chmodSync(path, mode);
  } catch (error) {
    throw new StartError(`could not write ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** @throws StartError */
function run(command: readonly string[], tell: Tell): void {
  const [program = '', ...args] = command;
  try {
    execFileSync(program, args, { timeout: COMMAND_DEADLINE_MS, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    throw new StartError(`${spelled(command)} failed: ${messageOf(error)}`, { cause: error });
  }
  tell(`ran ${spelled(command)}`);
}

/** As a person would type it. */
function spelled(command: readonly string[]): string {
  return command.map((word) => (word.includes(' ') ? `'${word}'` : word)).join(' ');
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
