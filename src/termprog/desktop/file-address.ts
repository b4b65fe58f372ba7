/**
 * Returns the path of a `file:` address on this machine; undefined for another machine's, and for one without a valid
 * path. The machine's name must match as a whole: the same short name may be another machine elsewhere. RFC 8089
 */
export function pathOfFileAddress(address: string, hostName: string): string | undefined {
  const [, host, encoded] = /^file:\/\/([^/?#]*)(\/[^?#]*)$/i.exec(address) ?? [];
  if (host === undefined || encoded === undefined) return undefined;
  const isHere = host === '' || [hostName.toLowerCase(), 'localhost'].includes(host.toLowerCase());
  const path = isHere ? decoded(encoded) : undefined;
  return path?.includes('\0') === true ? undefined : path;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign without two digits, or bytes that are not UTF-8: this is no address of a file.
    return undefined;
  }
}
