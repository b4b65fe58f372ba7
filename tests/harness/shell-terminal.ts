import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { CODE_MASK, WORDS_PER_CELL } from '../../src/termprog/engine/cell.ts';
import { placeOf } from '../../src/termprog/engine/text-anchors.ts';
import { Pty } from '../../src/termprog/pty/pty.ts';
import { startEngine } from './terminal-engine.ts';

/** A shell whose start reads a text, as users write it. */
export interface ShellKind {
  name: 'bash' | 'zsh' | 'fish';
  program: string;
  /** Path of the start text, below the home folder. */
  startFile: string;
  args: readonly string[];
}

export const SHELLS: readonly ShellKind[] = [
  { name: 'bash', program: '/bin/bash', startFile: '.bashrc', args: [] },
  { name: 'zsh', program: '/usr/bin/zsh', startFile: '.zshrc', args: [] },
  { name: 'fish', program: '/usr/bin/fish', startFile: '.config/fish/config.fish', args: [] },
];

/** A command as the shell reported it. */
export interface ToldCommand {
  output: string;
  status: number | undefined;
}

/** A shell in a terminal without a window. */
export interface ShellTerminal extends Disposable {
  /** Types a line, and waits for the next prompt. */
  run(line: string): Promise<void>;
  /** Types keys, without a wait. */
  type(keys: string): void;
  /** The beginnings of prompts, each as the text from there to the end of its row. */
  prompts(): string[];
  commands(): ToldCommand[];
  /** The directory that the shell reported last, as an address. */
  directory(): string | undefined;
  /** Returns all that the shell wrote. */
  written(): string;
}

/** @param startText what the shell reads when it starts */
export async function startShell(
  { program, name, startFile, args }: ShellKind,
  {
    home,
    startText,
    environment = {},
    firstMark = true,
  }: {
    home: string;
    startText: string;
    environment?: Record<string, string>;
    /** Whether a prompt will be marked. */
    firstMark?: boolean;
  },
): Promise<ShellTerminal> {
  const file = join(home, startFile);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, startText);
  const { engine, told, write } = startEngine({ columns: 80, rows: 24, saveLines: 500 });
  const pty = new Pty({
    program,
    argv: [name, ...args],
    environment: Object.entries({
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      TERM: 'xterm-256color',
      LC_ALL: 'C.UTF-8',
      ...environment,
    }).map(([key, value]) => `${key}=${value}`),
    size: { columns: 80, rows: 24, width: 480, height: 312 },
  });
  let written = '';
  let answered = 0;
  pty.listen({
    onData: (bytes) => {
      written += Buffer.from(bytes).toString('utf8');
      write(bytes);
      const answer = told.replies.slice(answered);
      answered = told.replies.length;
      if (answer !== '') pty.input.write(Buffer.from(answer, 'latin1'));
    },
    onDrained: () => {},
    onEnd: () => {},
  });
  const rowText = (row: number): string => {
    const words = engine.line(row)?.words ?? new Uint32Array();
    let text = '';
    for (let at = 0; at < words.length; at += WORDS_PER_CELL)
      text += String.fromCodePoint((words[at] ?? 0) & CODE_MASK || 0x20);
    return text.trimEnd();
  };
  const placed = (kind: string) =>
    engine.shellMarks.filter((mark) => mark.kind === kind).map((mark) => ({ ...mark, place: placeOf(engine, mark) }));
  const prompts = (): number => new Set(placed('command').map(({ lineId }) => lineId)).size;
  const terminal: ShellTerminal = {
    run: async (line) => {
      const before = prompts();
      pty.input.write(Buffer.from(`${line}\r`));
      await waitFor(`the prompt after ${line}`, () => prompts() > before);
    },
    type: (keys) => pty.input.write(Buffer.from(keys)),
    prompts: () => placed('prompt').map(({ place }) => rowText(place?.row ?? 0).slice(place?.column)),
    commands: () => {
      const ends = placed('end');
      return placed('output').map(({ place }, index) => {
        const end = ends[index];
        const last = end?.place?.row ?? 0;
        const rows: string[] = [];
        for (let row = place?.row ?? 0; row < last; row += 1) rows.push(`${rowText(row)}\n`);
        rows.push(rowText(last).slice(0, end?.place?.column));
        return { output: rows.join(''), status: end?.exitStatus };
      });
    },
    directory: () => engine.directory,
    written: () => written,
    [Symbol.dispose]: () => {
      pty.hangUp();
      pty.close();
    },
  };
  if (firstMark) await waitFor('the first prompt is marked', () => prompts() > 0);
  return terminal;
}
