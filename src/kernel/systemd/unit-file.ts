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

/** A word of a command line, in which nothing has a meaning of its own. @see systemd.service(5), Command lines */
export function commandWord(word: string): string {
  const plain = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[A-Za-z0-9_@%$+=:,./-]+$/.test(plain) ? plain : `"${plain.replaceAll(/["\\]/g, '\\$&')}"`;
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
