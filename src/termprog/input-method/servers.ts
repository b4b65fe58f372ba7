import { RequestRefusedError } from '../errors.ts';
import type { XConnection } from '../x11/x-connection.ts';

/** Most servers that are tried; people run one. */
const SERVERS_MAX = 16;

const ATOM = 4;
const SERVER_PREFIX = '@server=';

/** Names that stand for no server. */
const NO_SERVER: ReadonlySet<string> = new Set(['none', 'local']);

/** Returns the server that the environment names; null if it disables input methods, undefined for any server. */
export function serverNamed(modifiers: string | undefined): string | null | undefined {
  const name = /@im=([^@]*)/.exec(modifiers ?? '')?.[1];
  if (name === undefined || name === '') return undefined;
  return NO_SERVER.has(name) ? null : name;
}

/** Returns the window of the named input method server, or of the first one that runs; undefined if there is none. */
export async function findServer(connection: XConnection, name: string | undefined): Promise<number | undefined> {
  for (const selection of name === undefined ? await registered(connection) : [await namedAtom(connection, name)]) {
    if (selection === 0) continue;
    const owner = await connection.ask<number>('an input method', (client, reply) =>
      client.GetSelectionOwner(selection, reply),
    );
    if (owner !== 0) return owner;
  }
  return undefined;
}

function namedAtom(connection: XConnection, name: string): Promise<number> {
  return connection.internAtom(`${SERVER_PREFIX}${name}`, { onlyIfExists: true });
}

/** Returns the selections of the registered servers. X Input Method Protocol, 2.1 */
async function registered(connection: XConnection): Promise<readonly number[]> {
  const property = await connection.internAtom('XIM_SERVERS', { onlyIfExists: true });
  if (property === 0) return [];
  const { data } = await connection.ask<{ data: Buffer }>('input methods', (client, reply) =>
    client.GetProperty(0, connection.screen.root, property, ATOM, 0, SERVERS_MAX, reply),
  );
  const atoms = Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(4 * index));
  const names = await Promise.all(atoms.map((atom) => nameOf(connection, atom)));
  return atoms.filter((_atom, index) => names[index]?.startsWith(SERVER_PREFIX));
}

/** Undefined for a number that is not an atom: any client may have written it. */
function nameOf(connection: XConnection, atom: number): Promise<string | undefined> {
  return connection
    .ask<string>('the name of an input method', (client, reply) => client.GetAtomName(atom, reply))
    .catch((error: unknown) => {
      if (error instanceof RequestRefusedError) return undefined;
      throw error;
    });
}
