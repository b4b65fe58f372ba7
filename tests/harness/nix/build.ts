import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

/** A file is checked and copied in well under a second. */
const BUILD_DEADLINE_MS = 120_000;

/** Arguments of a call of `pkgs.runCommand`. */
export interface Build {
  script: string;
  environment: Record<string, string>;
  /** Files the script reads: path in the store -> text. */
  files: Record<string, string>;
}

/** Result of the build. */
export interface Built {
  exitCode: number | undefined;
  /** Messages that a user of NixOS would see. */
  stderr: string;
  /** Text of the file that was built. */
  output: string | undefined;
}

/**
 * Builds by the machine's own shell, with the flags and the few variables a build of nixpkgs gets.
 * Files that would be in the store are in a folder of their own meanwhile.
 */
export async function runBuild({ script, environment, files }: Build): Promise<Built> {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-build-'));
  try {
    const places = Object.entries(files).map(([path, text], index) => {
      const place = join(folder, `input-${index}`);
      writeFileSync(place, text);
      return [path, place] as const;
    });
    const placed = (text: string) => places.reduce((moved, [path, place]) => moved.replaceAll(path, place), text);
    const out = join(folder, 'out');
    const variables = Object.entries(environment).map(([name, value]) => [name, placed(value)]);
    const { exitCode, stderr } = await execa('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', placed(script)], {
      cwd: folder,
      env: { ...Object.fromEntries(variables), out, HOME: '/homeless-shelter', PATH: '/usr/bin:/bin' },
      extendEnv: false,
      reject: false,
      timeout: BUILD_DEADLINE_MS,
    });
    return {
      exitCode,
      stderr: places.reduce((text, [path, place]) => text.replaceAll(place, path), stderr),
      output: exitCode === 0 ? readFileSync(out, 'utf8') : undefined,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
