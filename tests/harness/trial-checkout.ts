import { copyFileSync, cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Path of the native module in a checkout. */
export const SQLITE_ADDON = 'node_modules/sqlite3/build/Release/node_sqlite3.node';

/**
 * Makes a folder in which set-up finds no Debian package to install and no program to build. The npm packages are this
 * checkout's, except for a copy of sqlite3 without its native module.
 */
export function makeTrialCheckout(folder: string): void {
  const modules = join(folder, 'node_modules');
  for (const made of ['scripts/build', 'src', 'schemas', 'dist', 'node_modules']) {
    mkdirSync(join(folder, made), { recursive: true });
  }
  for (const name of ['setup', 'set-up'])
    cpSync(join('scripts', name), join(folder, 'scripts', name), { recursive: true });
  writeFileSync(join(folder, 'scripts/debian-packages.txt'), '[check]\n');
  copyFileSync('package.json', join(folder, 'package.json'));
  copyFileSync('node_modules/.homeport-lock', join(folder, 'package-lock.json'));
  for (const name of readdirSync('node_modules')) {
    if (name !== 'sqlite3') symlinkSync(resolve('node_modules', name), join(modules, name));
  }
  const built = resolve('node_modules/sqlite3/build');
  cpSync(resolve('node_modules/sqlite3'), join(modules, 'sqlite3'), {
    recursive: true,
    filter: (path) => path !== built,
  });
  writeFileSync(join(folder, 'dist/.stamp'), '');
}
