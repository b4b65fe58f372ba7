import { StartError } from '../errors.ts';
import type { Directives } from './hardening.ts';

/** Text of a unit: each section with its directives, a list as a repeated one. @see systemd.syntax(7) */
export function unitText(sections: Readonly<Record<string, Directives>>): string {
  return Object.entries(sections)
    .map(([name, directives]) => {
      const lines = Object.entries(directives).flatMap(([key, value]) =>
        [value].flat().map((one) => `${key}=${typeof one === 'boolean' ? yesOrNo(one) : one}\n`),
      );
      return `[${name}]\n${lines.join('')}`;
    })
    .join('\n');
}

/**
 * A command line of these words, with every special character escaped. @see systemd.service(5), Command lines
 * @throws StartError for a program whose path systemd cannot start
 */
export function commandLine(program: string, ...words: string[]): string {
  if (/["'\\\p{Cc}]/u.test(program)) {
    throw new StartError(
      `systemd starts no program at ${JSON.stringify(program)}: move it to a path without quotes, backslashes and control characters`,
    );
  }
  // systemd expands variables only in the words behind the program, so a dollar sign is doubled there.
  return [quoted(program), ...words.map((word) => quoted(word.replaceAll('$', '$$$$')))].join(' ');
}

/** Escapes the specifiers of systemd in a text that needs no other escape. @see systemd.unit(5), Specifiers */
export function plainText(text: string): string {
  return text.replaceAll('%', '%%');
}

/**
 * A path that is the whole value of a directive or its end: systemd reads no quotes and no escapes there.
 * @throws StartError for a path that a line of a unit cannot end with
 */
export function pathValue(path: string): string {
  if (!/[\n\r]|^\s|[\s\\]$/.test(path)) return plainText(path);
  throw new StartError(
    `a unit cannot name ${JSON.stringify(path)}: choose a path without line breaks, without a blank at either end and without a backslash at its end`,
  );
}

function quoted(word: string): string {
  const text = plainText(word);
  if (/^[A-Za-z0-9_@%$+=:,./-]+$/.test(text)) return text;
  const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return `"${text.replaceAll(/["\\\n\r\t]/g, (character) => escapes[character] ?? `\\${character}`)}"`;
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
