import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ChildEnd } from '../../../../src/termprog/pty/child.ts';
import type { Pty, PtyCommand } from '../../../../src/termprog/pty/pty.ts';

export const size = { rows: 24, columns: 80, width: 480, height: 312 };

/** Returns the command of a child that runs a shell script. */
export function shellCommand(script: string, changed: Partial<PtyCommand> = {}): PtyCommand {
  const environment = [`PATH=${process.env['PATH']}`];
  return { program: '/bin/sh', argv: ['sh', '-c', script], environment, size, ...changed };
}

/** A child on a pseudo-terminal, and the record of its output so far. */
export interface StartedChild {
  readonly pty: Pty;
  readonly ended: Promise<ChildEnd>;
  /** Bytes of each turn of reading, and whether more was there at its end. */
  readonly turns: { bytes: number; hasMore: boolean }[];
  readonly dropped: number[];
  output(): Buffer;
}

/** Records the output and the turns of a terminal. */
export function recordChild(pty: Pty): Omit<StartedChild, 'pty'> {
  const output: Buffer[] = [];
  const turns: StartedChild['turns'] = [];
  const dropped: number[] = [];
  let turnBytes = 0;
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<ChildEnd>();
  pty.listen({
    onData: (bytes) => {
      output.push(Buffer.from(bytes));
      turnBytes += bytes.length;
    },
    onDrained: ({ hasMore }) => {
      turns.push({ bytes: turnBytes, hasMore });
      turnBytes = 0;
    },
    onEnd,
    onInputDropped: (bytes) => dropped.push(bytes),
  });
  return { ended, turns, dropped, output: () => Buffer.concat(output) };
}

/** Keeps the event loop from looking at anything. */
export function beBusy(ms: number): void {
  for (const startMs = performance.now(); performance.now() - startMs < ms; );
}

/** A descriptor that Node leaves to its children when it was started with it: those up to 15 it keeps from them. */
export const STRAY_DESCRIPTOR = 27;

/** Runs a program of its own that has `Pty`, `size`, `shellCommand` and a stray descriptor, and returns its output. */
export function runProgram(source: string): string {
  const imports = `import { Pty } from '${resolve('src/termprog/pty/pty.ts')}';
    import { shellCommand, size } from '${resolve('tests/unit/termprog/pty/terminals.ts')}';`;
  const stray = openSync('/dev/null', 'r');
  try {
    const ignored = Array.from({ length: STRAY_DESCRIPTOR - 3 }, () => 'ignore' as const);
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', `${imports}\n${source}`],
      { stdio: ['ignore', 'pipe', 'pipe', ...ignored, stray], timeout: 120_000, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`the program ended with ${status}: ${stderr}`);
    return stdout;
  } finally {
    closeSync(stray);
  }
}
