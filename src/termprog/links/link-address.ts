import { pathOfFileAddress } from '../desktop/file-address.ts';

/** What the desktop may be asked to open. Others run programs, or read what a page of the web must not. ours: decisions/0125 */
const SCHEMES: readonly string[] = ['http:', 'https:', 'mailto:', 'ftp:', 'file:'];

/** Fields of a letter that would have the mail program send a file of this machine; xdg-email(1). */
const ATTACHING = /^attach/i;

/** As it is given to the desktop, or why it is not. */
export type OpenableAddress = { address: string } | { refusal: string };

/** Checks the address of a link. A file must be on this machine. */
export function openableAddress(address: string, hostName: string): OpenableAddress {
  if (!URL.canParse(address)) return { refusal: 'it is not an address' };
  const { href, protocol, searchParams } = new URL(address);
  if (!SCHEMES.includes(protocol)) {
    return { refusal: `"${protocol}" is not one of ${SCHEMES.join(' ')}` };
  }
  if (protocol === 'mailto:' && [...searchParams.keys()].some((field) => ATTACHING.test(field))) {
    return { refusal: 'it would attach a file to a letter' };
  }
  if (protocol !== 'file:') return { address: href };
  const path = pathOfFileAddress(address, hostName);
  if (path === undefined) return { refusal: 'it is not a file of this machine' };
  return { address: `file://${path.split('/').map(encodeURIComponent).join('/')}` };
}
