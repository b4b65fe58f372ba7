/** Text that is HTML already; all other text is escaped when it is put into a page. */
export class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Part = Html | string | number | readonly Html[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Characters that could reverse or hide a displayed name: control and bidirectional formatting characters. */
const DECEIVING = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

const escapeText = (text: string): string =>
  text.replace(DECEIVING, '\uFFFD').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** A template whose parts are escaped unless they are HTML themselves. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, index) => text + rendered(parts[index] ?? '')).join(''));
}

function rendered(part: Part): string {
  if (part instanceof Html) return part.source;
  if (typeof part === 'object') return part.map(({ source }) => source).join('');
  return escapeText(String(part));
}

export const NOTHING = new Html('');
