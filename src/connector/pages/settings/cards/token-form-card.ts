import { AGENT_NAME_MAX_CHARACTERS } from '../../../domain/agent-name.ts';
import { PERSONAL_TOKEN_DAYS } from '../../../domain/personal-token.ts';
import { DEFAULT_SCOPE, SCOPES, type Scope } from '../../../domain/scope.ts';
import type { BrowserSession } from '../../../ports/store.ts';
import { csrfField } from '../../define-form.ts';
import { type Html, html, NOTHING } from '../../html.ts';
import { textField } from '../../text-field.ts';
import type { RefusedText } from '../refused-text.ts';

/** Default lifetime of a token, in days. */
const USUAL_DAYS = 90;

/** Form that creates a token for an agent that can't open a browser. */
export function tokenForm(session: BrowserSession, refused: RefusedText | undefined): Html {
  const own = refused?.field === 'name' ? refused : undefined;
  const field = textField({
    name: 'name',
    label: 'Name of the agent',
    value: own?.written ?? '',
    maxLength: AGENT_NAME_MAX_CHARACTERS,
    rule: 'For you, to know it by in the list above.',
    refused: own?.why,
  });
  return html`<details${own === undefined ? NOTHING : html` open`}><summary>An agent without a browser</summary>
<p class="note">It can’t ask for your consent. Make a token for it, and keep the token secret as a password.</p>
<form method="post" action="/settings/tokens">${csrfField(session)}
${field}
<fieldset>
<legend>It may</legend>
<ul class="plain">${SCOPES.map(box)}</ul>
</fieldset>
<fieldset>
<legend>It ends after</legend>
<ul class="plain">${PERSONAL_TOKEN_DAYS.map(term)}</ul>
</fieldset>
<div class="actions"><button class="button">Make a token</button></div>
</form></details>`;
}

const box = (scope: Scope): Html =>
  html`<li><label class="row"><input type="checkbox" name="scope" value="${scope}"${scope === DEFAULT_SCOPE ? html` checked` : NOTHING}><span><code>${scope}</code></span></label></li>`;

const term = (days: number): Html =>
  html`<li><label class="row"><input type="radio" name="days" value="${String(days)}"${days === USUAL_DAYS ? html` checked` : NOTHING}><span>${String(days)} days</span></label></li>`;
