import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ManagedProcess, startProcess } from './managed-process.ts';
import { requireProgram } from './require-program.ts';
import { waitFor } from './wait-for.ts';

/** Screen of a private X server; 24 planes and 100 dots per inch. */
const SCREEN = '1280x1024x24';

/** Family of a cookie entry that is valid for every address; Xau(3). */
const FAMILY_WILD = 65_535;
const COOKIE_PROTOCOL = 'MIT-MAGIC-COOKIE-1';
const COOKIE_BYTES = 16;

export interface Xvfb {
  /** `:N`; clients need the authority file. */
  readonly display: string;
  /** Variables that a client's environment needs: DISPLAY and XAUTHORITY. */
  readonly environment: { DISPLAY: string; XAUTHORITY: string };
  readonly process: ManagedProcess;
}

/**
 * A private X server without a screen, on a display number that was free; its cookie and log lie in `folder`.
 * @param options more of Xvfb(1) and Xserver(1)
 */
export async function startXvfb({
  folder,
  options = [],
}: {
  folder: string;
  options?: readonly string[];
}): Promise<Xvfb> {
  await requireProgram('Xvfb');
  const authorityFile = join(folder, 'Xauthority');
  const displayFile = join(folder, 'xvfb-display');
  writeFileSync(authorityFile, wildcardCookie(), { mode: 0o600 });
  closeSync(openSync(displayFile, 'w', 0o600));
  // Xvfb is started through a shell, because -displayfd wants an open descriptor and a managed process has standard
  // streams only.
  const script = 'exec 3>"$1"; shift; exec Xvfb -displayfd 3 "$@"';
  const args = [
    '-screen',
    '0',
    SCREEN,
    '-dpi',
    '100',
    '-nolisten',
    'tcp',
    '-noreset',
    '-auth',
    authorityFile,
    ...options,
  ];
  const process = startProcess({
    name: 'Xvfb',
    command: ['sh', '-c', script, 'sh', displayFile, ...args],
    logFile: join(folder, 'xvfb.log'),
  });
  const number = await waitFor(
    'Xvfb tells its display number',
    () => /^(\d+)\n/.exec(readFileSync(displayFile, 'utf8'))?.[1],
    { process },
  );
  const display = `:${number}`;
  return { display, environment: { DISPLAY: display, XAUTHORITY: authorityFile }, process };
}

/** An Xauthority entry that fits every host and display: the number is known only after the server has read it. */
function wildcardCookie(): Buffer {
  const counted = (data: Buffer): Buffer => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(data.length);
    return Buffer.concat([length, data]);
  };
  const family = Buffer.alloc(2);
  family.writeUInt16BE(FAMILY_WILD);
  const empty = Buffer.alloc(0);
  return Buffer.concat([
    family,
    counted(empty),
    counted(empty),
    counted(Buffer.from(COOKIE_PROTOCOL)),
    counted(randomBytes(COOKIE_BYTES)),
  ]);
}
