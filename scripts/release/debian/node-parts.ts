import { cpSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { scratchFolder } from '../../build/scratch-folder.ts';
import type { Processor } from '../addons.ts';

/** Deadline that allows for a slow registry or a busy machine. */
const INSTALL_DEADLINE_MS = 600_000;

/** Files that npm needs to install the locked packages. */
const LOCKED = ['package.json', 'package-lock.json', 'scripts/node-runtime/package.json'];

/** The pinned Node.js and koffi for one kind of machine. */
export interface NodeParts extends AsyncDisposable {
  node: string;
  nodeLicence: string;
  koffi: string;
}

/**
 * Returns the parts of this checkout for its own kind of machine. Those for another kind are installed by npm into a
 * folder of their own, by the hashes of `package-lock.json`.
 */
export async function nodeParts(processor: Processor): Promise<NodeParts> {
  if (processor === process.arch) return partsIn('node_modules', processor, () => undefined);
  const scratch = scratchFolder(tmpdir(), 'homeport-node-');
  const folder = scratch.path;
  const remove = (): void => scratch[Symbol.dispose]();
  try {
    for (const file of LOCKED) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(file, join(folder, file));
    }
    const machine = ['--os=linux', `--cpu=${processor}`, '--libc=glibc'];
    const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
    await execa('npm', ['ci', '--omit=dev', '--include=optional', ...machine, ...quietly], {
      cwd: folder,
      timeout: INSTALL_DEADLINE_MS,
    });
  } catch (error) {
    remove();
    throw error;
  }
  return partsIn(join(folder, 'node_modules'), processor, remove);
}

function partsIn(folder: string, processor: Processor, remove: () => void): NodeParts {
  return {
    node: join(folder, `node-linux-${processor}/bin/node`),
    nodeLicence: join(folder, `node-linux-${processor}/LICENSE`),
    koffi: join(folder, `@koromix/koffi-linux-${processor}/linux_${processor}/koffi.node`),
    [Symbol.asyncDispose]: async () => remove(),
  };
}
