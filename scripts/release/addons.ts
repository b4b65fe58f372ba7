import { execa } from 'execa';
import { scratchFolder } from '../build/scratch-folder.ts';
import { addonFile } from '../build/sqlite-addon.ts';

/** Processors for which the package has SQLite's addon: Node's name -> readelf's name. */
export const MACHINES = { x64: 'Advanced Micro Devices X86-64', arm64: 'AArch64' } as const;
export type Processor = keyof typeof MACHINES;

/** Deadline for a build with a compiler for another processor, on a busy machine. */
const BUILD_DEADLINE_MS = 900_000;
const READ_DEADLINE_MS = 60_000;

/**
 * Newest versions of symbols that an addon may need: those of Ubuntu 22.04, the oldest supported system. Debian 12 has
 * newer ones.
 */
const VERSIONS_MAX = { GLIBC: '2.35', GLIBCXX: '3.4.30', CXXABI: '1.3.13' } as const;

/** Builds the addon for each machine into `dist/native`. @throws {Error} for one that would not load on every system the packages are for */
export async function buildAddons(): Promise<void> {
  // The path has no blanks, which make and its rules would split.
  using logs = scratchFolder('/tmp', 'homeport-addons-');
  for (const processor of Object.keys(MACHINES) as Processor[]) {
    const file = addonFile(processor);
    await execa('sh', ['scripts/set-up/npm.sh', 'addon', processor, file], {
      env: { HOMEPORT_SETUP_LOGS: logs.path },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: BUILD_DEADLINE_MS,
    });
    const faults = await faultsOf(file, processor);
    if (faults.length > 0) throw new Error(`${file} ${faults.join('; ')}`);
  }
}

/** Reasons why an addon would not load in every Node on every system that the packages are for. */
export async function faultsOf(file: string, processor: Processor): Promise<string[]> {
  const read = async (...words: string[]): Promise<string> =>
    (await execa('readelf', ['--wide', ...words, file], { timeout: READ_DEADLINE_MS })).stdout;
  const [header, symbols] = await Promise.all([read('--file-header'), read('--dyn-syms')]);
  const needed = [...symbols.matchAll(/@(GLIBC|GLIBCXX|CXXABI)_([\d.]+)/g)].map(([, library, version = '']) => ({
    library: library as keyof typeof VERSIONS_MAX,
    version,
  }));
  const tooNew = needed.filter(({ library, version }) => isNewer(version, VERSIONS_MAX[library]));
  return [
    ...(new RegExp(`Machine: +${MACHINES[processor]}$`, 'm').test(header) ? [] : [`is not for ${processor}`]),
    ...(/ UND _ZN2v8/.test(symbols) ? ['calls V8, whose interface changes with each Node'] : []),
    ...new Set(
      tooNew.map(({ library, version }) => `needs ${library} ${version}, expected ${VERSIONS_MAX[library]} at most`),
    ),
  ];
}

export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number));
  const differs = a?.findIndex((part, at) => part !== b?.[at]) ?? -1;
  return differs >= 0 && (a?.[differs] ?? 0) > (b?.[differs] ?? 0);
}
