import { pageForPerson } from '../define-page.ts';
import { peopleRequestOf } from './people-request.ts';
import { noticeOf, SETTINGS_PATH } from './result-notices.ts';
import { settingsView } from './view.ts';

/** Page where a person sees and controls their agents' access. @spec connector#browser-pages */
export const settingsPage = pageForPerson({
  path: SETTINGS_PATH,
  show: async ({ req, deps, person }) => ({
    isScripted: true,
    page: await settingsView(deps, person, {
      notice: noticeOf(req.query['done']),
      people: peopleRequestOf(req.query),
    }),
  }),
});
