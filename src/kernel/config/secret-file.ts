import { messageOf, StartError, systemCodeOf } from '../errors.ts';
import { readRegularFile } from './regular-file.ts';

/** Prefix of a path that systemd's LoadCredential fills; systemd.exec(5). */
const CREDENTIALS_PREFIX = '$CREDENTIALS_DIRECTORY/';

/** Largest secret file: far more than any token or password; systemd passes no larger credential. */
const SECRET_BYTES_MAX = 1_048_576;

/**
 * Content of a secret file without its one trailing newline.
 * A path that starts with `$CREDENTIALS_DIRECTORY/` is resolved against that directory, whose permissions systemd keeps.
 * @param option path of the option that named the file, for messages
 * @throws StartError when the file is missing, empty, not a regular file, or readable by group or others
 */
export function readSecretFile(path: string, option: string, credentialsDirectory: string | undefined): string {
  const credential = path.startsWith(CREDENTIALS_PREFIX);
  if (credential && credentialsDirectory === undefined) {
    throw new StartError(
      `${option}: ${path} is there only for the service, by LoadCredential of its unit: by hand, set CREDENTIALS_DIRECTORY to a directory with such a file`,
    );
  }
  const file = credential ? `${credentialsDirectory}/${path.slice(CREDENTIALS_PREFIX.length)}` : path;
  let text: string;
  try {
    text = readRegularFile(file, (found) => {
      if (!found.isFile() || found.size > SECRET_BYTES_MAX) {
        throw new StartError(`${option}: ${file} is not a small regular file: name the file that holds the secret`);
      }
      if (!credential && (found.mode & 0o077) !== 0) {
        throw new StartError(`${option}: ${file} is readable by group or others: chmod 600 ${file}`);
      }
    });
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason =
      systemCodeOf(error) === 'ENOENT'
        ? `does not exist: make it, or name another`
        : `can't be read (${messageOf(error)})`;
    throw new StartError(`${option}: ${file} ${reason}`, { cause: error });
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new StartError(`${option}: ${file} is empty: write the secret into it, in one line`);
  return secret;
}
