import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The private folder of one demo: configuration, secrets, data, logs. */
export interface DemoFolder {
  path: string;
  at(...parts: string[]): string;
  /** Writes a new random secret into a file only this user can read, and returns it. */
  secret(name: string): Promise<{ file: string; value: string }>;
  json(name: string, value: unknown): Promise<string>;
  remove(): Promise<void>;
}

export async function createFolder(): Promise<DemoFolder> {
  const path = await mkdtemp(join(tmpdir(), 'homeport-demo-'));
  const at = (...parts: string[]): string => join(path, ...parts);
  return {
    path,
    at,
    secret: async (name) => {
      const value = randomBytes(24).toString('base64url');
      await writeFile(at(name), `${value}\n`, { mode: 0o600 });
      return { file: at(name), value };
    },
    json: async (name, value) => {
      await writeFile(at(name), `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
      return at(name);
    },
    // A killed process may still be writing its last lines.
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
