import { join } from 'node:path';
import { execa } from 'execa';
import { nixString } from '../../../src/generate/nix-text.ts';
import { needs } from '../needs.ts';
import type { Build } from './build.ts';

/** An evaluation takes well under a second; one that hangs is a fault of the expression. */
const NIX_DEADLINE_MS = 120_000;

export const repository = join(import.meta.dirname, '../../..');

/** A test of modules, under the lib of nixpkgs: skipped by name where that isn't on this machine. */
export const nixTest = needs('NIXPKGS_LIB or <nixpkgs/lib>');

/** Result of a command of Nix. */
export interface NixAnswer {
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
}

/** Runs a command of Nix, by default in the repository. */
export async function runNix(command: string, args: string[], cwd = repository): Promise<NixAnswer> {
  store ??= usableStore();
  const env = await store;
  const { exitCode, stdout, stderr } = await execa(command, args, {
    cwd,
    env,
    reject: false,
    timeout: NIX_DEADLINE_MS,
    stripFinalNewline: false,
  });
  return { exitCode, stdout, stderr };
}

let store: Promise<Record<string, string>> | undefined;

/** The machine's store, or one of our own where it belongs to root and no daemon serves it. */
async function usableStore(): Promise<Record<string, string>> {
  const { exitCode } = await execa('nix-instantiate', ['--eval', '--expr', '1'], { reject: false });
  return exitCode === 0 ? {} : { NIX_REMOTE: join(repository, '.cache/nix-store') };
}

/** Returns the value of an expression as JSON, fully evaluated and without a build. */
export async function evaluateToJson(expression: string): Promise<string> {
  const { exitCode, stdout, stderr } = await runNix('nix-instantiate', [
    '--eval',
    '--strict',
    '--json',
    '--readonly-mode',
    '--expr',
    expression,
  ]);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}

/**
 * Value of an expression, fully evaluated.
 * @throws Error with what Nix says is wrong
 */
export async function evaluate(expression: string): Promise<unknown> {
  return JSON.parse(await evaluateToJson(expression));
}

/** An expression of the path of nixpkgs' lib: `NIXPKGS_LIB`, else `<nixpkgs/lib>`. */
export const nixpkgsLib =
  process.env['NIXPKGS_LIB'] === undefined ? '<nixpkgs/lib>' : `(/. + ${nixString(process.env['NIXPKGS_LIB'])})`;

/**
 * An expression that evaluates these modules, themselves expressions, in a system around them that `declarations` names.
 * @param replaced function from the stand-ins of packages to those in place of some
 */
export const evaluation = (declarations: string, modules: readonly string[], replaced = '_: { }'): string => `
  import ./tests/harness/nix/evaluate.nix {
    libPath = ${nixpkgsLib};
    system = ./tests/harness/nix/${declarations};
    modules = [ ${modules.map((module) => `(${module})`).join(' ')} ];
    replaced = ${replaced};
  }`;

interface Judged {
  /** Messages of the assertions that don't hold. */
  failed: string[];
  warnings: string[];
  /** Names of packages for people. */
  installed: string[];
}

/** The parts of a NixOS configuration that our modules define. */
export interface EvaluatedSystem extends Judged {
  /** Path below /etc -> text; that of a file made by a build is what goes into it. */
  etc: Record<string, string>;
  /** Path below /etc -> what makes the file when the system is built. */
  builds: Record<string, Build>;
  units: Record<string, string>;
  /** Unit -> what it runs as a script, also what is added to a unit of nixpkgs. */
  scripts: Record<string, string>;
  /** Unit -> what a switch of the system compares: a change reloads or restarts the unit. */
  triggers: Record<string, { reload: string; restart: string }>;
  /** Unit -> targets that want it. */
  wanted: { services: Record<string, string[]>; sockets: Record<string, string[]> };
  /** Unit -> packages in its `PATH`. */
  programs: Record<string, string[]>;
  sockets: Record<string, string>;
  ports: number[];
  /** Interface -> ports that are open there. */
  portsAt: Record<string, number[]>;
  groups: string[];
  postgresql: {
    enable: boolean;
    ensureDatabases: string[];
    ensureUsers: { name: string; ensureDBOwnership: boolean }[];
  };
  users: Record<string, { isSystemUser: boolean; group: string }>;
  soju: { enable: boolean; listen: string[]; enableMessageLogging: boolean; extraConfig: string };
  nginx: { enable: boolean; virtualHosts: Record<string, unknown>; upstreams: Record<string, unknown> };
  caddy: { enable: boolean; virtualHosts: Record<string, unknown> };
}

/** The parts of a Home Manager configuration that our module defines. */
export interface EvaluatedHome extends Judged {
  xresources: { properties: Record<string, unknown>; extraConfig: string };
}

const moduleOf = (configuration: string): string => `{ pkgs, lib, ... }: { ${configuration} }`;

/** Evaluates all modules for NixOS with a configuration, the body of an attribute set that may use `pkgs` and `lib`. */
export async function evaluateSystem(configuration: string, replaced?: string): Promise<EvaluatedSystem> {
  return (await evaluate(evaluation('nixos', ['./modules', moduleOf(configuration)], replaced))) as EvaluatedSystem;
}

/** Like `evaluateSystem`, with the module for Home Manager. */
export async function evaluateHome(configuration: string): Promise<EvaluatedHome> {
  return (await evaluate(
    evaluation('home.nix', ['./modules/home/termprog.nix', moduleOf(configuration)]),
  )) as EvaluatedHome;
}
