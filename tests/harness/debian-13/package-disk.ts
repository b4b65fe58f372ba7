import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { tempFolder } from '../temp-folder.ts';

/** Deadline of an installation from a slow registry, or on a busy machine. */
const INSTALL_DEADLINE_MS = 240_000;

/** Path of the package in the installation. */
const PACKAGE = 'opt/homeport/lib/node_modules/homeport';

export interface PackageDisks extends AsyncDisposable {
  /** Archive with /opt/homeport and the Node that programs are run with: what `npm install --global` makes of `npm pack`. */
  first: string;
  /** Archive of a later version. */
  update: string;
  version: string;
  nextVersion: string;
}

/** Makes archives that a machine can have as disks, and unpack with tar. */
export async function makePackageDisks(): Promise<PackageDisks> {
  const folder = await tempFolder();
  const root = join(folder.path, 'root');
  const quietly = ['--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund'];
  const npm = (...args: string[]) => execa('npm', args, { timeout: INSTALL_DEADLINE_MS });
  await npm('pack', ...quietly, '--pack-destination', folder.path);
  const [tarball = ''] = readdirSync(folder.path).filter((name) => name.endsWith('.tgz'));
  const prefix = ['--prefix', join(root, 'opt/homeport')];
  await npm('install', '--global', ...quietly, '--prefer-offline', ...prefix, join(folder.path, tarball));
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  cpSync(realpathSync(process.execPath), join(root, 'usr/local/bin/node'));
  const pack = async (name: string): Promise<string> => {
    const file = join(folder.path, name);
    // Sectors of a disk: tar's own blocks are a multiple.
    await execa('tar', ['--create', '--owner=0', '--group=0', '--file', file, '--directory', root, 'opt', 'usr']);
    return file;
  };
  const first = await pack('first.tar');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const nextVersion = `${version}-next`;
  for (const file of ['package.json', 'dist/agent.cjs', 'dist/connector.mjs']) {
    const path = join(root, PACKAGE, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`"${version}"`, `"${nextVersion}"`));
  }
  const update = await pack('update.tar');
  return { first, update, version, nextVersion, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
