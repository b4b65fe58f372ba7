import type { Host } from '../../host/host.ts';
import type { RootFiles } from '../../host/root-tree.ts';

/** Paths of the file; the first that exists wins. @see os-release(5) */
const FILES = ['/etc/os-release', '/usr/lib/os-release'] as const;

/** Characters a backslash keeps from their meaning between double quotes. */
const ESCAPED = /\\(["$`\\])/g;

/** Keys of an os-release file; those that the file lacks are missing. */
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

/** Several collectors ask for the same file at the same moment: they share one answer. */
function sharedWhileAsked<T>(ask: (root: RootFiles) => Promise<T>): (host: Host) => Promise<T> {
  const asked = new WeakMap<RootFiles, Promise<T>>();
  return ({ root }) => {
    const earlier = asked.get(root);
    if (earlier !== undefined) return earlier;
    const answer = ask(root).finally(() => asked.delete(root));
    asked.set(root, answer);
    return answer;
  };
}

/** Parses again only when the text has changed, as after an update of the distribution. */
function createReader(): (root: RootFiles) => Promise<OsRelease> {
  let parsed: { text: string; values: OsRelease } = { text: '', values: {} };
  return async (root) => {
    for (const file of FILES) {
      const text = await root.read(file);
      if (text === undefined) continue;
      if (parsed.text !== text) parsed = { text, values: parseOsRelease(text) };
      return parsed.values;
    }
    return {};
  };
}

/** Empty where there is no such file. @throws UnreadableSourceError */
export const readOsRelease = sharedWhileAsked(createReader());

/** File that only NixOS has, also a derivative that changed its name; nixos-rebuild looks for it too. */
const NIXOS_MARK = '/etc/NIXOS';

/** Whether the host runs NixOS. `/run/current-system` is no evidence: Guix System has it too. */
export async function isNixos(host: Host): Promise<boolean> {
  return (await readOsRelease(host))['ID'] === 'nixos' || (await hasMark(host));
}

const hasMark = sharedWhileAsked(async (root) => root.has(NIXOS_MARK));
