import { ConfigError, messageOf } from './errors.ts';
import type { Logger } from './logger.ts';

export interface ReloadOptions<C extends object> {
  /** The configuration the program started with. */
  started: C;
  /** Reads the file again. @throws ConfigError */
  load: () => Promise<C>;
  /** Paths of the options that may change while the program runs, and of the sections whose options all may. */
  soft: readonly string[];
  /** Puts the soft options of the new configuration in force. */
  apply: (config: C) => void | Promise<void>;
  log: Logger;
}

/** Reads the configuration again at each SIGHUP. A file that can't be used leaves everything as it is. */
export function reloadOnHangup<C extends object>(options: ReloadOptions<C>): void {
  const reload = createReload(options);
  process.on('SIGHUP', () => void reload());
}

/** What SIGHUP does; several at once come one after the other. */
export function createReload<C extends object>({ started, load, soft, apply, log }: ReloadOptions<C>) {
  let applied = started;
  let last: Promise<void> = Promise.resolve();
  const reload = async (): Promise<void> => {
    try {
      const next = await load();
      await apply(next);
      const isSoft = (path: string): boolean => soft.some((name) => path === name || path.startsWith(`${name}.`));
      const changed = changedPaths(applied, next).filter(isSoft);
      const waiting = changedPaths(started, next).filter((path) => !isSoft(path));
      applied = next;
      log.info({ changed }, 'configuration reloaded');
      if (waiting.length > 0) log.warn({ options: waiting }, 'these options change at the next start only');
    } catch (error) {
      const problems = error instanceof ConfigError ? error.problems : [messageOf(error)];
      log.error({ problems }, 'configuration not reloaded: the one in force stays');
    }
  };
  return (): Promise<void> => {
    last = last.then(reload);
    return last;
  };
}

/** Paths of the values that differ; a list is one value. */
export function changedPaths(before: unknown, after: unknown, path = ''): string[] {
  if (!isPlain(before) || !isPlain(after)) return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => changedPaths(before[key], after[key], path === '' ? key : `${path}.${key}`));
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
