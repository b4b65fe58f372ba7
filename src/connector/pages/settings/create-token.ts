import { z } from 'zod';
import {
  PERSONAL_TOKEN_DAYS,
  PERSONAL_TOKEN_NAME_MAX_CHARACTERS,
  parseTokenName,
} from '../../domain/personal-token.ts';
import { SCOPES } from '../../domain/scope.ts';
import { ConnectorError, type ErrorCode, errorTable } from '../../errors.ts';
import { defineForm, type Submission } from '../define-form.ts';
import type { Outcome } from '../define-page.ts';
import { html } from '../html.ts';
import { page } from '../layout.ts';
import { dayOf } from '../moments.ts';
import { sentence } from '../sentence.ts';
import { settingsView } from './view.ts';

/** Far longer than a name, so that a person who writes too much reads why that is refused. */
const WRITTEN_MAX_CHARACTERS = 1_000;

const ScopeField = z.enum(SCOPES);

const NO_NAME = `This can’t be a name. One has at most ${PERSONAL_TOKEN_NAME_MAX_CHARACTERS} characters, and none that nobody sees.`;
const NO_SCOPE = 'Nothing is ticked. Tick what the agent may do.';

/** What the person reads beside the field; everything else is a page of its own. */
const OF_THE_FORM: ReadonlySet<ErrorCode> = new Set(['personal_tokens_exhausted']);

/** Makes a token for an agent without a browser, and shows it this once. */
export const createTokenForm = defineForm({
  path: '/settings/tokens',
  schema: z.object({
    name: z.string().max(WRITTEN_MAX_CHARACTERS),
    // A browser sends one field for each ticked box: none, one text, or a list.
    scope: z.union([ScopeField.transform((only) => [only]), z.array(ScopeField)]).default([]),
    days: z
      .string()
      .transform(Number)
      .pipe(z.literal([...PERSONAL_TOKEN_DAYS])),
  }),
  handle: async ({ name: written, scope: scopes, days }, submission) => {
    const { services } = submission.deps;
    const name = parseTokenName(written);
    if (name === undefined) return refuse(submission, written, 422, NO_NAME);
    if (scopes.length === 0) return refuse(submission, written, 422, NO_SCOPE);
    try {
      const { accountId } = submission.session;
      const made = await services.createPersonalToken(accountId, { name, scopes: [...new Set(scopes)], days });
      return { page: tokenPage(name, made, submission.deps.baseUrl) };
    } catch (error) {
      if (!(error instanceof ConnectorError) || !OF_THE_FORM.has(error.code)) throw error;
      return refuse(submission, written, errorTable[error.code].status, sentence(error.message));
    }
  },
});

async function refuse({ deps, session }: Submission, written: string, status: number, why: string): Promise<Outcome> {
  return { status, page: await settingsView(deps, session, { refused: { field: 'name', written, why } }) };
}

const tokenPage = (name: string, { token, endsAt }: { token: string; endsAt: number }, baseUrl: string): string =>
  page({
    title: 'Your token',
    isNarrow: true,
    body: html`<div class="card">
<h1>Your token for ${name}</h1>
<p class="lead">Copy it now: it is shown only this once.</p>
<p><code>${token}</code></p>
<p class="note">Give it to the agent together with the address <code>${baseUrl}/mcp</code>. It sends the token as <code>Authorization: Bearer TOKEN</code>. Who has the token may do what you ticked until ${dayOf(endsAt)}, or until you revoke it.</p>
<div class="actions"><a class="button" href="/settings#agents">Back to settings</a></div>
</div>`,
  });
