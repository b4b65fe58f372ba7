import { type Html, html } from '../../html.ts';
import { card } from '../card.ts';
import type { Notice } from '../notices.ts';

export interface HistoryCardContent {
  notice: Notice | undefined;
  retention: { days: number; entriesPerAccount: number };
}

const count = new Intl.NumberFormat('en-GB');

/** What the person takes along, or has deleted. */
export const historyCard = ({ notice, retention: { days, entriesPerAccount } }: HistoryCardContent): Html =>
  card({
    id: 'history',
    title: 'History',
    notice,
    body: html`<p class="note">What was said in your enabled channels while you were online is kept for ${count.format(days)} days, at most ${count.format(entriesPerAccount)} entries. The file has one entry a line, as JSON.</p>
<div class="actions"><a class="button quiet" href="/settings/history.jsonl" download>Download history</a> <a class="button quiet" href="/settings/history/delete">Delete history…</a></div>`,
  });
