import { readFileSync } from 'node:fs';
import * as z from 'zod/v4/core';
import { ConfigError, messageOf, systemCodeOf } from '../errors.ts';
import { problemsOf } from './problems.ts';
import { readRegularFile } from './regular-file.ts';
import { pendingPaths, softPaths } from './schema-paths.ts';
import { schemaTree } from './schema-tree.ts';

/** A validated configuration, with warnings for its author. */
export interface Loaded<T> {
  value: T;
  /** Lines about options that are set and have no effect in this version. */
  warnings: string[];
  /** Paths of the sections and options that a reload applies. */
  soft: string[][];
}

/**
 * At a start the file may be a pipe, as from `--config <(command)`. A running service must not wait for a writer, so a
 * reload reads regular files only.
 */
const READERS = {
  start: (file: string): string => readFileSync(file, 'utf8'),
  reload: (file: string): string => readRegularFile(file),
};

/**
 * Reads and validates a JSON configuration file.
 * @param when a reload takes regular files only
 * @throws ConfigError with every problem: path, expected, received
 */
export async function loadConfig<S extends z.$ZodType>(
  file: string,
  schema: S,
  when: keyof typeof READERS = 'start',
): Promise<Loaded<z.output<S>>> {
  let text: string;
  try {
    text = READERS[when](file);
  } catch (error) {
    const reason =
      systemCodeOf(error) === 'ENOENT' ? 'the file does not exist' : `the file can't be read (${messageOf(error)})`;
    throw new ConfigError(file, [`${reason}: name another with --config FILE`]);
  }
  const input = await parseJson(file, text);
  const parsed = z.safeParse(schema, input, { reportInput: true });
  const tree = schemaTree(schema);
  if (!parsed.success)
    throw new ConfigError(
      file,
      parsed.error.issues.flatMap((issue) => problemsOf(issue, tree)),
    );
  return {
    value: parsed.data,
    warnings: pendingPaths(tree, input).map((path) => `${path} is set but has no effect in this version`),
    soft: softPaths(tree),
  };
}

async function parseJson(file: string, text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    // The message of `JSON.parse` quotes the file, which may hold a secret. The parser that names only places is loaded
    // for a bad file only.
    const { syntaxProblems } = await import('./syntax-problems.ts');
    throw new ConfigError(file, syntaxProblems(text));
  }
}
