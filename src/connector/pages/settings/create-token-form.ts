import { z } from 'zod';
import { parseAgentName } from '../../domain/agent-name.ts';
import { PERSONAL_TOKEN_DAYS } from '../../domain/personal-token.ts';
import { SCOPES } from '../../domain/scope.ts';
import { ConnectorError, type ErrorCode, errorTable } from '../../errors.ts';
import { defineForm, type Submission } from '../define-form.ts';
import type { Outcome } from '../define-page.ts';
import { html } from '../html.ts';
import { page } from '../layout.ts';
import type { Moments } from '../moments.ts';
import { script } from '../script.ts';
import { sentence } from '../sentence.ts';
import { NO_AGENT_NAME } from './refused-text.ts';
import { settingsView } from './view.ts';

/**
 * Longest text that is read: far longer than a name, so that a person who writes too much reads why that is refused.
 */
const WRITTEN_MAX_CHARACTERS = 1_000;

const ScopeField = z.enum(SCOPES);

const NO_SCOPE = 'Nothing is ticked. Tick what the agent may do.';

/** Refusals that are shown beside the field; all others are a page of their own. */
const OF_THE_FORM: ReadonlySet<ErrorCode> = new Set(['personal_tokens_exhausted']);

/** Makes a token for an agent without a browser, and shows it only this once. */
export const createTokenForm = defineForm({
  path: '/settings/tokens',
  schema: z.object({
    name: z.string().max(WRITTEN_MAX_CHARACTERS),
    // A browser sends one field for each ticked box: an absent value, one text, or a list.
    scope: z.union([ScopeField.transform((only) => [only]), z.array(ScopeField)]).default([]),
    days: z
      .string()
      .transform(Number)
      .pipe(z.literal([...PERSONAL_TOKEN_DAYS])),
  }),
  handle: async ({ name: written, scope: scopes, days }, submission) => {
    const { services } = submission.deps;
    const name = parseAgentName(written);
    if (name === undefined) return refuse(submission, written, 422, NO_AGENT_NAME);
    if (scopes.length === 0) return refuse(submission, written, 422, NO_SCOPE);
    try {
      const { accountId } = submission.session;
      const made = await services.createPersonalToken(accountId, { name, scopes: [...new Set(scopes)], days });
      return { page: tokenPage(name, made, submission.deps), isScripted: true };
    } catch (error) {
      if (!(error instanceof ConnectorError) || !OF_THE_FORM.has(error.code)) throw error;
      return refuse(submission, written, errorTable[error.code].status, sentence(error.message));
    }
  },
});

async function refuse({ deps, session }: Submission, written: string, status: number, why: string): Promise<Outcome> {
  return { status, page: await settingsView(deps, session, { refused: { field: 'name', written, why } }) };
}

const tokenPage = (
  name: string,
  { token, endsAt }: { token: string; endsAt: number },
  { baseUrl, moments }: { baseUrl: string; moments: Moments },
): string =>
  page({
    title: 'Your token',
    isNarrow: true,
    head: script(),
    body: html`<div class="card">
<h1>Your token for ${name}</h1>
<p class="lead">Copy it now: it is shown only this once.</p>
<p><code class="copy">${token}</code></p>
<p class="note">Give it to the agent together with the address <code>${baseUrl}/mcp</code>. It sends the token as <code>Authorization: Bearer TOKEN</code>. Who has the token may do what you ticked until ${moments.day(endsAt)}, or until you revoke it.</p>
<div class="actions"><a class="button" href="/settings#agents">Back to settings</a></div>
</div>`,
  });
