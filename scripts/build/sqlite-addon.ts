import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** The addon that set-up builds. */
const BUILT = 'node_modules/sqlite3/build/Release/node_sqlite3.node';

/** Folder in which the connector's bundle looks for the addon, with a file for each kind of machine. */
export const ADDON_FOLDER = 'dist/native';

export const addonFile = (arch: string): string => `${ADDON_FOLDER}/sqlite3-linux-${arch}.node`;

/**
 * The bundle contains the code of sqlite3 and loads its addon from a file beside it; if that is missing, our own error
 * says so.
 */
export const sqliteAddon: Plugin = {
  name: 'sqlite-addon',
  setup({ onLoad }) {
    onLoad({ filter: /\/sqlite3\/lib\/sqlite3-binding\.js$/ }, () => ({
      contents: "module.exports = require('./src/connector/store/connect/sqlite-addon.ts').loadSqliteAddon();",
      resolveDir: process.cwd(),
    }));
  },
};

/** Puts the addon that set-up has built for this machine beside the bundle, so that the package has it. */
export function copyBuiltAddon(): void {
  if (!existsSync(BUILT)) return;
  const file = addonFile(process.arch);
  mkdirSync(ADDON_FOLDER, { recursive: true });
  copyFileSync(BUILT, `${file}.new`);
  // The rename is atomic: a connector that starts meanwhile finds a complete file.
  renameSync(`${file}.new`, file);
}
