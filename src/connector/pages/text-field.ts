import { type Html, html, NOTHING } from './html.ts';

export interface TextField {
  name: string;
  /** Distinguishes it from other fields of its name on the page; by default its name. */
  id?: string;
  /** Whether it may be left empty. */
  isOptional?: true;
  label: string;
  value: string;
  maxLength: number;
  /** Rule for the text, shown before a mistake is made. */
  rule: string | Html;
  /** Why the last text was refused; undefined without a refusal. */
  refused: string | undefined;
}

/**
 * A field of one line with its label and its rule. After a refusal the browser focuses it, and the reason stands there.
 */
export function textField({ name, id = name, isOptional, label, value, maxLength, rule, refused }: TextField): Html {
  const described = refused === undefined ? `${id}-rule` : `${id}-refused ${id}-rule`;
  const reason = html`<p class="refused" id="${id}-refused" role="alert">${refused ?? ''}</p>`;
  return html`<div class="field">
<label for="${id}">${label}</label>
<input type="text" id="${id}" name="${name}" value="${value}" maxlength="${maxLength}"${isOptional ? NOTHING : html` required`} autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${described}"${
    refused === undefined ? NOTHING : html` aria-invalid="true" autofocus`
  }>
${refused === undefined ? NOTHING : reason}
<p class="note" id="${id}-rule">${rule}</p>
</div>`;
}
