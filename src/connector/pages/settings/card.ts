import { type Html, html, NOTHING } from '../html.ts';
import type { CardId, Notice } from './result-notices.ts';

export interface CardContent {
  id: CardId;
  title: string;
  /** Notice of the last form, shown if it is about this card. */
  notice: Notice | undefined;
  body: Html;
}

/** One part of the settings page, which screen readers find by its title. */
export const card = ({
  id,
  title,
  notice,
  body,
}: CardContent): Html => html`<section class="card" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${notice?.card === id ? noticeBox(notice) : NOTHING}
${body}
</section>`;

const noticeBox = ({ text, isWarning = false }: Notice): Html =>
  html`<div class="notice${isWarning ? ' warn' : ''}" role="status">${text}</div>`;
