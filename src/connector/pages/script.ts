import { type Html, html } from './html.ts';

/**
 * Cookie with the reader's time zone. Browsers take a name with this prefix only over an encrypted connection, and from
 * us alone.
 */
export const ZONE_COOKIE = '__Host-zone';

export const SCRIPT_PATH = '/page.js';

/**
 * The one script; each page works without it. It puts a button beside texts to copy, and stores the reader's time zone
 * for the next page. A page that names a zone is loaded once more if the reader's differs.
 */
export const SCRIPT = `'use strict';
{
  const { shownZone } = document.currentScript.dataset;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const pair = '${ZONE_COOKIE}=' + encodeURIComponent(timeZone);
  const isNoted = () => document.cookie.split('; ').includes(pair);
  if (shownZone && timeZone && timeZone !== shownZone && !isNoted()) {
    document.cookie = pair + '; Path=/; Secure; SameSite=Lax; Max-Age=31536000';
    // A browser that keeps no cookies would load it for ever.
    if (isNoted()) location.reload();
  }
  for (const text of document.querySelectorAll('.copy')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button quiet small copies';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        button.textContent = 'Copied';
      } catch {
        // A page without TLS may not write to the clipboard: the person copies the selection.
        getSelection().selectAllChildren(text);
        button.textContent = 'Selected';
      }
    });
    text.after(' ', button);
  }
}
`;

/** @param shownZone zone of the times on a page that may be loaded once more; undefined for the answer to a form */
export const script = (shownZone?: string): Html =>
  shownZone === undefined
    ? html`<script src="${SCRIPT_PATH}" defer></script>`
    : html`<script src="${SCRIPT_PATH}" defer data-shown-zone="${shownZone}"></script>`;
