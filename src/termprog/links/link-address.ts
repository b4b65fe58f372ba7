import { pathOfFileAddress } from '../desktop/file-address.ts';
import { letterAddress } from './letter-address.ts';

/** What the desktop may be asked to open. Others run programs, or read what a page of the web must not. ours: decisions/0125 */
const SCHEMES: readonly string[] = ['http:', 'https:', 'mailto:', 'ftp:', 'file:'];

/** As it is given to the desktop, or why it is not. */
export type OpenableAddress = { address: string } | { refusal: string };

/** Checks the address of a link. A file must be on this machine. */
export function openableAddress(address: string, hostName: string): OpenableAddress {
  if (!URL.canParse(address)) return { refusal: 'it is not an address' };
  const { href, protocol } = new URL(address);
  if (!SCHEMES.includes(protocol)) {
    return { refusal: `"${protocol}" is not one of ${SCHEMES.join(' ')}` };
  }
  if (protocol === 'mailto:') return letterAddress(href);
  if (protocol !== 'file:') return { address: href };
  const path = pathOfFileAddress(address, hostName);
  if (path === undefined) return { refusal: 'it is not a file of this machine' };
  return { address: `file://${path.split('/').map(encodeURIComponent).join('/')}` };
}
