import { type Html, html, NOTHING } from '../html.ts';

/** Boxes for the channels that an owner may grant; the granted ones are ticked. */
export const grantBoxes = (ircChannels: readonly string[], granted: readonly string[]): Html => html`<fieldset>
<legend>Channels to grant</legend>
<ul class="plain">${ircChannels.map(
  (channel) =>
    html`<li><label class="row"><input type="checkbox"${
      granted.includes(channel) ? html` checked` : NOTHING
    } name="channel" value="${channel}"><span>${channel}</span></label></li>`,
)}</ul>
</fieldset>`;
