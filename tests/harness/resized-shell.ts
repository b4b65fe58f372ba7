import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { Pty } from '../../src/termprog/pty/pty.ts';
import { startEngine, textOf } from './terminal-engine.ts';

export interface Size {
  columns: number;
  rows: number;
}

export interface ResizedShellStart extends Size {
  program: string;
  args?: readonly string[];
  home: string;
  /** Path of the start file below the home folder. */
  startFile: string;
  startText: string;
  saveLines?: number;
}

/** A shell in a terminal without a window, of which a test knows when it rests. */
export interface ResizedShell extends Disposable {
  readonly size: Size;
  /** Characters of history and screen, without blanks and without regard to how they are broken into rows. */
  text(): string;
  /** Returns the rows of history and screen. */
  rows(): string[];
  type(keys: string): void;
  /** Changes the size of the terminal and notifies the shell; waits until it rests again. */
  resize(size: Size): Promise<void>;
  /** Like `resize`, without the wait. */
  resizeNow(size: Size): void;
  /** Sets many sizes in a row, before the shell can do anything. */
  resizeAll(sizes: readonly Size[]): Promise<void>;
}

export function startResizedShell(start: ResizedShellStart): ResizedShell {
  const { program, args = [], home, startFile, startText, saveLines = 500, columns, rows } = start;
  const file = join(home, startFile);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, startText);
  const { engine, told, write } = startEngine({ columns, rows, saveLines });
  const pty = new Pty({
    program,
    argv: [program, ...args],
    environment: Object.entries({
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      ENV: file,
      HISTFILE: '/dev/null',
      TERM: 'xterm-256color',
      LC_ALL: 'C.UTF-8',
    }).map(([key, value]) => `${key}=${value}`),
    size: { columns, rows, width: 6 * columns, height: 13 * rows },
  });
  let answered = 0;
  let marks = 0;
  let promptGroup: number | undefined;
  pty.listen({
    onData: (bytes) => {
      write(bytes);
      if (told.shellMarks.slice(marks).some(({ kind }) => kind === 'prompt' || kind === 'continuation')) {
        promptGroup = pty.foregroundGroup;
      }
      marks = told.shellMarks.length;
      const answer = told.replies.slice(answered);
      answered = told.replies.length;
      if (answer !== '') pty.input.write(Buffer.from(answer, 'latin1'));
    },
    onDrained: () => {},
    onEnd: () => {},
  });
  const rowsNow = (): string[] =>
    Array.from({ length: engine.historyLines + engine.rows }, (_, index) => {
      const row = index - engine.historyLines;
      return wideTextOf(engine, row);
    });
  let size: Size = { columns, rows };
  const change = (next: Size): void => {
    size = next;
    engine.resize(next.columns, next.rows, pty.isEditing, pty.foregroundGroup !== promptGroup);
    pty.resize({ ...next, width: 6 * next.columns, height: 13 * next.rows });
  };
  const isOther = (next: Size): boolean => next.columns !== size.columns || next.rows !== size.rows;
  const rested = async (before: number): Promise<void> => {
    // A shell whose lines the kernel edits does not ask for the signal.
    if (!pty.isEditing) return;
    let last = 0;
    await waitFor('the shell has seen the size', () => {
      const { isSleeping, sleeps } = stateOf(pty.pid);
      const isSame = sleeps === last;
      last = sleeps;
      // It may sleep for a moment before it is done.
      return isSleeping && isSame && sleeps > before;
    });
  };
  return {
    get size() {
      return size;
    },
    text: () => rowsNow().join('').replaceAll(/\s/g, ''),
    rows: rowsNow,
    type: (keys) => pty.input.write(Buffer.from(keys)),
    resize: async (next) => {
      if (!isOther(next)) return;
      const { sleeps } = stateOf(pty.pid);
      change(next);
      await rested(sleeps);
    },
    resizeNow: (next) => {
      if (isOther(next)) change(next);
    },
    resizeAll: async (sizes) => {
      const last = sizes.at(-1);
      if (last === undefined || !isOther(last)) return;
      const { sleeps } = stateOf(pty.pid);
      process.kill(pty.pid, 'SIGSTOP');
      await waitFor('the shell has stopped', () => stateOf(pty.pid).isStopped);
      for (const next of sizes) change(next);
      process.kill(pty.pid, 'SIGCONT');
      await rested(sleeps);
    },
    [Symbol.dispose]: () => {
      pty.hangUp();
      pty.close();
    },
  };
}

/** A row's text; rows of the history may be wider than the screen. */
function wideTextOf(engine: ReturnType<typeof startEngine>['engine'], row: number): string {
  const columns = (engine.line(row)?.words.length ?? 0) / 4;
  const view = new Proxy(engine, {
    get: (target, name) => {
      if (name === 'columns') return columns;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return textOf(view, row);
}

/** Reads the kernel's state of a process: whether it sleeps or is stopped, and how often it has begun to sleep. */
function stateOf(pid: number): { isSleeping: boolean; isStopped: boolean; sleeps: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const state = /^State:\s+(\w)/m.exec(status)?.[1];
  return {
    isSleeping: state === 'S',
    isStopped: state === 'T',
    sleeps: Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]),
  };
}
