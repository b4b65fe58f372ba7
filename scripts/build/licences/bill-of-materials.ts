import { readFileSync } from 'node:fs';
import type { BundledPackage } from './bundled-packages.ts';

interface LockedPackage {
  version?: string;
  integrity?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  optional?: boolean;
}

interface Lock {
  packages: Record<string, LockedPackage>;
}

/** One package, as CycloneDX describes it. */
interface Component {
  type: 'library';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  scope: 'required';
  licenses: [{ license: { id: string } }];
  hashes?: [{ alg: 'SHA-512'; content: string }];
  properties: [{ name: string; value: string }];
}

/**
 * Property that says how a package's code reaches the user: inside the program's file, or as a package that npm
 * installs.
 */
const HOW = 'homeport:delivered';

/**
 * The bill of materials of a program in the JSON form of CycloneDX 1.6: the packages in its bundle and its addon, and
 * the native package that npm installs with it. It has no date and no serial number, so that equal sources give equal
 * files.
 * @see https://cyclonedx.org/docs/1.6/json/
 */
export function formatBillOfMaterials(
  { program, version, installed }: { program: string; version: string; installed: readonly BundledPackage[] },
  bundled: readonly BundledPackage[],
): string {
  const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  const components = [
    ...bundled.map((each) => componentOf(each, locked, 'bundled')),
    ...installed.map((each) => componentOf(each, locked, 'installed')),
  ];
  const unique = [...new Map(components.map((each) => [each['bom-ref'], each])).values()];
  const root = `pkg:npm/homeport@${version}#${program}`;
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name: program,
        version,
        purl: root,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: unique,
    dependencies: [{ ref: root, dependsOn: unique.map((each) => each['bom-ref']) }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function componentOf(
  { name, version, licence, path }: BundledPackage,
  locked: Lock['packages'],
  how: 'bundled' | 'installed',
): Component {
  // The @ of a scope is escaped in such an address; package-url/purl-spec.
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const integrity = locked[path]?.integrity;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    scope: 'required',
    licenses: [{ license: { id: licence } }],
    ...(integrity?.startsWith('sha512-') === true && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') }],
    }),
    properties: [{ name: HOW, value: how }],
  };
}
