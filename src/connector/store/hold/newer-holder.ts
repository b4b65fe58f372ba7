/** Error: a process of a newer version has the database, and is about to change it so that this program can't read it. */
export class NewerHolder extends Error {
  constructor(name: string | undefined) {
    super(
      `${name ?? 'another process'}, which is of a newer version, has taken the database, and changes it: install that version here, too`,
    );
  }
}
