import { randomBytes } from 'node:crypto';
import { namedMembers, pathText } from '../config/schema-paths.ts';
import type { SchemaNode } from '../config/schema-tree.ts';
import { StartError } from '../errors.ts';
import { pathValue } from './unit-file.ts';

const PREFIX = '$CREDENTIALS_DIRECTORY/';

const TOKEN_BYTES = 32;

/** A file with a secret that systemd hands over to the service, whose account may read no file of root's. */
export interface Credential {
  /** Option that names it. */
  option: string;
  name: string;
  /** Its path on the machine. */
  file: string;
}

/**
 * The credentials a configuration names.
 * @param fileOf returns the path of the credential of a name
 * @throws StartError for an option that names a file otherwise
 */
export function credentialsOf(schema: SchemaNode, config: unknown, fileOf: (name: string) => string): Credential[] {
  return secretFilesIn(schema, config).map(({ path, value }) => {
    const option = pathText(path);
    const name = value.startsWith(PREFIX) ? value.slice(PREFIX.length) : '';
    // `.` and `..` name folders.
    if (/^(?!\.{1,2}$)[A-Za-z0-9._-]+$/.test(name)) return { option, name, file: fileOf(name) };
    const wanted = path.join('.');
    throw new StartError(
      `${option}: the service could not read ${value}: set it to ${PREFIX}${wanted} and put the secret into ${fileOf(wanted)}`,
    );
  });
}

/** Value of a LoadCredential directive. @see systemd.exec(5), Credentials */
export function loadCredential({ name, file }: Credential): string {
  return `${name}:${pathValue(file)}`;
}

/** A random token of 32 bytes in hexadecimal, with a line break. */
export function randomToken(): string {
  return `${randomBytes(TOKEN_BYTES).toString('hex')}\n`;
}

/** Paths and values of the options that name a file with a secret. */
export function secretFilesIn(schema: SchemaNode, config: unknown): { path: readonly string[]; value: string }[] {
  return secretsIn(schema, config, []);
}

function secretsIn(
  node: SchemaNode,
  value: unknown,
  path: readonly string[],
): { path: readonly string[]; value: string }[] {
  if (typeof value === 'string') return node.meta.secret === true ? [{ path, value }] : [];
  const members = namedMembers(node.shape);
  return Object.entries(value ?? {}).flatMap(([key, inner]) => {
    const member = members.get(key);
    return member === undefined ? [] : secretsIn(member, inner, [...path, key]);
  });
}
