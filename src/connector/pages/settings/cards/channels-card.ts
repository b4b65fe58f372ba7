import { type Account, enabledChannels } from '../../../domain/account.ts';
import type { BrowserSession } from '../../../ports/store.ts';
import type { IrcStatus } from '../../../services/irc-status.ts';
import { csrfField } from '../../define-form.ts';
import { type Html, html, NOTHING } from '../../html.ts';
import { card } from '../card.ts';
import type { Notice } from '../result-notices.ts';

export interface ChannelsCardContent {
  session: BrowserSession;
  notice: Notice | undefined;
  account: Account;
  status: IrcStatus;
}

/** The channels that the owner granted; the person ticks those that agents get. */
export function channelsCard({ session, notice, account, status }: ChannelsCardContent): Html {
  const body =
    account.grants.length === 0
      ? html`<p class="note">The owner has granted you no channel yet.</p>`
      : channelsForm(session, account, status);
  return card({ id: 'channels', title: 'Channels', notice, body });
}

function channelsForm(session: BrowserSession, account: Account, { notJoined }: IrcStatus): Html {
  const enabled = enabledChannels(account);
  const rows = account.grants.map(({ channel }) => {
    const isEnabled = enabled.includes(channel);
    const reason = isEnabled ? notJoined[channel] : undefined;
    return html`<li><label class="row"><input type="checkbox" name="channel" value="${channel}"${
      isEnabled ? html` checked` : NOTHING
    }><span>${channel}${reason === undefined ? NOTHING : html` <span class="note">not joined: ${reason}</span>`}</span></label></li>`;
  });
  return html`<p class="note">These channels were granted to you. Your agents see and write to those that you tick, and to no others.</p>
<form method="post" action="/settings">
${csrfField(session)}
<ul class="plain">${rows}</ul>
<div class="actions"><button class="button">Save channels</button></div>
</form>`;
}
