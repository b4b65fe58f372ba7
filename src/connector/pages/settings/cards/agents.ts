import { SCOPE_MEANING, SCOPES } from '../../../domain/scope.ts';
import type { BrowserSession } from '../../../ports/store.ts';
import type { AgentAccess } from '../../../services/agents.ts';
import { csrfField } from '../../define-form.ts';
import { type Html, html, NOTHING } from '../../html.ts';
import { dayOf, momentOf } from '../../moments.ts';
import { card } from '../card.ts';
import type { Notice } from '../notices.ts';
import type { RefusedText } from '../refused-text.ts';
import { tokenForm } from './token-form.ts';

export interface AgentsCardContent {
  session: BrowserSession;
  notice: Notice | undefined;
  agents: readonly AgentAccess[];
  /** Whether people may make tokens here. */
  makesTokens: boolean;
  refused: RefusedText | undefined;
}

/** Who may act for the person, and since when. */
export function agentsCard({ session, notice, agents, makesTokens, refused }: AgentsCardContent): Html {
  const list =
    agents.length === 0
      ? NOBODY
      : html`${MEANINGS}
<ul class="plain items">${agents.map((agent) => row(session, agent))}</ul>`;
  const body = html`${list}${makesTokens ? tokenForm(session, refused) : NOTHING}`;
  return card({ id: 'agents', title: 'Agents', notice, body });
}

const NOBODY = html`<p class="note">No agent has access.</p>`;

const MEANINGS = html`<p class="note">These agents act for you until you revoke them. What each word means:</p>
<ul class="note">${SCOPES.map((scope) => html`<li><code>${scope}</code> ${SCOPE_MEANING[scope]}.</li>`)}</ul>`;

const row = (
  session: BrowserSession,
  { consentId, clientName, vouchedBy, scopes, sessions, ...times }: AgentAccess,
): Html => html`<li>
<div>
<strong>${clientName}</strong> ${scopes.map((scope) => html`<code>${scope}</code> `)}
<p class="note">${times.endsAt === null ? asked(vouchedBy, times) : made(times.createdAt, times.endsAt)} ${sessionsOf(sessions)}</p>
</div>
<form method="post" action="/settings/agents/revoke">${csrfField(session)}<input type="hidden" name="consent" value="${consentId}"><button class="button quiet small">Revoke<span class="unseen"> ${clientName}</span></button></form>
</li>`;

const asked = (
  vouchedBy: string | undefined,
  { createdAt, lastUsedAt }: Pick<AgentAccess, 'createdAt' | 'lastUsedAt'>,
): Html => html`${whoSaysSo(vouchedBy)} Allowed since ${dayOf(createdAt)}, last used ${momentOf(lastUsedAt)}.`;

const made = (createdAt: number, endsAt: number): Html =>
  html`A token that you made on ${dayOf(createdAt)}; it ends on ${dayOf(endsAt)}.`;

const whoSaysSo = (vouchedBy: string | undefined): Html =>
  vouchedBy === undefined ? html`It calls itself that.` : html`<code>${vouchedBy}</code> calls it that.`;

function sessionsOf({ count, lastUsedAt }: AgentAccess['sessions']): Html {
  if (lastUsedAt === null || count === 0) return html`No sessions.`;
  if (count === 1) return html`One session, last used ${momentOf(lastUsedAt)}.`;
  return html`${count} sessions, last used ${momentOf(lastUsedAt)}.`;
}
