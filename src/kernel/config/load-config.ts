import { readFileSync } from 'node:fs';
import { type ParseError, parse } from 'jsonc-parser';
import * as z from 'zod/v4/core';
import { ConfigError, messageOf, systemCodeOf } from '../errors.ts';
import { problemsOf } from './problems.ts';
import { pendingPaths, softPaths } from './schema-paths.ts';
import { schemaTree } from './schema-tree.ts';
import { syntaxProblemsOf } from './syntax-problems.ts';

/** A validated configuration and what its reader should be told. */
export interface Loaded<T> {
  value: T;
  /** One line per option that is set and has no effect in this version. */
  warnings: string[];
  /** Paths of the sections and options that a reload applies. */
  soft: string[][];
}

/**
 * Reads and validates a JSON configuration file.
 * @throws ConfigError with every problem: path, expected, received
 */
export function loadConfig<S extends z.$ZodType>(file: string, schema: S): Loaded<z.output<S>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason =
      systemCodeOf(error) === 'ENOENT' ? 'the file does not exist' : `the file can't be read (${messageOf(error)})`;
    throw new ConfigError(file, [`${reason}: name another with --config FILE`]);
  }
  const input = parseJson(file, text);
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

function parseJson(file: string, text: string): unknown {
  const errors: ParseError[] = [];
  const input: unknown = parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  if (errors.length > 0) throw new ConfigError(file, syntaxProblemsOf(text, errors));
  return input;
}
