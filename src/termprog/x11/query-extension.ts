import type { XConnection } from './x-connection.ts';

/** Request code of QueryExtension; X11 protocol. */
const QUERY_EXTENSION = 98;

/** Bytes of the request before the name, which is padded to words. */
const HEADER_BYTES = 8;

/** Codes that a server has assigned to an extension. */
export interface Extension {
  /** First byte of all its requests. */
  majorOpcode: number;
  /** Code of its first event. */
  firstEvent: number;
}

/**
 * Queries an extension by its name in Latin-1. Undefined when the server does not have it.
 * @throws RequestRefusedError when the server refuses the query
 * @throws DisplayUnavailableError when the server went away
 */
export function queryExtension(connection: XConnection, name: string): Promise<Extension | undefined> {
  const request = Buffer.alloc(HEADER_BYTES + ((name.length + 3) & ~3));
  request[0] = QUERY_EXTENSION;
  request.writeUInt16LE(request.length / 4, 2);
  request.writeUInt16LE(name.length, 4);
  request.write(name, HEADER_BYTES, 'latin1');
  return connection.askPacked(`the extension ${name}`, request, (body) =>
    body[0] === 1 ? { majorOpcode: body[1] ?? 0, firstEvent: body[2] ?? 0 } : undefined,
  );
}
