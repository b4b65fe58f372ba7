import type { Host } from '../../host/host.ts';

/** Where distributions put it; the first wins. @see os-release(5) */
const FILES = ['/etc/os-release', '/usr/lib/os-release'] as const;

/** Characters a backslash keeps from their meaning between double quotes. */
const ESCAPED = /\\(["$`\\])/g;

/** What a distribution says about itself; each key is missing where the file does not have it. */
export type OsRelease = Readonly<Record<string, string>>;

/** Assignments of a shell: words, single and double quotes, comments. Lines of another form are skipped. */
export function parseOsRelease(text: string): OsRelease {
  const values: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, key, value] = /^\s*([A-Z][A-Z0-9_]{0,63})=(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) values[key] = unquote(value.trim());
  }
  return values;
}

function unquote(value: string): string {
  const quote = value.at(0);
  if (value.length >= 2 && value.at(-1) === quote) {
    if (quote === "'") return value.slice(1, -1);
    if (quote === '"') return value.slice(1, -1).replaceAll(ESCAPED, '$1');
  }
  return value.replaceAll(/\\(.)/g, '$1');
}

/** Empty where there is no such file. @throws UnreadableSourceError */
export async function readOsRelease(host: Host): Promise<OsRelease> {
  for (const file of FILES) {
    const text = await host.root.read(file);
    if (text !== undefined) return parseOsRelease(text);
  }
  return {};
}

/** What NixOS alone has, also where a descendant has given itself another name; nixos-rebuild looks for it too. */
const NIXOS_MARK = '/etc/NIXOS';

/** Whether it is NixOS. `/run/current-system` does not tell: Guix System has it too. */
export async function isNixos(host: Host): Promise<boolean> {
  return (await readOsRelease(host))['ID'] === 'nixos' || (await host.root.has(NIXOS_MARK));
}
