import { onTestFinished } from 'vitest';
import { Pty, type PtyCommand } from '../../../../src/termprog/pty/pty.ts';
import { recordChild, type StartedChild, shellCommand } from './terminals.ts';

/** A shell script on a pseudo-terminal that is closed with the test: one left open would keep the tests from ending. */
export function openPty(script: string, changed: Partial<PtyCommand> = {}): Pty {
  const pty = new Pty(shellCommand(script, changed));
  onTestFinished(() => pty.close());
  return pty;
}

/** Starts a shell script on a pseudo-terminal and keeps all it writes. */
export function startChild(script: string, changed: Partial<PtyCommand> = {}): StartedChild {
  const pty = openPty(script, changed);
  return { pty, ...recordChild(pty) };
}
