import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, StartError, systemCodeOf } from '../../kernel/errors.ts';
import { SEAL_KEY_BYTES } from './seal.ts';

const RSA_BITS = 2048;

const KeyFile = z.object({
  sealKey: z.base64(),
  cookieKeys: z.array(z.string().min(32)).min(1),
  signingKey: z.record(z.string(), z.unknown()),
});

/** Keys that the connector makes at its first start and keeps. */
export interface StateKeys {
  /** Encrypts stored texts. */
  sealKey: Buffer;
  /** Sign the authorization server's cookies, newest first. */
  cookieKeys: string[];
  /** Private JWK that the authorization server's library needs. */
  signingKey: Record<string, unknown>;
}

/** Reads the keys of the state directory, or makes them. @throws StartError when the directory or the file can't be used */
export function loadStateKeys(stateDirectory: string): StateKeys {
  const file = join(stateDirectory, 'keys.json');
  try {
    mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    return readKeys(file) ?? makeKeys(file);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`stateDirectory: ${stateDirectory} can't be used (${messageOf(error)})`, { cause: error });
  }
}

function readKeys(file: string): StateKeys | undefined {
  let text: string;
  try {
    if ((statSync(file).mode & 0o077) !== 0) {
      throw new StartError(`${file} is readable by group or others: chmod 600 ${file}`);
    }
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const parsed = KeyFile.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new StartError(`${file} is damaged: restore it from a backup, without it no stored secret opens`);
  return { ...parsed.data, sealKey: Buffer.from(parsed.data.sealKey, 'base64') };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses undefined, with a message that doesn't quote the file.
    return undefined;
  }
}

/** The file appears complete or not at all; when two processes start at once, both use the first one's. */
function makeKeys(file: string): StateKeys {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
  const content = {
    sealKey: randomBytes(SEAL_KEY_BYTES).toString('base64'),
    cookieKeys: [randomBytes(SEAL_KEY_BYTES).toString('base64url')],
    signingKey: { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' },
  };
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  const keys = readKeys(file);
  if (keys === undefined) throw new StartError(`${file} vanished while it was made`);
  return keys;
}
