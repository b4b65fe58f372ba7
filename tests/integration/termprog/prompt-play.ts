import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { ResizedShell, Size } from '../../harness/resized-shell.ts';
import type { ShellCase } from './prompting-shells.ts';

/** Longest time in which a shell may be idle while the screen is not what it must be, in milliseconds. */
const WAIT_MS = 8_000;

const OUT = `#!/bin/bash
text=012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789
for ((i = 0; i < $1; i += 1)); do echo "\${text:0:$2}."; done
exec 3<>~/go
printf wait
read -r -u 3
printf 'end\\n'
`;

const STREAM = `#!/bin/bash
text=012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789
exec 3<>~/go 4<> <(:)
for ((i = 0; i < $1; i += 1)); do printf %s "\${text:0:$2}"; read -r -t 0.002 -u 4; echo .; done
read -r -u 3
printf 'end\\n'
`;

/** Writes the commands `out` and `stream` into a home folder, and the pipe `go` at which they wait. */
export function writeCommands(home: string): void {
  writeFileSync(join(home, 'out'), OUT, { mode: 0o755 });
  writeFileSync(join(home, 'stream'), STREAM, { mode: 0o755 });
  execFileSync('mkfifo', [join(home, 'go')]);
}

/** One step of a person, or of a command, at a shell. */
export type Step =
  | { kind: 'resize'; size: Size }
  | { kind: 'storm'; sizes: Size[] }
  | { kind: 'type'; text: string }
  | { kind: 'insert'; text: string; back: number }
  | { kind: 'run' }
  | { kind: 'continue'; text: string }
  | { kind: 'output'; lines: number; length: number; sizes: Size[] }
  | { kind: 'stream'; lines: number; length: number; sizes: Size[] };

/** Characters of the longest input. */
const INPUT_MAX = 100;

/** Plays steps in a shell, and knows what must be on history and screen. Its commands are those of `writeCommands`. */
export class Play {
  readonly #shell: ResizedShell;
  readonly #shown: ShellCase;
  readonly #home: string;
  #before = '';
  #input = '';
  /** Characters of the input behind the cursor. */
  #behind = 0;

  constructor(shell: ResizedShell, shown: ShellCase, home: string) {
    this.#shell = shell;
    this.#shown = shown;
    this.#home = home;
  }

  get expected(): string {
    return `${this.#before}${this.#shown.prompt}${this.#input}`;
  }

  async check(what: string): Promise<void> {
    const { right } = this.#shown;
    const seen = (): string => (right === undefined ? this.#shell.text() : this.#shell.text().replaceAll(right, ''));
    await waitFor(what, () => seen() === this.expected, { timeoutMs: WAIT_MS }).catch(() => {
      expect(seen(), `${what}\n${this.#shell.rows().join('\n')}`).toBe(this.expected);
    });
  }

  async play(step: Step): Promise<void> {
    const shell = this.#shell;
    const room = INPUT_MAX - this.#input.length;
    switch (step.kind) {
      case 'resize':
        return shell.resize(step.size);
      case 'storm':
        return shell.resizeAll(step.sizes);
      case 'type':
        return this.#type(step.text.slice(0, Math.max(0, room)));
      case 'insert':
        return this.#insert(step.text.slice(0, Math.max(0, room)), step.back);
      case 'run':
        return this.#run();
      case 'continue':
        return this.#continueLine(step.text);
      case 'output':
        return this.#output(step);
      case 'stream':
        return this.#stream(step);
    }
  }

  #type(text: string): void {
    const at = this.#input.length - this.#behind;
    // A line that the kernel edits can't be removed from the rows above: it is run, as a command without an effect.
    const isFirst = this.#shown.isPlain === true && this.#input === '';
    this.#shell.type(`${isFirst ? ': ' : ''}${text}`);
    this.#input = this.#input.slice(0, at) + (isFirst ? ':' : '') + text + this.#input.slice(at);
  }

