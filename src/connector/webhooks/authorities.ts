import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { EXIT_CONFIG, messageOf, StartError } from '../../kernel/errors.ts';

/** Reads the certificates of the owner's own authorities, in PEM. @throws StartError for a file without certificates */
export function readAuthorities(file: string): string {
  try {
    const pem = readFileSync(file, 'utf8');
    // The TLS library skips unreadable certificates, and every callback would fail later.
    new X509Certificate(pem);
    return pem;
  } catch (error) {
    throw new StartError(
      `events.callbackCaFile: ${file} can't be used (${messageOf(error)}): give it the certificates of the authorities in PEM`,
      { exitStatus: EXIT_CONFIG, cause: error },
    );
  }
}
