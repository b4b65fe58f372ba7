import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { bundleOptions } from '../bundle-options.ts';
import type { ProgramSource } from '../programs.ts';
import { findRefusedLicences } from './allowed.ts';
import { formatBillOfMaterials } from './bill-of-materials.ts';
import { type BundledPackage, bundledPackages, readPackage } from './bundled-packages.ts';
import { formatNotices } from './notices.ts';

/**
 * The packages whose code is in the bundle of a program, or in its addon.
 * @throws {Error} with all faults, when a licence is not one that Homeport can pass on, or a text is missing
 */
export async function licencesOf({
  entry,
  format,
  plugins = [],
  compiled = [],
}: ProgramSource): Promise<BundledPackage[]> {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: [entry],
    plugins,
    format,
    define: { 'import.meta.url': '""', 'import.meta.dirname': '""' },
    metafile: true,
    write: false,
  });
  const packages = bundledPackages([metafile], compiled);
  const refused = findRefusedLicences(packages);
  if (refused.length > 0) throw new Error(refused.join('\n'));
  return packages;
}

/** Writes `dist/NAME.notices.txt` and `dist/NAME.cdx.json`, the bill of materials, of a program. */
export async function writeLicences(source: ProgramSource): Promise<void> {
  const packages = await licencesOf(source);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const file = source.output.slice(0, source.output.lastIndexOf('.'));
  const installed = source.natives.map((name) => {
    const read = readPackage(`node_modules/${name}`);
    if ('reason' in read) throw new Error(`${read.package}: ${read.reason}`);
    return read;
  });
  writeFileSync(`${file}.notices.txt`, formatNotices(source.name, [...packages, ...installed]));
  writeFileSync(`${file}.cdx.json`, formatBillOfMaterials({ program: source.name, version, installed }, packages));
}
