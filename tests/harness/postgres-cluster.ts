import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../scripts/stack/postgres.ts';
import { tempFolder } from './temp-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the run's PostgreSQL is; only tests that run on it have it. */
    postgres?: { host: string; port: number; superuser: string; certificate: string };
  }
}

/** One server for a whole run; each test has its own database in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await tempFolder();
  const server = await startPostgres({ folder: folder.path });
  const { socketDirectory: host, port, superuser, certificate } = server;
  project.provide('postgres', { host, port, superuser, certificate });
  return async () => {
    await server.stop();
    await folder[Symbol.asyncDispose]();
  };
}
