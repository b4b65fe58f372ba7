import { z } from 'zod';
import { defineForm } from '../define-form.ts';
import { pageForPerson } from '../define-page.ts';
import { html } from '../html.ts';
import { historyFile } from './download-history.ts';
import { nameOf, PERSON_PATH, personHref, requirePerson } from './require-person.ts';
import { done } from './result-notices.ts';
import { secondQuestion } from './second-question.ts';

const PATH = `${PERSON_PATH}/remove`;

export const removePersonPage = pageForPerson({
  path: PATH,
  show: async ({ req, deps, person: owner }) => {
    const person = await requirePerson(deps, owner, req.params['accountId']);
    const name = nameOf(person);
    return {
      page: secondQuestion({
        session: owner,
        title: `Remove ${name}?`,
        body: html`<p class="lead">Their access ends, and that of their agents. Their user at the bouncer and their history are deleted. This can’t be undone.</p>
<p><a href="${personHref(person, '/history.jsonl')}">Download their history first</a>, and wait until the file is complete.</p>`,
        action: personHref(person, '/remove'),
        label: `Remove ${name}`,
        keep: { href: personHref(person), label: 'Keep' },
      }),
    };
  },
});

/** Lets an owner download a person's history before the removal, to hand it to them. */
export const personHistoryDownload = pageForPerson({
  path: `${PERSON_PATH}/history.jsonl`,
  show: async ({ req, deps, person: owner }) => {
    const person = await requirePerson(deps, owner, req.params['accountId']);
    const parts = deps.services.exportHistory({ accountId: person.accountId, readerId: owner.accountId });
    return { download: historyFile(parts, `homeport-history-${nameOf(person)}.jsonl`) };
  },
});

/** @throws ConnectorError owner_not_removable */
export const removePersonForm = defineForm({
  path: PATH,
  schema: z.object({}),
  handle: async (_fields, { req, deps, session }) => {
    const { accountId } = await requirePerson(deps, session, req.params['accountId']);
    await deps.services.removeAccount(accountId);
    return done('removed');
  },
});
