import { z } from 'zod';
import { defineForm } from '../define-form.ts';
import { pageForPerson } from '../define-page.ts';
import { html } from '../html.ts';
import { done } from './result-notices.ts';
import { secondQuestion } from './second-question.ts';

const PATH = '/settings/history/delete';

export const deleteHistoryPage = pageForPerson({
  path: PATH,
  show: ({ person }) => ({
    page: secondQuestion({
      session: person,
      title: 'Delete your history?',
      body: html`<p class="lead">Everything that this service keeps of your channels is deleted, for you and your agents. This can’t be undone.</p>
<p class="note">What is said from now on is kept again. The bouncer’s own copy goes when your account is removed.</p>
<p><a href="/settings/history.jsonl">Download it first</a>, and wait until the file is complete.</p>`,
      action: PATH,
      label: 'Delete history',
      keep: { href: '/settings#history', label: 'Keep it' },
    }),
  }),
});

export const deleteHistoryForm = defineForm({
  path: PATH,
  schema: z.object({}),
  handle: async (_fields, { deps, session }) => {
    await deps.services.deleteHistory(session.accountId);
    return done('history');
  },
});