  #insert(text: string, back: number): void {
    // The kernel does not move the cursor.
    if (this.#shown.isPlain) return;
    const by = Math.min(back, this.#input.length - this.#behind);
    this.#shell.type('\x02'.repeat(by));
    this.#behind += by;
    this.#type(text);
  }

  /** Removes what was typed. */
  async #kill(): Promise<void> {
    if (this.#shown.isPlain !== true) this.#shell.type('\x05\x15');
    else if (this.#input !== '') {
      this.#shell.type('\r');
      this.#before += `${this.#shown.prompt}${this.#input}`;
      this.#input = '';
      await this.check('what was typed is run');
    }
    this.#input = '';
    this.#behind = 0;
  }

  async #run(): Promise<void> {
    await this.#kill();
    this.#shell.type(':\r');
    this.#before += `${this.#shown.prompt}:`;
  }

  async #continueLine(text: string): Promise<void> {
    if (this.#shown.continuation === '') return;
    await this.#kill();
    this.#shell.type(`: ${text} \\\r`);
    const prompt = `${this.#before}${this.#shown.prompt}:${text}\\${this.#shown.continuation}`;
    await waitFor('the further line begins', () => this.#plainText() === prompt);
    await this.#shell.resize({ columns: 37 + ((text.length * 7) % 80), rows: this.#shell.size.rows });
    this.#shell.type(`${text}`);
    await waitFor('the further line is typed', () => this.#plainText() === `${prompt}${text}`, {
      timeoutMs: WAIT_MS,
    }).catch(() => expect(this.#plainText(), `continued\n${this.#shell.rows().join('\n')}`).toBe(`${prompt}${text}`));
    this.#shell.type('\r');
    this.#before = `${prompt}${text}`;
  }

  #plainText(): string {
    const { right } = this.#shown;
    return right === undefined ? this.#shell.text() : this.#shell.text().replaceAll(right, '');
  }

  /** A command that writes, waits while the size changes, and writes again. */
  async #output({ lines, length, sizes }: { lines: number; length: number; sizes: Size[] }): Promise<void> {
    await this.#kill();
    const text = `${'0123456789'.repeat(15).slice(0, length)}.`;
    this.#shell.type(`./out ${lines} ${text.length - 1}\r`);
    this.#before += `${this.#shown.prompt}./out${lines}${length}${text.repeat(lines)}wait`;
    await waitFor('the first part is written', () => this.#plainText() === this.#before, { timeoutMs: WAIT_MS }).catch(
      () => expect(this.#plainText(), `output\n${this.#shell.rows().join('\n')}`).toBe(this.#before),
    );
    for (const next of sizes) this.#shell.resizeNow(next);
    this.#go();
    this.#before += `end`;
  }

  /** A command that writes while the size changes, one of its lines in two parts. */
  async #stream({ lines, length, sizes }: { lines: number; length: number; sizes: Size[] }): Promise<void> {
    await this.#kill();
    const text = `${'0123456789'.repeat(15).slice(0, length)}.`;
    this.#shell.type(`./stream ${lines} ${length}\r`);
    this.#before += `${this.#shown.prompt}./stream${lines}${length}`;
    for (const [index, next] of sizes.entries()) {
      const part = Math.ceil((lines * index) / sizes.length);
      const written = `${this.#before}${text.repeat(part)}`;
      // Its output has begun, and goes on while the window changes.
      await waitFor('some of it is written', () => this.#plainText().startsWith(written), { timeoutMs: WAIT_MS }).catch(
        () => expect(this.#plainText(), `stream\n${this.#shell.rows().join('\n')}`).toContain(written),
      );
      this.#shell.resizeNow(next);
    }
    this.#go();
    this.#before += `${text.repeat(lines)}end`;
  }

  /** Lets the command that waits go on. */
  #go(): void {
    writeFileSync(join(this.#home, 'go'), '\n', { flag: 'r+' });
  }
}
