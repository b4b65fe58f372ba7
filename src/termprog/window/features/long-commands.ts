import { lastCommandLine } from '../../command-output/last-output.ts';
import { runProgram } from '../../desktop/run-program.ts';
import type { ShellMark } from '../../engine/shell-mark.ts';
import { Notifications } from '../desktop/notifications.ts';
import type { FeatureParts } from './feature-parts.ts';

const MS_PER_SECOND = 1_000;

export type LongCommandParts = Pick<FeatureParts, 'engine' | 'options' | 'focus' | 'diagnostics' | 'nowMs'>;

/**
 * Returns the handler of a shell's marks. It notifies the desktop when a long command ends while the window lacks the
 * focus. ours: decision 250
 */
export function createLongCommands(parts: LongCommandParts): (mark: Pick<ShellMark, 'kind' | 'exitStatus'>) => void {
  const { engine, options, focus, diagnostics, nowMs } = parts;
  let running: { command: string; startMs: number } | undefined;
  let notifications: Notifications | undefined;
  const notify = (title: string, body: string): void => {
    notifications ??= new Notifications({
      run: runProgram,
      nowMs,
      warn: (message) => diagnostics.warning(message),
      subject: { one: 'the end of a command', all: 'ends of commands' },
    });
    notifications.show({ title, body });
  };
  return ({ kind, exitStatus }) => {
    const leastSeconds = options.get('notifyCommandTime');
    // An output mark during a command comes from its program, and does not begin another command.
    if (kind === 'output' && leastSeconds > 0) running ??= { command: lastCommandLine(engine), startMs: nowMs() };
    if (kind !== 'end' && kind !== 'prompt') return;
    const ended = running;
    // A prompt without an end mark means that the command was interrupted.
    running = undefined;
    if (ended === undefined || kind === 'prompt' || leastSeconds === 0 || focus.isHere) return;
    const seconds = Math.floor((nowMs() - ended.startMs) / MS_PER_SECOND);
    if (seconds >= leastSeconds) notify(`${wordsOfEnd(exitStatus)} after ${spellTime(seconds)}`, ended.command);
  };
}

function wordsOfEnd(exitStatus: number | undefined): string {
  return exitStatus === undefined || exitStatus === 0 ? 'Command finished' : `Command failed with status ${exitStatus}`;
}

/** Formats a duration, such as `1 h 2 min 3 s`. */
function spellTime(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first < 0 ? -1 : first)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
