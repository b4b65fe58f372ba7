import type { XResourceRow } from '../../../schemas/termprog/resource-table.ts';
import type { ResolvedResource } from '../xresource/resolve-resources.ts';
import type { ResourceReader } from '../xresource/resource-reader.ts';
import { bytesByName, readerOf } from '../xresource/settings.ts';
import type { LiveName, OptionName, OptionValue } from './option-types.ts';

/** Only parts of the program watch options, so more watchers than this are a leak. */
const WATCHERS_MAX = 1_000;

type Watcher = () => void;

/**
 * The resources in force: those of the sources, with later changes by menus and actions. Values are typed by the name
 * of their row. Code that uses a value reads it when needed, or watches it.
 */
export class LiveOptions {
  /** The values in force as text, for readers of many values. */
  readonly reader: ResourceReader;
  readonly #texts: Map<string, string | undefined>;
  readonly #bytes: Map<string, string>;
  /** Parsed values, cached on first use. */
  readonly #values = new Map<string, unknown>();
  readonly #rows: ReadonlyMap<string, XResourceRow>;
  readonly #watchers = new Map<string, Set<Watcher>>();
  #watching = 0;

  constructor(resolved: readonly ResolvedResource[]) {
    this.#texts = new Map(resolved.map(({ row, value }) => [row.name, value]));
    this.#rows = new Map(resolved.map(({ row }) => [row.name, row]));
    this.#bytes = bytesByName(resolved);
    this.reader = readerOf(this.#texts, this.#bytes);
  }

  get<Name extends OptionName>(name: Name): OptionValue<Name> {
    const value = this.#values.get(name) ?? this.#valueOf(name);
    return value as OptionValue<Name>;
  }

  /** Changes a value; its watchers are called, once, before this returns. */
  set<Name extends LiveName>(name: Name, value: OptionValue<Name>): void {
    const text = value === undefined ? undefined : String(value);
    if (this.#texts.get(name) === text) return;
    this.#texts.set(name, text);
    this.#bytes.delete(name);
    this.#values.set(name, value);
    for (const watcher of this.#watchers.get(name) ?? []) watcher();
  }

  /** Calls `changed` after every change of the named values, until the returned function is called. */
  watch(names: readonly LiveName[], changed: Watcher): () => void {
    if (this.#watching + names.length > WATCHERS_MAX) throw new Error('too many parts watch the options');
    // A function of its own, so that watching twice registers two watchers.
    const watcher = (): void => changed();
    for (const name of names) {
      const watchers = this.#watchers.get(name) ?? new Set();
      this.#watchers.set(name, watchers.add(watcher));
    }
    this.#watching += names.length;
    return () => {
      for (const name of names) if (this.#watchers.get(name)?.delete(watcher) === true) this.#watching -= 1;
    };
  }

  #valueOf(name: string): unknown {
    if (this.#values.has(name)) return this.#values.get(name);
    const text = this.reader.text(name);
    const value = text === undefined ? undefined : this.#valueIn(name, text);
    this.#values.set(name, value);
    return value;
  }

  /** Parses a text, which was checked when it was set. */
  #valueIn(name: string, text: string): unknown {
    const reading = this.#rows.get(name)?.read(text);
    if (reading !== undefined && !('value' in reading))
      throw new Error(`${name} is "${text}", not ${reading.expected}`);
    return reading?.value;
  }
}
