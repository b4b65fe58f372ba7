import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { scratchFolder } from '../../build/scratch-folder.ts';
import { addonFile } from '../../build/sqlite-addon.ts';
import type { Processor } from '../addons.ts';
import type { NodeParts } from './node-parts.ts';

const STRIP_DEADLINE_MS = 120_000;

const STRIP = { x64: 'x86_64-linux-gnu-strip', arm64: 'aarch64-linux-gnu-strip' } as const;

/** All compiled parts of the packages. */
export interface CompiledParts extends NodeParts {
  /** The addon of SQLite. */
  addon: string;
}

/**
 * Copies the parts and SQLite's addon without the symbols that only a debugger reads, as Debian wants it. They are a
 * sixth of Node.js.
 */
export async function strippedParts(parts: NodeParts, processor: Processor): Promise<CompiledParts> {
  const folder = scratchFolder(tmpdir(), 'homeport-strip-');
  const strip = async (file: string, name: string): Promise<string> => {
    const target = join(folder.path, name);
    await execa(STRIP[processor], ['--strip-unneeded', '-o', target, file], { timeout: STRIP_DEADLINE_MS });
    return target;
  };
  try {
    return {
      ...parts,
      node: await strip(parts.node, 'node'),
      koffi: await strip(parts.koffi, 'koffi.node'),
      addon: await strip(addonFile(processor), 'addon.node'),
      [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
    };
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}
