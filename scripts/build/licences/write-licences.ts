import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { bundleOptions } from '../bundle-options.ts';
import type { ProgramSource } from '../programs.ts';
import { writeWhole } from '../write-whole.ts';
import { findRefusedLicences } from './allowed.ts';
import { formatBillOfMaterials } from './bill-of-materials.ts';
import { type BundledPackage, bundledPackages, packagesNamed } from './bundled-packages.ts';
import { formatNotices } from './notices.ts';

/** The packages that a program contains, and those that are installed with it. */
interface Licences {
  bundled: BundledPackage[];
  installed: BundledPackage[];
}

/**
 * The packages whose code is in the bundle of a program or in its addon, and those beside its bundle.
 * @throws {Error} with all faults, when a licence is not one that Homeport can pass on, or a text is missing
 */
export async function licencesOf({
  entry,
  format,
  plugins = [],
  compiled = [],
  natives,
}: Pick<ProgramSource, 'entry' | 'format' | 'plugins' | 'compiled' | 'natives'>): Promise<Licences> {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: [entry],
    plugins,
    format,
    define: { 'import.meta.url': '""', 'import.meta.dirname': '""' },
    metafile: true,
    write: false,
  });
  const licences = { bundled: bundledPackages([metafile], compiled), installed: packagesNamed(natives) };
  const refused = findRefusedLicences(Object.values(licences).flat());
  if (refused.length > 0) throw new Error(refused.join('\n'));
  return licences;
}

/** Writes `dist/NAME.notices.txt` and `dist/NAME.cdx.json`, the bill of materials, of a program. */
export async function writeLicences(source: ProgramSource): Promise<void> {
  const { bundled, installed } = await licencesOf(source);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const file = source.output.slice(0, source.output.lastIndexOf('.'));
  writeWhole(`${file}.notices.txt`, formatNotices(source.name, [...bundled, ...installed]));
  writeWhole(`${file}.cdx.json`, formatBillOfMaterials({ program: source.name, version, installed }, bundled));
}
