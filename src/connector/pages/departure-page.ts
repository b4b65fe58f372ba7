import { type Html, html } from './html.ts';
import { page } from './layout.ts';

/**
 * A page that leaves for another address by itself, at once and without a script; the link is for browsers that don't
 * do that.
 * @param to.isApp whether the browser hands the address to an app, and stays here
 */
export function departurePage({ href, isApp }: { href: string; isApp: boolean }): string {
  return page({
    title: isApp ? 'Back to the app' : 'Going back',
    isNarrow: true,
    head: html`<meta http-equiv="refresh" content="0;url=${href}">`,
    body: isApp ? inApp(href) : onWeb(href),
  });
}

const inApp = (href: string): Html => html`<div class="card">
<h1>You can close this page</h1>
<p class="lead">Your browser opens the app, which goes on by itself.</p>
<div class="actions"><a class="button quiet" href="${href}">Open the app again</a></div>
</div>`;

const onWeb = (href: string): Html => html`<div class="card">
<h1>Going back</h1>
<p class="lead">Your browser goes on to <code>${new URL(href).host}</code>.</p>
<div class="actions"><a class="button" href="${href}">Go on</a></div>
</div>`;
