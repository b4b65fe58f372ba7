import type { Database } from '../../../src/connector/store/database.ts';

/** Tables of the processes themselves, and of the steps of a test. */
const NOT_WATCHED = ['slots', 'processes', 'trespasses', 'knex_migrations', 'knex_migrations_lock'];

/** Filled by who takes the slot, with the taking. */
const OWED = 'owed_passwords';

/**
 * From now on the database itself writes down each row that a process stores, changes or removes which does not have the
 * slot at that moment. Connections say by their names of which process they are.
 */
export async function watchTrespasses(database: Database): Promise<() => Promise<string[]>> {
  await database.raw(`
    CREATE TABLE trespasses (what text NOT NULL);
    CREATE FUNCTION note_trespass() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF current_setting('application_name') <> 'homeport-connector ' || (SELECT process_id FROM slots) THEN
        INSERT INTO trespasses VALUES (TG_OP || ' ' || TG_TABLE_NAME);
      END IF;
      RETURN NULL;
    END $$`);
  const tables: string[] = await database('pg_tables').where('schemaname', 'public').pluck('tablename');
  for (const table of tables.filter((name) => !NOT_WATCHED.includes(name))) {
    await database.raw(
      `CREATE TRIGGER note_trespass AFTER ${table === OWED ? '' : 'INSERT OR '}UPDATE OR DELETE ON ?? FOR EACH ROW EXECUTE FUNCTION note_trespass()`,
      [table],
    );
  }
  return () => database('trespasses').pluck('what');
}
