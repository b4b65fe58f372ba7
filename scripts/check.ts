/**
 * Runs all checks that need no running program, and prints one line per check.
 *   scripts/check.ts [NAME...]    runs only the checks with these names
 */
import { readFileSync } from 'node:fs';
import { execa } from 'execa';

interface Check {
  name: string;
  /** The subject of the check, printed in its line. */
  title: string;
  /** The command that mends its findings; undefined if only a person can. */
  remedy?: string;
  run: () => Promise<string | undefined>;
}

/** A check that runs a command; if the command fails, its output is the reason. */
function command(check: Omit<Check, 'run'>, file: string, ...args: string[]): Check {
  return {
    ...check,
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
  command({ name: 'types', title: 'types' }, 'tsc', '-p', '.'),
  command(
    { name: 'lint', title: 'lint and format', remedy: 'npm run format' },
    'biome',
    'check',
    '--error-on-warnings',
  ),
  command(
    { name: 'structure', title: 'import rules and structure' },
    'vitest',
    'run',
    '--project',
    'unit',
    'tests/architecture',
  ),
  command(
    { name: 'generated', title: 'generated files are fresh', remedy: 'npm run generate' },
    'node',
    'src/generate/main.ts',
    '--check',
  ),
  { name: 'lock', title: 'lock file is sane', remedy: 'rm package-lock.json && npm install', run: lockIsSane },
  command(
    { name: 'install', title: 'lock file installs', remedy: 'npm install' },
    'npm',
    'ci',
    '--dry-run',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ),
  command(
    { name: 'licences', title: 'licences of what the programs contain' },
    'node',
    'scripts/build/licences/check-main.ts',
  ),
  command({ name: 'english', title: 'English of the comments' }, 'node', 'scripts/english/main.ts'),
  command({ name: 'unused', title: 'no unused code', remedy: 'npx knip --fix' }, 'knip', '--no-progress'),
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`check: unknown name ${unknown.join(', ')}: expected ${checks.map(({ name }) => name).join(', ')}`);
  process.exit(64);
}

let failed = 0;
for (const { name, title, remedy, run } of checks) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const started = performance.now();
  const reason = await run();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${reason === undefined ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`);
  if (reason !== undefined) {
    failed += 1;
    console.log(reason.replace(/^/gm, '       '));
    console.log(`       again: npm run check -- ${name}${remedy === undefined ? '' : `; to mend it: ${remedy}`}`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
