import { type Html, html, NOTHING } from './html.ts';

export interface TextField {
  name: string;
  label: string;
  value: string;
  maxLength: number;
  /** What may be written, said before anybody errs. */
  rule: string | Html;
  /** Why the last text was refused. */
  refused: string | undefined;
}

/** A field of one line with its label and its rule. After a refusal the browser leads to it, and the reason stands there. */
export function textField({ name, label, value, maxLength, rule, refused }: TextField): Html {
  const described = refused === undefined ? `${name}-rule` : `${name}-refused ${name}-rule`;
  const reason = html`<p class="refused" id="${name}-refused" role="alert">${refused ?? ''}</p>`;
  return html`<div class="field">
<label for="${name}">${label}</label>
<input type="text" id="${name}" name="${name}" value="${value}" maxlength="${maxLength}" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${described}"${
    refused === undefined ? NOTHING : html` aria-invalid="true" autofocus`
  }>
${refused === undefined ? NOTHING : reason}
<p class="note" id="${name}-rule">${rule}</p>
</div>`;
}
