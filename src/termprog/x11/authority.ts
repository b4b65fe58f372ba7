/** One cookie for an X server. */
export interface Cookie {
  name: string;
  data: string;
}

/** Families of an authority file; Xau(3). */
const FAMILY_LOCAL = 256;
const FAMILY_WILD = 65_535;

interface Entry {
  family: number;
  address: Buffer;
  display: string;
  name: string;
  data: string;
}

/**
 * Returns the MIT-MAGIC-COOKIE-1 of an authority file for a display; undefined if there is none.
 * @param addresses of the server: the host's name for a local one, otherwise its network addresses as bytes
 */
export function findCookie(file: Buffer, displayNumber: number, addresses: readonly Buffer[]): Cookie | undefined {
  const entry = parseEntries(file).find(
    ({ family, address, display, name }) =>
      name === 'MIT-MAGIC-COOKIE-1' &&
      (display === '' || display === `${displayNumber}`) &&
      (family === FAMILY_WILD || addresses.some((wanted) => isSameAddress(family, address, wanted))),
  );
  return entry && { name: entry.name, data: entry.data };
}

/**
 * Whether an entry has the wanted address. A host name matches local entries only: one of four letters must not match a
 * network address.
 */
function isSameAddress(family: number, address: Buffer, wanted: Buffer): boolean {
  const isNetworkAddress = wanted.length === 4 || wanted.length === 16;
  return (family === FAMILY_LOCAL || isNetworkAddress) && address.equals(wanted);
}

/** Parses the entries in order, up to the first truncated one. */
function parseEntries(file: Buffer): Entry[] {
  const entries: Entry[] = [];
  let offset = 0;
  const takeField = (): Buffer | undefined => {
    if (offset + 2 > file.length) return undefined;
    const end = offset + 2 + file.readUInt16BE(offset);
    const field = file.subarray(offset + 2, end);
    offset = end;
    return end > file.length ? undefined : field;
  };
  while (offset + 2 <= file.length) {
    const family = file.readUInt16BE(offset);
    offset += 2;
    const [address, display, name, data] = [takeField(), takeField(), takeField(), takeField()];
    if (address === undefined || display === undefined || name === undefined || data === undefined) break;
    entries.push({
      family,
      address,
      display: display.toString('latin1'),
      name: name.toString('latin1'),
      data: data.toString('latin1'),
    });
  }
  return entries;
}
