import { createHash } from 'node:crypto';

/** Scripts in the page itself; a script with `src` has no text. */
const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;

/**
 * The one style sheet that a script of VitePress adds when the reader turns the page dark. Without it, colours would
 * fade while the page loads.
 */
const NO_FADING = ['-webkit-transition', '-moz-transition', '-o-transition', '-ms-transition', 'transition']
  .map((property) => `${property}:none!important`)
  .join(';');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The policy of a page, as an element: everything comes from the site itself. Scripts in the page are named by their hashes,
 * so that no other one can run.
 */
export function policyOf(html: string): string {
  const scripts = [...html.matchAll(INLINE_SCRIPT)].map(([, text = '']) => hashOf(text));
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(scripts)].join(' ')}`.trim(),
    `style-src 'self' ${hashOf(`*,*::before,*::after{${NO_FADING}}`)}`,
    // The signs of the default theme are pictures in its style sheet.
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
}
