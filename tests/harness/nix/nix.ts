import { join } from 'node:path';
import { execa } from 'execa';

/** An evaluation takes well under a second; one that hangs is a fault of the expression. */
const NIX_DEADLINE_MS = 30_000;

export const repository = join(import.meta.dirname, '../../..');

/** A lib our modules are evaluated with. */
export interface NixLib {
  name: string;
  path: string;
}

/** The small lib beside this file, which is always there. */
export const ownLib: NixLib = { name: "the tests' own lib", path: join(import.meta.dirname, 'lib.nix') };

/** nixpkgs' own lib, where this machine has it: `NIXPKGS_LIB`, else `<nixpkgs/lib>`. */
export async function nixpkgsLib(): Promise<NixLib | undefined> {
  const named = process.env['NIXPKGS_LIB'];
  if (named !== undefined) return { name: 'the lib of nixpkgs', path: named };
  const found = await execa('nix-instantiate', ['--find-file', 'nixpkgs/lib'], { reject: false });
  return found.exitCode === 0 ? { name: 'the lib of nixpkgs', path: found.stdout.trim() } : undefined;
}

/** What a command of Nix answered. */
export interface NixAnswer {
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
}

/** Runs a command of Nix, in the repository unless told otherwise. */
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

/** The value of an expression as JSON, fully evaluated; nothing is built. */
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

/** What our modules ask of a NixOS. */
export interface Evaluated {
  failed: string[];
  etc: Record<string, string>;
  checks: Record<string, string>;
  units: Record<string, string>;
  /** Unit -> packages in its `PATH`. */
  programs: Record<string, string[]>;
  sockets: Record<string, string>;
  ports: number[];
  groups: string[];
  installed: string[];
  postgresql: {
    enable: boolean;
    ensureDatabases: string[];
    ensureUsers: { name: string; ensureDBOwnership: boolean }[];
  };
  users: Record<string, { isSystemUser: boolean; group: string }>;
  soju: { enable: boolean; listen: string[]; enableMessageLogging: boolean; extraConfig: string };
  nginx: { enable: boolean; virtualHosts: Record<string, unknown> };
  caddy: { enable: boolean; virtualHosts: Record<string, unknown> };
  xresources: Record<string, string>;
}

/** Evaluates modules of ours with a configuration, the body of an attribute set that may use `pkgs` and `lib`. */
export async function evaluateModules(lib: NixLib, module: string, configuration: string): Promise<Evaluated> {
  const expression = `import ./tests/harness/nix/evaluate.nix {
    libPath = ${lib.path};
    modules = [ ./${module} ({ pkgs, lib, ... }: { ${configuration} }) ];
  }`;
  return (await evaluate(expression)) as Evaluated;
}
