/** Everything that can be checked without running the programs; one line per check. */
import { readFileSync } from 'node:fs';
import { execa } from 'execa';

interface Check {
  name: string;
  run: () => Promise<string | undefined>;
}

/** A check that runs a command; if the command fails, its output is the reason. */
function command(name: string, file: string, ...args: string[]): Check {
  return {
    name,
    run: async () => {
      const { exitCode, all } = await execa(file, args, {
        all: true,
        reject: false,
        timeout: 300_000,
        preferLocal: true,
      });
      return exitCode === 0 ? undefined : (all ?? 'failed');
    },
  };
}

/** Every package is locked by the hash of its content, without the address of a registry. */
async function lockIsSane(): Promise<string | undefined> {
  const text = readFileSync('package-lock.json', 'utf8');
  const lock = JSON.parse(text) as {
    packages: Record<string, { integrity?: string; resolved?: string; link?: boolean }>;
  };
  const faults = Object.entries(lock.packages).flatMap(([path, entry]) => {
    if (path === '' || entry.link === true || !path.includes('node_modules/')) return [];
    return [
      ...(entry.integrity === undefined ? [`${path} has no integrity`] : []),
      ...(entry.resolved === undefined ? [] : [`${path} names an address`]),
    ];
  });
  return faults.length === 0 ? undefined : faults.join('\n');
}

const checks: Check[] = [
  command('types', 'tsc', '-p', '.'),
  command('lint and format', 'biome', 'check', '--error-on-warnings'),
  command('import rules and structure', 'vitest', 'run', '--project', 'unit', 'tests/architecture'),
  command('generated files are fresh', 'node', 'src/generate/main.ts', '--check'),
  { name: 'lock file is sane', run: lockIsSane },
  command(
    'lock file installs',
    'npm',
    'ci',
    '--dry-run',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ),
  command('no unused code', 'knip', '--no-progress'),
];

let failed = 0;
for (const { name, run } of checks) {
  const started = performance.now();
  const reason = await run();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${reason === undefined ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (reason !== undefined) {
    failed += 1;
    console.log(reason.replace(/^/gm, '       '));
  }
}
process.exitCode = failed === 0 ? 0 : 1;
