import type { TestProject } from 'vitest/node';
import { countWorkOf } from '../../scripts/stack/idle-clock.ts';
import { startPostgres } from '../../scripts/stack/postgres.ts';
import { migrateDatabase } from '../../src/connector/store/database.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { administer } from './administer.ts';
import { tempFolderInMemory } from './temp-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's PostgreSQL; only tests that run on it have it. */
    postgres?: {
      host: string;
      port: number;
      superuser: string;
      certificate: string;
      /** A database whose schema is up to date; it is only the template of others. */
      migrated: string;
    };
  }
}

const MIGRATED = 'template_migrated';

/** One server for a whole run; each test has its own database in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await tempFolderInMemory();
  const server = await startPostgres({ folder: folder.path });
  const { socketDirectory: host, port, superuser, certificate } = server;
  countWorkOf(server.process.pid);
  await administer({ host, port, superuser }, `CREATE DATABASE ${MIGRATED} TEMPLATE template0`);
  const migrated = { host, port, database: MIGRATED, user: superuser, password: undefined };
  await migrateDatabase({ postgres: { ...migrated, tls: 'off', poolSize: 1 } }, systemClock);
  project.provide('postgres', { host, port, superuser, certificate, migrated: MIGRATED });
  return async () => {
    await server.stop();
    await folder[Symbol.asyncDispose]();
  };
}
