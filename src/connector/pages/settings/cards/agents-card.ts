import { AGENT_NAME_MAX_CHARACTERS } from '../../../domain/agent-name.ts';
import { SCOPE_MEANING, SCOPES } from '../../../domain/scope.ts';
import type { BrowserSession } from '../../../ports/store.ts';
import type { AgentAccess } from '../../../services/list-agents.ts';
import { csrfField } from '../../define-form.ts';
import { type Html, html, NOTHING } from '../../html.ts';
import type { Moments } from '../../moments.ts';
import { textField } from '../../text-field.ts';
import { card } from '../card.ts';
import type { RefusedText } from '../refused-text.ts';
import type { Notice } from '../result-notices.ts';
import { tokenForm } from './token-form-card.ts';

export interface AgentsCardContent {
  session: BrowserSession;
  notice: Notice | undefined;
  agents: readonly AgentAccess[];
  /** Whether people may create tokens here. */
  makesTokens: boolean;
  refused: RefusedText | undefined;
  moments: Moments;
}

/** The agents that may act for the person, and since when. */
export function agentsCard({ session, notice, agents, makesTokens, refused, moments }: AgentsCardContent): Html {
  const list =
    agents.length === 0
      ? NOBODY
      : html`${MEANINGS}
<ul class="plain items">${agents.map((agent) => row(session, agent, { refused, moments }))}</ul>`;
  const body = html`${list}${makesTokens ? tokenForm(session, refused) : NOTHING}`;
  return card({ id: 'agents', title: 'Agents', notice, body });
}

const NOBODY = html`<p class="note">No agent has access.</p>`;

const MEANINGS = html`<p class="note">These agents act for you until you revoke them. What each word means:</p>
<ul class="note">${SCOPES.map((scope) => html`<li><code>${scope}</code> ${SCOPE_MEANING[scope]}.</li>`)}</ul>`;

function row(
  session: BrowserSession,
  agent: AgentAccess,
  { refused, moments }: Pick<AgentsCardContent, 'refused' | 'moments'>,
): Html {
  const { consentId, scopes, sessions } = agent;
  const name = nameOf(agent);
  return html`<li>
<div>
<strong>${name}</strong> ${scopes.map((scope) => html`<code>${scope}</code> `)}
<p class="note">${agent.endsAt === null ? asked(agent, moments) : made(agent.createdAt, agent.endsAt, moments)} ${sessionsOf(sessions, moments)}</p>
${renaming(session, agent, refused?.field === 'agent' && refused.of === consentId ? refused : undefined)}
</div>
<form method="post" action="/settings/agents/revoke">${csrfField(session)}<input type="hidden" name="consent" value="${consentId}"><button class="button quiet small">Revoke<span class="unseen"> ${name}</span></button></form>
</li>`;
}

/** The agent's name as the person knows it. */
export const nameOf = ({ givenName, clientName }: Pick<AgentAccess, 'givenName' | 'clientName'>): string =>
  givenName ?? clientName;

function renaming(session: BrowserSession, agent: AgentAccess, refused: RefusedText | undefined): Html {
  const { consentId, clientName } = agent;
  const field = textField({
    name: 'name',
    id: `name-${consentId}`,
    isOptional: true,
    label: 'New name',
    value: refused?.written ?? nameOf(agent),
    maxLength: AGENT_NAME_MAX_CHARACTERS,
    rule: html`Only you see it. Leave it empty for <em>${clientName}</em>.`,
    refused: refused?.why,
  });
  return html`<details${refused === undefined ? NOTHING : html` open`}><summary>Rename<span class="unseen"> ${nameOf(agent)}</span></summary>
<form method="post" action="/settings/agents/rename">${csrfField(session)}<input type="hidden" name="consent" value="${consentId}">
${field}
<div class="actions"><button class="button quiet small">Save name</button></div>
</form></details>`;
}

const asked = ({ createdAt, lastUsedAt, ...name }: AgentAccess, moments: Moments): Html =>
  html`${whoSaysSo(name)} Allowed since ${moments.day(createdAt)}, last used ${moments.minute(lastUsedAt)}.`;

const made = (createdAt: number, endsAt: number, moments: Moments): Html =>
  html`A token that you made on ${moments.day(createdAt)}; it ends on ${moments.day(endsAt)}.`;

/** Names the owner of an agent: the person's own name for it must not hide that. */
function whoSaysSo({
  givenName,
  clientName,
  vouchedBy,
}: Pick<AgentAccess, 'givenName' | 'clientName' | 'vouchedBy'>): Html {
  const isOwn = givenName === null;
  if (vouchedBy === undefined)
    return isOwn ? html`It calls itself that.` : html`It calls itself <em>${clientName}</em>.`;
  return html`<code>${vouchedBy}</code> calls it ${isOwn ? 'that' : html`<em>${clientName}</em>`}.`;
}

function sessionsOf({ count, lastUsedAt }: AgentAccess['sessions'], moments: Moments): Html {
  if (lastUsedAt === null || count === 0) return html`No sessions.`;
  if (count === 1) return html`One session, last used ${moments.minute(lastUsedAt)}.`;
  return html`${count} sessions, last used ${moments.minute(lastUsedAt)}.`;
}
