import type { BrowserSession } from '../../ports/store.ts';
import { csrfField } from '../define-form.ts';
import { type Html, html } from '../html.ts';
import { page } from '../layout.ts';

export interface SecondQuestion {
  session: BrowserSession;
  title: string;
  /** Text about the data that are deleted, and those that stay. */
  body: Html;
  /** Path that the form of this page posts to. */
  action: string;
  /** Label of the button, which names the action. */
  label: string;
  /** Link for a person who changes their mind. */
  keep: { href: string; label: string };
}

/** A page between a link and an action that can't be undone. */
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
