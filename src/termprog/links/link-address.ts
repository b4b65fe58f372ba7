import { pathOfFileAddress } from '../desktop/file-address.ts';
import { LINK_MAX_CHARACTERS } from '../engine/limits.ts';
import { letterAddress } from './letter-address.ts';

/**
 * Schemes that the desktop may open. Others run programs, or read data that a web page must not read. ours:
 * decision 125
 */
const SCHEMES: readonly string[] = ['http:', 'https:', 'mailto:', 'ftp:', 'file:'];

/** Most characters of an address that is opened. */
export const ADDRESS_MAX_CHARACTERS = LINK_MAX_CHARACTERS;

/** Most bytes of one argument of a program, including its zero byte; execve(2), MAX_ARG_STRLEN. */
const ARGUMENT_MAX_BYTES = 131_072;

/** The address for the desktop, or the reason for its refusal. */
export type OpenableAddress = { address: string } | { refusal: string };

/** Checks the address of a link. A file must be on this machine; `checkFile` examines it. */
export function openableAddress(address: string, hostName: string): OpenableAddress {
  if (address.length > ADDRESS_MAX_CHARACTERS)
    return { refusal: `it has more than ${ADDRESS_MAX_CHARACTERS} characters` };
  const found = writtenAnew(address, hostName);
  const isTooLong = 'address' in found && found.address.length >= ARGUMENT_MAX_BYTES;
  return isTooLong
    ? { refusal: `it would have ${found.address.length} bytes, more than a program can be given` }
    : found;
}

/** Returns the address of a file on this machine. */
export function addressOfFile(path: string): string {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`;
}

function writtenAnew(address: string, hostName: string): OpenableAddress {
  if (!URL.canParse(address)) return { refusal: 'it is not an address' };
  const { href, protocol } = new URL(address);
  if (!SCHEMES.includes(protocol)) {
    return { refusal: `"${protocol}" is not one of ${SCHEMES.join(' ')}` };
  }
  if (protocol === 'mailto:') return letterAddress(href);
  if (protocol !== 'file:') return { address: href };
  const path = pathOfFileAddress(address, hostName);
  if (path === undefined) return { refusal: 'it is not a file of this machine' };
  return { address: addressOfFile(path) };
}
