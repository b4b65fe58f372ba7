import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { EXIT_CONFIG, messageOf, StartError } from '../../kernel/errors.ts';

/** Certificates of the owner's own authorities, in PEM. @throws StartError where the file holds none */
export function readAuthorities(file: string): string {
  try {
    const pem = readFileSync(file, 'utf8');
    // The TLS library passes over what it can't read, and every callback would fail later.
    new X509Certificate(pem);
    return pem;
  } catch (error) {
    throw new StartError(
      `events.callbackCaFile: ${file} can't be used (${messageOf(error)}): give it the certificates of the authorities in PEM`,
      { exitStatus: EXIT_CONFIG, cause: error },
    );
  }
}
