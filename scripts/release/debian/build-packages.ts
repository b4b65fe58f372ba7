import {
  chmodSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { scratchFolder } from '../../build/scratch-folder.ts';
import { addonFile } from '../../build/sqlite-addon.ts';
import type { Processor } from '../addons.ts';
import { conffilesText, controlText, md5sumsText } from './control.ts';
import { documents } from './documents.ts';
import { libraryNeeds } from './library-needs.ts';
import type { NodeParts } from './node-parts.ts';
import { type DebianPackage, debianPackages } from './packages.ts';
import { type PackedFile, written } from './packed-files.ts';
import { strippedParts } from './stripped-parts.ts';

/** Names of processors: Node's -> dpkg's. */
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const satisfies Record<Processor, string>;

const SCRIPTS = ['preinst', 'postinst', 'prerm', 'postrm'];

/** Deadline for 130 MB through xz on a busy machine, in one thread, because several threads give other bytes. */
const PACK_DEADLINE_MS = 900_000;

export interface PackagesWanted {
  /** Folder for the packages. */
  folder: string;
  processor: Processor;
  parts: NodeParts;
  /** Time of all files, in seconds since 1970. */
  epoch: number;
  /** Default: the version of `package.json`. */
  version?: string;
  /** Leaves out the packages that are the same for every processor. */
  isFurther?: boolean;
  /** `none` saves a minute where size does not matter. */
  compression?: 'xz' | 'none';
}

/**
 * Builds the Debian packages for one kind of machine from `dist/`. The same sources and the same time give the same
 * bytes.
 * @returns the files that were written
 * @throws {Error} where a part of the build is missing
 */
export async function buildPackages(wanted: PackagesWanted): Promise<string[]> {
  const { folder, processor, version = ownVersion() } = wanted;
  for (const file of ['dist/.stamp', addonFile(processor)]) {
    if (!existsSync(file))
      throw new Error(`${file} is missing: run npm run build, or npm run release -- deb, which makes all`);
  }
  mkdirSync(folder, { recursive: true });
  await using parts = await strippedParts(wanted.parts, processor);
  const files: string[] = [];
  for (const described of debianPackages(version, processor, parts)) {
    if (described.isIndependent && wanted.isFurther === true) continue;
    files.push(await buildPackage(described, { ...wanted, version }));
  }
  return files;
}

const ownVersion = (): string => (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;

/** The maintainer, from the variables that Debian's own tools read; the default address is not in use. */
const maintainerOf = ({ DEBFULLNAME, DEBEMAIL }: NodeJS.ProcessEnv): string =>
  `${DEBFULLNAME ?? 'The Homeport developers'} <${DEBEMAIL ?? 'homeport@example.org'}>`;

async function buildPackage(
  bare: DebianPackage,
  { folder, processor, epoch, version, compression = 'xz' }: PackagesWanted & { version: string },
): Promise<string> {
  const maintainer = maintainerOf(process.env);
  const files = [
    ...bare.files,
    ...documents(bare.name, bare.notices, { version, maintainer, epoch }),
    ...overrides(bare.name),
  ];
  const described = { ...bare, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
  const architecture = described.isIndependent ? 'all' : ARCHITECTURES[processor];
  using scratch = scratchFolder(tmpdir(), 'homeport-deb-');
  const root = join(scratch.path, bare.name);
  for (const file of files) writeFile(root, file);
  const natives = files.filter(({ path }) => /\.node$|\/bin\/node$/.test(path)).map(({ path }) => join(root, path));
  const libraries = await libraryNeeds(natives.filter((file) => !file.includes('/.bin/')));
  writeControl(root, described, controlText(described, { version, architecture, maintainer, libraries }));
  setTimes(root, epoch);
  const file = `${bare.name}_${version}_${architecture}.deb`;
  // In a folder of its own until it is complete: half of a package must not look like one.
  using unfinished = scratchFolder(folder, '.unfinished-');
  const packed = join(unfinished.path, file);
  await execa('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', root, packed], {
    env: { SOURCE_DATE_EPOCH: String(epoch), DPKG_DEB_THREADS_MAX: '1' },
    timeout: PACK_DEADLINE_MS,
  });
  renameSync(packed, join(folder, file));
  return `${folder}/${file}`;
}

/** Accepted findings of lintian about a package, each with its reason. */
function overrides(name: string): PackedFile[] {
  const file = join(import.meta.dirname, 'overrides', name);
  return existsSync(file) ? [written(`usr/share/lintian/overrides/${name}`, readFileSync(file, 'utf8'))] : [];
}

function writeControl(root: string, { name, files }: DebianPackage, control: string): void {
  const folder = join(root, 'DEBIAN');
  mkdirSync(folder);
  const conffiles = conffilesText(files);
  const texts = { control, md5sums: md5sumsText(files), ...(conffiles === '' ? {} : { conffiles }) };
  for (const [file, text] of Object.entries(texts)) writeMode(join(folder, file), text, 0o644);
  for (const script of SCRIPTS) {
    const source = join(import.meta.dirname, 'maintainer', `${name}.${script}`);
    if (existsSync(source)) writeMode(join(folder, script), readFileSync(source, 'utf8'), 0o755);
  }
}

function writeFile(root: string, { path, content }: PackedFile): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  if ('link' in content) symlinkSync(content.link, file);
  else writeMode(file, content.bytes, content.isExecutable ? 0o755 : 0o644);
}

/** Writes a file with this mode, independent of the umask. */
function writeMode(file: string, content: string | Uint8Array, mode: number): void {
  writeFileSync(file, content);
  chmodSync(file, mode);
}

/** Sets the time of each folder after that of its files, because writing a file changes the time of its folder. */
function setTimes(folder: string, epoch: number): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setTimes(path, epoch);
    else lutimesSync(path, epoch, epoch);
  }
  chmodSync(folder, 0o755);
  lutimesSync(folder, epoch, epoch);
}
