import { z } from 'zod';

/** Names of the files in a backup's directory. Names in a manifest are never used as paths. */
export const MANIFEST_FILE = 'manifest.json';
export const DATABASE_FILE = 'connector.db';
export const KEYS_FILE = 'keys.json';

export const PROGRAM = 'homeport-connector';
/** Format of the directory and the manifest; a higher number comes from a later version of the program. */
const FORMAT = 1;
/** Most bytes of a manifest, which has a few hundred: without a bound a wrong file would fill the memory. */
export const MANIFEST_MAX_BYTES = 1_048_576;

const StoredFile = z.object({ bytes: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

const Manifest = z.object({
  program: z.literal(PROGRAM),
  format: z.literal(FORMAT),
  /** Version of the program that made the backup. */
  version: z.string(),
  /** Time of the database's snapshot, in ISO 8601. */
  madeAt: z.iso.datetime(),
  /** The kind of database that was backed up; the file is one of SQLite in each case. */
  madeOf: z.enum(['sqlite', 'postgres']),
  /** Names of the steps of its schema, in order. */
  migrations: z.array(z.string()).min(1),
  /** Owner of the data, as the database records it; null if no connector has started on it yet. */
  installation: z
    .object({ baseUrl: z.string(), issuer: z.string(), networks: z.array(z.string()).readonly() })
    .nullable(),
  files: z.object({ [DATABASE_FILE]: StoredFile, [KEYS_FILE]: StoredFile.optional() }),
});

/** Description of a backup, without secrets. */
export type Manifest = z.output<typeof Manifest>;
export type StoredFile = z.output<typeof StoredFile>;

export const newManifest = (content: Omit<Manifest, 'program' | 'format'>): Manifest => ({
  program: PROGRAM,
  format: FORMAT,
  ...content,
});

const AnyFormat = z.object({ program: z.literal(PROGRAM), format: z.int(), version: z.string() });

/**
 * A manifest, or the reason that it can't be used: a later version of the program made it, or the file is not a
 * manifest.
 */
export type ReadManifest =
  | { kind: 'manifest'; manifest: Manifest }
  | { kind: 'later'; version: string }
  | { kind: 'none' };

export function manifestOf(text: string): ReadManifest {
  const content = jsonOf(text);
  const any = AnyFormat.safeParse(content);
  if (!any.success) return { kind: 'none' };
  if (any.data.format > FORMAT) return { kind: 'later', version: any.data.version };
  const parsed = Manifest.safeParse(content);
  return parsed.success ? { kind: 'manifest', manifest: parsed.data } : { kind: 'none' };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema rejects undefined.
    return undefined;
  }
}
