interface Cookie {
  name: string;
  value: string;
  path: string;
}

/**
 * A browser without scripts, for tests that sign in without a real browser: it keeps cookies per host and port, follows
 * redirects and pages that leave at once, and fills in forms.
 */
export class CookieBrowser {
  /** Host -> cookies, each by its name and path. */
  readonly #jars = new Map<string, Map<string, Cookie>>();

  /** Returns the page that a request ends at, after all redirects that stay on http. */
  async open(url: string, init: RequestInit = {}): Promise<Page> {
    let target = new URL(url);
    let request = init;
    for (let hop = 0; hop < 20; hop += 1) {
      const response = await this.fetch(target.href, request);
      const body = await response.text();
      const isRedirect = response.status > 299 && response.status < 400;
      const location = (isRedirect ? response.headers.get('location') : null) ?? refreshIn(body);
      if (location === undefined) return { url: target, status: response.status, headers: response.headers, body };
      target = new URL(location, target);
      request = {};
      if (this.stopAt?.(target) === true) return { url: target, status: 303, headers: response.headers, body: '' };
    }
    throw new Error(`${url} redirects without end`);
  }

  /** Redirects to such an address are not followed; it becomes the page's. */
  stopAt: ((url: URL) => boolean) | undefined;

  /** Where a request really goes: to one of several processes behind an address. */
  route: (url: string) => string = (url) => url;

  /** Makes one request with this browser's cookies, without following redirects. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const target = new URL(url);
    const headers = new Headers(init.headers);
    headers.set('accept', headers.get('accept') ?? 'text/html');
    const cookies = this.#cookiesFor(target);
    if (cookies !== '') headers.set('cookie', cookies);
    const response = await fetch(this.route(url), {
      ...init,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(120_000),
    });
    this.#keep(target, response.headers.getSetCookie());
    return response;
  }

  /** Submits the page's form, with the fields given on top of its own. */
  submit(page: Page, fields: Record<string, string | readonly string[]>, action?: string): Promise<Page> {
    const form = formOf(page.body, action);
    const body = new URLSearchParams(form.hidden);
    for (const [name, values] of Object.entries(fields)) {
      for (const value of [values].flat()) body.append(name, value);
    }
    return this.open(new URL(form.action ?? page.url.href, page.url).href, { method: 'POST', body });
  }

  /** The value of a cookie that this browser has for the address's host. */
  cookie(url: string, name: string): string | undefined {
    return this.cookies(url).find(([known]) => known === name)?.[1];
  }

  /** Name and value of all cookies that this browser has for the address's host. */
  cookies(url: string): [name: string, value: string][] {
    return [...(this.#jars.get(new URL(url).host)?.values() ?? [])].map(({ name, value }) => [name, value]);
  }

  /** Plants a cookie, as a person may who has had the browser in hand. */
  setCookie(url: string, name: string, value: string): void {
    this.#keep(new URL(url), [`${name}=${value}; path=/`]);
  }

  #cookiesFor({ host, pathname }: URL): string {
    return [...(this.#jars.get(host)?.values() ?? [])]
      .filter(({ path }) => pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  #keep({ host }: URL, cookies: readonly string[]): void {
    const jar = this.#jars.get(host) ?? new Map<string, Cookie>();
    this.#jars.set(host, jar);
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      const path = /; *path=([^;]*)/i.exec(cookie)?.[1] ?? '/';
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(`${name} ${path}`);
      else jar.set(`${name} ${path}`, { name, value, path });
    }
  }
}

/** Returns the address for which a page leaves by itself. */
const refreshIn = (body: string): string | undefined =>
  /<meta http-equiv="refresh" content="0;url=([^"]*)">/
    .exec(body)?.[1]
    ?.replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

export interface Page {
  url: URL;
  status: number;
  headers: Headers;
  body: string;
}

/** The first form of a page, or the one that posts to `action`. */
function formOf(body: string, action?: string): { action: string | undefined; hidden: Record<string, string> } {
  for (const [, attributes = '', content = ''] of body.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)) {
    const target = /action="([^"]*)"/.exec(attributes)?.[1];
    if (action !== undefined && target !== action) continue;
    const hidden = [...content.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, value],
    );
    return { action: target, hidden: Object.fromEntries(hidden) };
  }
  throw new Error(`the page has no form${action === undefined ? '' : ` that posts to ${action}`}:\n${body}`);
}
