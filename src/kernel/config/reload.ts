import { ConfigError, messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { ServiceManager } from '../systemd/notify.ts';
import type { Loaded } from './load-config.ts';
import { pathText } from './schema-paths.ts';

/** Option -> content of the file that it names, or a value that stands for the content. */
export type Secrets = Readonly<Record<string, string>>;

/** Secret files, whose content may change while their names stay. */
export interface SecretSource<C> {
  /** Content at the start of the program. */
  started: Secrets;
  /** Reads the files that a configuration names. @throws StartError */
  read: (config: C) => Secrets;
  /** Options whose content `apply` puts in force; the others wait for the next start. */
  soft: readonly string[];
}

export interface ReloadOptions<C extends object> {
  /** The configuration the program started with. */
  started: C;
  /** Reads the file again. @throws ConfigError */
  load: () => Promise<Omit<Loaded<C>, 'warnings'>>;
  /** Puts a configuration and its secrets in force; it differs from the previous one in soft options only. */
  apply: (config: C, secrets: Secrets) => void | Promise<void>;
  secrets?: SecretSource<C>;
  /** Manager that is notified of the beginning and end of a reload. */
  manager?: Pick<ServiceManager, 'reloading' | 'ready'>;
  log: Logger;
}

/**
 * Returns the handler of SIGHUP, which reads the configuration again. An invalid file leaves the configuration in force.
 * Requests that come during a reload share one further reload after it.
 */
export function createReload<C extends object>({ started, load, apply, secrets, manager, log }: ReloadOptions<C>) {
  let applied = started;
  let appliedSecrets = secrets?.started ?? {};
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const reload = async (): Promise<void> => {
    try {
      const { value, soft } = await load();
      const wanted = soft.reduce((config, path) => withValueOf(config, value, path), started);
      const contents = secrets?.read(wanted) ?? {};
      await apply(wanted, contents);
      const changed = [...changedPaths(applied, wanted), ...changedSecrets(appliedSecrets, contents)];
      const stale = changedSecrets(secrets?.started ?? {}, contents).filter((name) => !secrets?.soft.includes(name));
      const waiting = [...new Set([...changedPaths(wanted, value), ...stale])];
      applied = wanted;
      appliedSecrets = contents;
      log.info({ changed }, 'configuration reloaded');
      if (waiting.length > 0) log.warn({ options: waiting }, 'these options change at the next start only');
    } catch (error) {
      const problems = error instanceof ConfigError ? error.problems : [messageOf(error)];
      log.error({ problems }, 'configuration not reloaded: the one in force stays');
    }
  };
  return (): Promise<void> => {
    next ??= last.then(async () => {
      // A request from here on may follow a change of the file after this reading, so it needs a reload of its own.
      next = undefined;
      if (manager !== undefined) await manager.reloading();
      await reload();
      if (manager !== undefined) await manager.ready();
    });
    last = next;
    return last;
  };
}

/** `config` with the value that `other` has at `path`; both have every section that the path leads through. */
function withValueOf<C>(config: C, other: C, [key, ...rest]: readonly string[]): C {
  if (key === undefined) return other;
  const [here, there] = [config, other] as Record<string, unknown>[];
  return { ...here, [key]: withValueOf(here?.[key], there?.[key], rest) } as C;
}

/** Options whose files have another content than before; the content itself is never logged. */
const changedSecrets = (before: Secrets, after: Secrets): string[] =>
  Object.keys(after).filter((name) => after[name] !== before[name]);

/** Paths of the values that differ; a list is one value. */
export function changedPaths(before: unknown, after: unknown, path: readonly string[] = []): string[] {
  if (!isPlain(before) || !isPlain(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [pathText(path)];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => changedPaths(before[key], after[key], [...path, key]));
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
