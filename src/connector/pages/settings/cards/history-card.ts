import { type Html, html } from '../../html.ts';
import { card } from '../card.ts';
import type { Notice } from '../result-notices.ts';

export interface HistoryCardContent {
  notice: Notice | undefined;
  retention: { days: number; entriesPerAccount: number };
  /** Whether a deletion is under way. */
  isBeingDeleted: boolean;
}

const BEING_DELETED: Notice = {
  card: 'history',
  text: 'Your history is being deleted. That takes a minute or two when it is long; reload this page to see whether it is done.',
};

const count = new Intl.NumberFormat('en-GB');

/** Links with which the person reads, downloads or deletes their history. */
export const historyCard = ({ notice, retention, isBeingDeleted }: HistoryCardContent): Html =>
  card({
    id: 'history',
    title: 'History',
    notice: isBeingDeleted ? BEING_DELETED : notice,
    body: html`<p class="note">What was said in your enabled channels while you were online is kept for ${count.format(retention.days)} days, at most ${count.format(retention.entriesPerAccount)} entries. The file has one entry a line, as JSON.</p>
<div class="actions"><a class="button quiet" href="/history">Read history</a> <a class="button quiet" href="/settings/history.jsonl">Download history</a> <a class="button quiet" href="/settings/history/delete">Delete history…</a></div>`,
  });
