import { join } from 'node:path';
import knex from 'knex';

/** Texts of the messages the bouncer itself has stored, in its order; soju's own database is read beside it. */
export async function keptBySoju(stackFolder: string): Promise<string[]> {
  const database = knex({
    client: 'sqlite3',
    connection: { filename: join(stackFolder, 'soju', 'soju.db') },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
  });
  try {
    const rows: { raw: string }[] = await database('Message')
      .where('raw', 'like', '% PRIVMSG %')
      .orderBy(['time', 'id'])
      .select('raw');
    return rows.map(({ raw }) => raw.slice(raw.indexOf(' PRIVMSG ')).replace(/^ PRIVMSG \S+ :?/, ''));
  } finally {
    await database.destroy();
  }
}
