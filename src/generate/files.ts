import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '../kernel/errors.ts';
import type { Output } from './outputs.ts';

/** Paths of outputs that are missing or differ on the disk, and of files in the folders that are not outputs. */
export function staleFiles(root: string, outputs: readonly Output[], folders: readonly string[]): string[] {
  const changed = outputs.filter(({ path, text }) => contentOf(join(root, path)) !== text).map(({ path }) => path);
  const made = new Set(outputs.map(({ path }) => path));
  const leftOver = folders.flatMap((folder) => filesIn(root, folder)).filter((path) => !made.has(path));
  return [...changed, ...leftOver];
}

/** Writes the outputs that differ, and returns their paths. */
export function writeOutputs(root: string, outputs: readonly Output[]): string[] {
  const changed = outputs.filter(({ path, text }) => contentOf(join(root, path)) !== text);
  for (const { path, text } of changed) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return changed.map(({ path }) => path);
}

function contentOf(file: string): string | undefined {
  return existing(() => readFileSync(file, 'utf8'));
}

function filesIn(root: string, folder: string): string[] {
  return (existing(() => readdirSync(join(root, folder))) ?? []).map((name) => `${folder}/${name}`);
}

/** Result of `read`; undefined if the file or folder does not exist. */
function existing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
