import type { BrowserSession } from '../../ports/store.ts';
import { csrfField } from '../define-form.ts';
import { type Html, html } from '../html.ts';
import { page } from '../layout.ts';

export interface SecondQuestion {
  session: BrowserSession;
  title: string;
  /** What will be gone, and what stays. */
  body: Html;
  /** Where the form of this page goes. */
  action: string;
  /** What the button does. */
  label: string;
  /** Where somebody goes who thinks better of it. */
  keep: { href: string; label: string };
}

/** A page between a link and something that can't be undone. */
export const secondQuestion = ({ session, title, body, action, label, keep }: SecondQuestion): string =>
  page({
    title,
    isNarrow: true,
    body: html`<div class="card">
<h1>${title}</h1>
${body}
<form method="post" action="${action}">
${csrfField(session)}
<div class="actions"><button class="button danger">${label}</button> <a class="button quiet" href="${keep.href}">${keep.label}</a></div>
</form>
</div>`,
  });
