/** Fields that would make the mail program send a file of this machine; xdg-email(1). */
const ATTACHING = /^attach/i;

/** Fields that hold addresses of people, like the part before all fields. RFC 6068 */
const PEOPLE = /^(?:to|cc|bcc)$/i;

/**
 * xdg-email puts these fields between quotation marks without escaping them: after a quotation mark, further fields
 * could follow, such as a file to attach. Few addresses contain one, such as that of an O'Brien, and they are refused.
 */
const endsQuotation = (value: string): boolean => /['"\\\p{Cc}]/u.test(value);

/** Characters that `encodeURIComponent` leaves unchanged, but shells and mail programs do not. */
const LEFT = /[!'()*]/g;

/** The address of a letter for the desktop, or the reason for its refusal. */
export type LetterAddress = { address: string } | { refusal: string };

/**
 * Encodes the address of a letter again, so that it has no more fields than were parsed: mail programs split fields at
 * commas, which may occur in the text of one.
 * @param written begins with `mailto:`
 */
export function letterAddress(written: string): LetterAddress {
  const { pathname, search } = new URL(written);
  const parts = [`to=${pathname}`, ...search.slice(1).split('&')].map(readField);
  const fields = parts.filter((field) => field !== undefined);
  if (fields.length < parts.length) return { refusal: 'it is not an address' };
  if (fields.some(({ name }) => ATTACHING.test(name))) return { refusal: 'it would attach a file to a letter' };
  if (fields.some(({ name, value }) => PEOPLE.test(name) && endsQuotation(value))) {
    return { refusal: 'it has quotation marks or backslashes in a person’s address' };
  }
  const [to, ...others] = fields;
  const query = others
    .filter(({ name }) => name !== '')
    .map((field) => `${encoded(field.name)}=${writtenValue(field)}`);
  return {
    address: `mailto:${to === undefined ? '' : writtenValue(to)}${query.length === 0 ? '' : `?${query.join('&')}`}`,
  };
}

interface Field {
  name: string;
  value: string;
}

/** Decodes a field; undefined if that fails. A plus sign stays one: letters are not forms. */
function readField(text: string): Field | undefined {
  const end = text.indexOf('=');
  try {
    return {
      name: decodeURIComponent(end < 0 ? text : text.slice(0, end)),
      value: end < 0 ? '' : decodeURIComponent(text.slice(end + 1)),
    };
  } catch {
    // The field has an invalid escape sequence.
    return undefined;
  }
}

/** Addresses of people keep the signs that every address has. */
function writtenValue({ name, value }: Field): string {
  return PEOPLE.test(name) ? encoded(value).replace(/%(?:40|2B|2C)/g, decodeURIComponent) : encoded(value);
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(LEFT, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
