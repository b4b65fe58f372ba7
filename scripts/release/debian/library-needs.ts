import { execa } from 'execa';
import { isNewer } from '../addons.ts';

const READ_DEADLINE_MS = 60_000;

/**
 * Newest version of the C++ library's symbols -> the release of GCC that contains it.
 * @see the libstdc++ manual, ABI Policy and Guidelines
 */
const GCC_OF_GLIBCXX: Readonly<Record<string, string>> = {
  '3.4.21': '5',
  '3.4.22': '6',
  '3.4.23': '7',
  '3.4.24': '7',
  '3.4.25': '8',
  '3.4.26': '9',
  '3.4.27': '9.2',
  '3.4.28': '9.3',
  '3.4.29': '11',
  '3.4.30': '12',
};

/**
 * Dependencies of programs and addons on libraries, in the form of dpkg's fields, from the versions of the symbols that
 * they use.
 */
export async function libraryNeeds(files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  const { stdout } = await execa('readelf', ['--wide', '--dynamic', '--dyn-syms', ...files], {
    timeout: READ_DEADLINE_MS,
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  const newest = (library: string): string | undefined =>
    [...stdout.matchAll(new RegExp(`@${library}_([\\d.]+)`, 'g'))]
      .map(([, version = '']) => version)
      .reduce<string | undefined>(
        (most, version) => (most === undefined || isNewer(version, most) ? version : most),
        undefined,
      );
  const [c, cxx] = [newest('GLIBC'), newest('GLIBCXX')];
  return [
    ...(c === undefined ? [] : [`libc6 (>= ${c})`]),
    ...(stdout.includes('[libgcc_s.so.1]') ? ['libgcc-s1'] : []),
    ...(cxx === undefined ? [] : [`libstdc++6 (>= ${gccOf(cxx)})`]),
  ];
}

function gccOf(version: string): string {
  const gcc = GCC_OF_GLIBCXX[version];
  if (gcc !== undefined) return gcc;
  throw new Error(
    `symbols of GLIBCXX ${version} are needed, and library-needs.ts does not say which GCC brings them: add it there`,
  );
}
