/**
 * An earlier version of the program, which can't share, has the database; or another program that takes the same lock.
 */
export class EarlierVersion extends Error {
  constructor() {
    super('an earlier version of the program, or another one, has taken the database');
  }
}
